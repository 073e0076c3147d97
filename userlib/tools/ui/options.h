/* SPDX-License-Identifier: MIT */
/*
 * user-events: the help and the options of commands.
 */
#ifndef USER_EVENTS_UI_OPTIONS_H
#define USER_EVENTS_UI_OPTIONS_H

#include <getopt.h>

#include "tool.h"

/* Letters of long options without a short form start at OPTION_FIRST. */
enum {
	OPTION_COLOR = 256,
	OPTION_FIRST,
};

#define LONG_OPTION_HELP                       \
	{                                      \
		"help", no_argument, NULL, 'h' \
	}
#define LONG_OPTION_JSON                       \
	{                                      \
		"json", no_argument, NULL, 'j' \
	}
#define LONG_OPTION_COLOR                                      \
	{                                                      \
		"color", required_argument, NULL, OPTION_COLOR \
	}

/*
 * struct tool_options - The options of a command
 * @names: for getopt_long(), with LONG_OPTION_HELP. Those below OPTION_COLOR are
 *        letters, too.
 * @has_first_argument: options end before the first other argument
 * @take: takes an option, except --help and --color, and returns TOOL_OK or
 *        TOOL_USAGE after it printed what is wrong with the argument
 * @data: for @take
 */
struct tool_options {
	const struct option *names;
	bool has_first_argument;
	int (*take)(void *data, int option, const char *argument);
	void *data;
};

/*
 * tool_join_names() - Joins two arrays for getopt_long()
 * @one, @other: with a last element of zeros
 * Return: all options, for free()
 */
struct option *tool_join_names(const struct option *one,
			       const struct option *other);

/*
 * tool_help() - Prints the help of a command
 * Return: TOOL_OK
 */
int tool_help(const struct tool_command *command);

/*
 * tool_parse_common() - Parses the options of a command
 *
 * The other arguments start at argv[optind].
 *
 * Return: TOOL_OK; TOOL_HELPED if the help was printed and nothing else is to
 *         be done; TOOL_USAGE, or another error of @take, which is printed
 */
int tool_parse_common(const struct tool_command *command,
		      const struct tool_options *options, int argc,
		      char **argv);

/*
 * tool_parse_json() - Parses the options of a command that has only --json,
 * --color and --help
 * @wants_json: set to true by --json
 *
 * Return: as tool_parse_common()
 */
int tool_parse_json(const struct tool_command *command, int argc, char **argv,
		    bool *wants_json);

#endif
