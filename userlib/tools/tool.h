/* SPDX-License-Identifier: MIT */
/*
 * user-events: what all of its commands share.
 *
 * A command is one file, commands/NAME.c, with one function. It gets its own
 * arguments as main() does, says what is wrong in one line on standard error,
 * and returns an exit status.
 */
#ifndef USER_EVENTS_TOOL_H
#define USER_EVENTS_TOOL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/*
 * enum tool_status - what the program ends with
 * @TOOL_OK: all that was asked for
 * @TOOL_FAILED: something did not work: no rights, no user_events, disk full
 * @TOOL_USAGE: the arguments make no sense
 * @TOOL_NOT_FOUND: there is no such event
 * @TOOL_INCOMPLETE: done, but records were lost, or parts of a file were bad
 *
 * record and stat end as the command does that they begin, if that fails.
 */
enum tool_status {
	TOOL_OK = 0,
	TOOL_FAILED = 1,
	TOOL_USAGE = 2,
	TOOL_NOT_FOUND = 3,
	TOOL_INCOMPLETE = 4,
};

/*
 * struct tool_command - a row of the table of commands
 * @name: what a person types
 * @arguments: what follows it, for the first line of its help
 * @summary: what it does, in a few words
 * @help: the rest of its help, lines of at most 80 columns
 * @run: does it; argv[0] is @name
 */
struct tool_command {
	const char *name;
	const char *arguments;
	const char *summary;
	const char *help;
	int (*run)(int argc, char **argv);
};

extern const struct tool_command command_add;
extern const struct tool_command command_decode;
extern const struct tool_command command_del;
extern const struct tool_command command_doctor;
extern const struct tool_command command_list;
extern const struct tool_command command_record;
extern const struct tool_command command_show;
extern const struct tool_command command_stat;
extern const struct tool_command command_top;
extern const struct tool_command command_watch;

/*
 * tool_usage() - what to return for an option that getopt_long() did not know,
 * and of which it has said so, or for arguments that are too few or too many
 * @format: what is wrong, as for printf(); NULL where getopt_long() said it
 * Return: TOOL_USAGE, having said where the help is
 */
__attribute__((__format__(__printf__, 2, 3))) int
tool_usage(const struct tool_command *command, const char *format, ...);

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
 * tool_error_of() - the same, with what an error means behind it
 * @error: a negative errno of libuserevents or of the kernel
 * Return: TOOL_FAILED, or TOOL_NOT_FOUND for -ENOENT never: a missing file is a
 * failure, and only the commands know that a missing event is none
 */
__attribute__((__format__(__printf__, 2, 3))) int
tool_error_of(int error, const char *format, ...);

/*
 * Memory, which is there: without it the program says so and ends with
 * TOOL_FAILED, and what is registered with atexit() runs.
 */
void *tool_alloc(size_t size); /* all zero */
void *tool_grow(void *memory, size_t size);
char *tool_copy(const char *text);

/* As asprintf() and vasprintf() do; the caller's to free(). */
__attribute__((__format__(__printf__, 1, 2))) char *
tool_print(const char *format, ...);
__attribute__((__format__(__printf__, 1, 0))) char *
tool_vprint(const char *format, va_list arguments);

/* Does nothing unless @ret, of a function that needs memory, is -ENOMEM. */
void tool_need(int ret);

/*
 * tool_number() - reads a number of arguments
 * @text: decimal digits, and nothing else
 * Return: whether it is one from @min to @max
 */
bool tool_number(const char *text, uint64_t min, uint64_t max,
		 uint64_t *number);

/*
 * tool_size() - reads a size: digits and maybe K, M or G
 * Return: whether it is one, of at least 1 byte
 */
bool tool_size(const char *text, uint64_t *bytes);

#endif
