/* SPDX-License-Identifier: MIT */
/*
 * user-events: the help and the options of commands.
 */
#ifndef USER_EVENTS_UI_OPTIONS_H
#define USER_EVENTS_UI_OPTIONS_H

#include <getopt.h>
#include <stddef.h>

#include "tool.h"

/* Letters of long options without a short form start at OPTION_FIRST. */
enum {
	OPTION_COLOR = 256,
	OPTION_FIRST,
};

/* The offset of a member, which must have a type */
#define OPTION_OFFSET(type, member, kept)                               \
	(offsetof(type, member) +                                       \
	 0 * sizeof(char[__builtin_types_compatible_p(                  \
				 __typeof__(((type *)0)->member), kept) \
				 ? 1                                    \
				 : -1]))

/*
 * Values of options that set a member: a bool, without an argument; bits of an
 * unsigned int; a text, which stays in argv; a uint64_t, for which @high can be
 * UINT64_MAX; and an enum, of which the words are the values from 0 on.
 */
#define SET_FLAG(type, member)                               \
	{                                                    \
		.kind = TOOL_FLAG,                           \
		.offset = OPTION_OFFSET(type, member, bool), \
	}
#define SET_BITS(type, member, value)                                \
	{                                                            \
		.kind = TOOL_BITS, .bits = (value),                  \
		.offset = OPTION_OFFSET(type, member, unsigned int), \
	}
#define SET_TEXT(type, member, completion)                           \
	{                                                            \
		.kind = TOOL_TEXT, .words = (completion),            \
		.offset = OPTION_OFFSET(type, member, const char *), \
	}
#define SET_RANGE(kept, type, member, low, high)                 \
	{                                                        \
		.kind = (kept), .min = (low), .max = (high),     \
		.offset = OPTION_OFFSET(type, member, uint64_t), \
	}
#define SET_NUMBER(type, member, low, high) \
	SET_RANGE(TOOL_NUMBER, type, member, low, high)
#define SET_SIZE(type, member, low, high) \
	SET_RANGE(TOOL_SIZE, type, member, low, high)
#define SET_TIME(type, member, low, high) \
	SET_RANGE(TOOL_TIME, type, member, low, high)
#define SET_WORD(type, member, completion)                \
	{                                                 \
		.kind = TOOL_WORD, .words = (completion), \
		.offset = offsetof(type, member),         \
	}

/* The value of an option that the function of the command takes */
#define SET_NOTHING(completion)        \
	{                              \
		.words = (completion), \
	}

/* The row of --color */
#define OPTION_COLORS                                                        \
	{                                                                    \
		"color", OPTION_COLOR, "WHEN",                               \
			"use colors: auto, always or never (default: auto)", \
			SET_NOTHING("auto always never")                     \
	}

/*
 * struct tool_options - What to do with the options of a command
 * @has_first_argument: options end before the first other argument
 * @check: called for each option before it is set or taken, with @data, and
 *        returns as @take; or NULL
 * @take: takes an option of kind TOOL_TAKEN, except --help and --color, and
 *        returns TOOL_OK or TOOL_USAGE after it printed what is wrong with the
 *        argument
 * @data: for @take
 * @members: the struct whose members the other options set; NULL: @data
 */
struct tool_options {
	bool has_first_argument;
	int (*check)(void *data, const struct tool_option *option);
	int (*take)(void *data, int option, const char *argument);
	void *data;
	void *members;
};

/*
 * tool_help() - Prints the help of a command
 * Return: TOOL_OK
 */
int tool_help(const struct tool_command *command);

/*
 * tool_complete() - Prints what can be the argument of an option: the words of
 * struct tool_value
 * @option: "-x" or "--name"
 * Return: TOOL_OK; TOOL_FAILED for an option that requires no argument
 */
int tool_complete(const struct tool_command *command, const char *option);

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
