/* SPDX-License-Identifier: MIT */
/*
 * user-events: functions for all commands.
 *
 * A command is one file, commands/NAME.c, with one function. It receives its
 * arguments as main() does, prints errors to standard error and returns an exit
 * status.
 */
#ifndef USER_EVENTS_TOOL_H
#define USER_EVENTS_TOOL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "memory.h"

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * enum tool_status - Exit status of the program
 * @TOOL_OK: success
 * @TOOL_FAILED: failure: no permission, no user_events, disk full
 * @TOOL_USAGE: invalid arguments
 * @TOOL_NOT_FOUND: no such event
 * @TOOL_INCOMPLETE: success, but records were lost, or parts of a file were
 *        malformed
 * @TOOL_HELPED: success: the help was printed; the program exits with TOOL_OK
 *
 * record and stat exit with the status of their command if it fails.
 */
enum tool_status {
	TOOL_OK = 0,
	TOOL_FAILED = 1,
	TOOL_USAGE = 2,
	TOOL_NOT_FOUND = 3,
	TOOL_INCOMPLETE = 4,
	TOOL_HELPED = -1,
};

/*
 * struct tool_argument - An option as it was given
 * @command: to which
 * @option: its row
 * @text: its argument; NULL: none
 */
struct tool_argument {
	const struct tool_command *command;
	const struct tool_option *option;
	const char *text;
};

/*
 * struct tool_value - What becomes of the argument of an option
 * @kind: type of the member at @offset, which it sets; TOOL_TAKEN: @take does
 * @offset: in the struct of the table, see struct tool_option_table
 * @min, @max: range of a number, of bytes or of milliseconds
 * @bits: set in the member, or its value, or for @take
 * @words: what completes it, separated by spaces: words, @file or @event. The
 *        member gets the index of the word, which must be one of these. NULL:
 *        nothing
 * @take: takes the argument for the member; returns TOOL_OK, or another exit
 *        status after it printed what is wrong
 *
 * Initialized with the macros of ui/options.h.
 */
struct tool_value {
	enum tool_kind {
		TOOL_TAKEN = 0,
		TOOL_FLAG,
		TOOL_BITS,
		TOOL_VALUE,
		TOOL_TEXT,
		TOOL_NUMBER,
		TOOL_SIZE,
		TOOL_TIME,
		TOOL_WORD,
	} kind;
	size_t offset;
	uint64_t min;
	uint64_t max;
	unsigned int bits;
	const char *words;
	int (*take)(void *member, const struct tool_argument *argument);
};

/*
 * struct tool_option - A row of the table of options, from which come the
 * parser, the help and the completion
 * @name: name; NULL: the row is a title, in @help, of the rows that follow
 * @letter: its letter, or 0
 * @argument: its argument in the help; in brackets if it can be left out; NULL:
 *        none
 * @help: what it does; a line that starts with spaces after a newline keeps them
 * @value: what becomes of its argument
 * @actions: for a command with actions: bits 1 << ACTION of those that have the
 *        option; 0: the default of the command
 */
struct tool_option {
	const char *name;
	int letter;
	const char *argument;
	const char *help;
	struct tool_value value;
	unsigned int actions;
};

/*
 * struct tool_option_table - Options that set members of one struct
 * @rows: the last one is zeros
 * @offset: of that struct in the options of the command
 */
struct tool_option_table {
	const struct tool_option *rows;
	size_t offset;
};

/*
 * struct tool_command - A row of the table of commands
 * @name: first argument of the program
 * @arguments: the other arguments, for the first line of the help
 * @summary: what the command does, an imperative
 * @help: the rest of the help, in lines of at most 80 columns
 * @options: tables of options, besides --help; the last one is zeros. NULL: none
 * @formats: appends the formats to the help of --format, each after a newline;
 *        or NULL
 * @notes: the end of the help, or NULL
 * @has_first_argument: options end before the first other argument
 * @changes_events: it does so, or writes records, with the rights of the caller
 * @run: runs the command; argv[0] is @name
 */
