/* SPDX-License-Identifier: MIT */
/*
 * user-events: the help and the options of commands.
 */
#ifndef USER_EVENTS_UI_OPTIONS_H
#define USER_EVENTS_UI_OPTIONS_H

#include <getopt.h>
#include <stddef.h>

#include "tool.h"

/* The offset of a member, which must have a type */
#define OPTION_OFFSET(type, member, kept)                               \
	(offsetof(type, member) +                                       \
	 0 * sizeof(char[__builtin_types_compatible_p(                  \
				 __typeof__(((type *)0)->member), kept) \
				 ? 1                                    \
				 : -1]))

/*
 * Values of options that set a member: a bool, bits of an unsigned int, or a value
 * of an enum, without an argument; a text, which stays in argv; a uint64_t, for which @high can be
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
#define SET_VALUE(type, member, value)               \
	{                                            \
		.kind = TOOL_VALUE, .bits = (value), \
		.offset = offsetof(type, member),    \
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

/* A function takes the argument, for a member or for the struct of the table. */
#define SET_BY(type, member, function, completion)         \
	{                                                  \
		.take = (function), .words = (completion), \
		.offset = offsetof(type, member),          \
	}
#define SET_WITH(function, completion)                     \
	{                                                  \
		.take = (function), .words = (completion), \
	}

/* The row of --color */
#define OPTION_COLORS                                                        \
	{                                                                    \
		"color", 0, "WHEN",                                          \
			"use colors: auto, always or never (default: auto)", \
			SET_WITH(tool_take_color, "auto always never"), ~0U  \
	}

/* The row of --json of a command whose members are one bool */
#define OPTION_JSON(help)                  \
	{                                  \
		"json", 'j', NULL, help,   \
		{                          \
			.kind = TOOL_FLAG, \
		}                          \
	}

/* The tables of a command: rows, and offsets that are not 0 */
#define OPTION_TABLES(...)                   \
	((const struct tool_option_table[]){ \
		__VA_ARGS__,                 \
		{ 0 },                       \
	})

/* The value of --color */
int tool_take_color(void *member, const struct tool_argument *argument);

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
 * @members: the options of the command, which are set
 *
 * The other arguments start at argv[optind].
 *
 * Return: TOOL_OK; TOOL_HELPED if the help was printed and nothing else is to
 *         be done; TOOL_USAGE, or another error of an option, which is printed
 */
int tool_parse_common(const struct tool_command *command, void *members,
		      int argc, char **argv);

/*
 * tool_parse_checked() - Same, with checks of the options
 * @check: called for each option before it is set; or NULL
 */
int tool_parse_checked(const struct tool_command *command, void *members,
		       int argc, char **argv,
		       void (*check)(void *data,
				     const struct tool_option *option),
		       void *data);

#endif
