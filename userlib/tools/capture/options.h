/* SPDX-License-Identifier: MIT */
/*
 * user-events: what the commands that collect have in common on their command
 * lines.
 */
#ifndef USER_EVENTS_CAPTURE_OPTIONS_H
#define USER_EVENTS_CAPTURE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "tool.h"

/*
 * struct capture_options - what to collect
 * @patterns: "[SYSTEM:]GLOB" each, the caller's; @pattern_count of them
 * @is_default: nobody named any, and they stand for all user_events
 * @command: what is to be run, ended by NULL; or NULL
 * @filter: of the kernel, for all events; or NULL
 * @pids: only these processes and what they begin; @pid_count of them
 * @cpus: only these processors; @cpu_count of them; none: all
 * @everywhere: with @command, what others do as well
 * @is_snapshot: the newest is kept
 * @has_names: what threads are called is to be known; the command's to set
 * @buffer_size: bytes for each processor; 0: as each command has it
 * @clockid: of the times, for uev_session_options
 *
 * Begin with CAPTURE_OPTIONS_INIT and end with capture_options_release().
 */
struct capture_options {
	const char *const *patterns;
	size_t pattern_count;
	bool is_default;
	char **command;
	const char *filter;
	pid_t *pids;
	size_t pid_count;
	unsigned int *cpus;
	size_t cpu_count;
	bool everywhere;
	bool is_snapshot;
	bool has_names;
	uint32_t buffer_size;
	int32_t clockid;
};

/* CLOCK_MONOTONIC keeps beside the wall clock. */
#define CAPTURE_OPTIONS_INIT \
	{                    \
		.clockid = 1 \
	}

/* For getopt_long(), in front of what a command has for itself. */
#define CAPTURE_SHORT_OPTIONS "f:p:C:m:h"
#define CAPTURE_OPTION(option, letter)                          \
	{                                                       \
		.name = (option), .has_arg = required_argument, \
		.val = (letter)                                 \
	}

/* Their help. @buffer_size is the default of the command, a string literal. */
#define CAPTURE_HELP(buffer_size)                                                 \
	"  -f, --filter FILTER      trace only events that pass FILTER\n"         \
	"  -p, --pid PID[,PID...]   trace only these processes and their "        \
	"children\n"                                                              \
	"  -C, --cpu LIST           trace only these processors, such as 0-3,6\n" \
	"  -m, --buffer-size SIZE   use SIZE bytes per processor, such as 1M "    \
	"(default:\n"                                                             \
	"                           " buffer_size ")\n"

/*
 * capture_parse_option() - takes one of these options
 * @option: what getopt_long() returned, but 'h'
 * @argument: what belongs to it
 * Return: TOOL_OK; TOOL_USAGE, and that was said, for a bad argument, and for
 * an option that is not among them, as getopt_long() has said
 */
int capture_parse_option(const struct tool_command *command, int option,
			 const char *argument, struct capture_options *options);

/*
 * capture_split_command() - finds what follows "--"
 * @argc: what is in front of it remains
 * Return: TOOL_OK; TOOL_USAGE, and that was said, for "--" and nothing
 */
int capture_split_command(const struct tool_command *command, int *argc,
			  char **argv, struct capture_options *options);

/*
 * capture_set_patterns() - takes the rest of the arguments for events
 * Return: TOOL_OK; TOOL_USAGE, and that was said, for what is no pattern, and
 * options that contradict each other
 */
int capture_set_patterns(const struct tool_command *command, int argc,
			 char **argv, struct capture_options *options);

/* Whether @system:@name is one that @pattern stands for. */
bool capture_matches(const char *pattern, const char *system, const char *name);

void capture_options_release(struct capture_options *options);

#endif