struct tool_command {
	const char *name;
	const char *arguments;
	const char *summary;
	const char *help;
	const struct tool_option_table *options;
	void (*formats)(struct uev_output *to);
	const char *notes;
	bool has_first_argument;
	bool changes_events;
	int (*run)(int argc, char **argv);
};

extern const struct tool_command command_add;
extern const struct tool_command command_count;
extern const struct tool_command command_decode;
extern const struct tool_command command_del;
extern const struct tool_command command_doctor;
extern const struct tool_command command_export;
extern const struct tool_command command_flight;
extern const struct tool_command command_latency;
extern const struct tool_command command_list;
extern const struct tool_command command_record;
extern const struct tool_command command_reload;
extern const struct tool_command command_report;
extern const struct tool_command command_serve;
extern const struct tool_command command_show;
extern const struct tool_command command_stat;
extern const struct tool_command command_top;
extern const struct tool_command command_users;
extern const struct tool_command command_watch;
extern const struct tool_command command_write;

/*
 * tool_usage() - Reports invalid arguments and points to the help
 * @format: as for printf(); NULL if getopt_long() has printed the error
 *
 * Return: TOOL_USAGE
 */
__attribute__((__format__(__printf__, 2, 3))) int
tool_usage(const struct tool_command *command, const char *format, ...);

/*
 * tool_invalid() - Reports that the argument of an option is not what it must be
 * @format: as for printf(): what it must be
 *
 * Return: TOOL_USAGE
 */
__attribute__((__format__(__printf__, 2, 3))) int
tool_invalid(const struct tool_argument *argument, const char *format, ...);

/*
 * tool_error() - Prints "user-events: MESSAGE" to standard error
 * @format: as for printf(), "OBJECT: PROBLEM"
 */
__attribute__((__format__(__printf__, 1, 2))) void
tool_error(const char *format, ...);

/*
 * tool_hint() - Prints how to fix the last error, on an indented line
 * @format: as for printf(), an imperative
 */
__attribute__((__format__(__printf__, 1, 2))) void tool_hint(const char *format,
							     ...);

/*
 * tool_error_of() - Prints an error with the description of an errno
 * @error: a negative errno of libuserevents or of the kernel; -EPIPE, of a
 *        closed pipe, is not printed
 * Return:
 *        TOOL_FAILED, also for -ENOENT: a missing file is a failure, and only
 *        the commands know about missing events
 */
__attribute__((__format__(__printf__, 2, 3))) int
tool_error_of(int error, const char *format, ...);

/*
 * tool_join() - Appends a separator unless the text is empty, and an item
 * @format: as for printf()
 */
__attribute__((__format__(__printf__, 3, 4))) void
tool_join(struct uev_output *list, const char *separator, const char *format,
	  ...);

/* Appends an item to a list whose separator is ", " */
#define tool_list_add(list, ...) tool_join((list), ", ", __VA_ARGS__)

/*
 * tool_number() - Parses a number
 * @text: decimal digits only
 * Return: whether it is valid and from @min to @max
 */
bool tool_number(const char *text, uint64_t min, uint64_t max,
		 uint64_t *number);

/* Parses two hexadecimal digits. Return: whether they are valid */
bool tool_hex(const char *text, uint8_t *byte);

/*
 * tool_size() - Parses a size: digits and an optional K, M or G
 * Return: whether it is valid and at least 1 byte
 */
bool tool_size(const char *text, uint64_t *bytes);

/* Limit of tool_time(): 1000 days in milliseconds */
#define TOOL_TIME_MAX (1000.0 * 24 * 3600 * 1000)

/*
 * tool_time() - Parses a time: a decimal number and an optional ms, s, m, h or d
 * Return: whether it is valid and at least 1 ms
 */
bool tool_time(const char *text, uint64_t *milliseconds);

/* Returns milliseconds of a monotonic clock. */
uint64_t tool_now(void);

/*
 * Returns milliseconds that the thread has run. Those in which it waits for the
 * kernel, or in which the machine is suspended, do not count.
 */
uint64_t tool_cpu_time(void);

/* Tells whether the program was started to ignore SIGHUP, as by nohup(1). */
bool tool_ignores_hangup(void);

#endif
