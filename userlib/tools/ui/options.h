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

/*
 * struct tool_options - What to do with the options of a command
 * @has_first_argument: options end before the first other argument
 * @take: takes an option, except --help and --color, and returns TOOL_OK or
 *        TOOL_USAGE after it printed what is wrong with the argument
 * @data: for @take
 */
struct tool_options {
	bool has_first_argument;
	int (*take)(void *data, int option, const char *argument);
	void *data;
};

/*
 * tool_help() - Prints the help of a command
 * Return: TOOL_OK
 */
int tool_help(const struct tool_command *command);

/*
 * tool_parse_common() - Parses the options in the tables of a command
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
