/* SPDX-License-Identifier: MIT */
/* user-events: options of the commands that collect records. */
#ifndef USER_EVENTS_CAPTURE_OPTIONS_H
#define USER_EVENTS_CAPTURE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

#include "capture/pids.h"
#include "query/select.h"
#include "ui/options.h"
#include "tool.h"

/*
 * struct capture_options - What to collect
 * @patterns: @pattern_count of "[SYSTEM:]GLOB", owned by the caller
 * @takes_command: a command may follow "--"; set by the command
 * @takes_files: without a command and @duration, @patterns are paths of files;
 *        set by the command
 * @is_default: no pattern was given, and @patterns is all user_events
 * @command: the command to run, terminated by NULL; or NULL
 * @filter: filter of the kernel for all events; or NULL
 * @pids: processes to collect from, with their children
 * @elfs: files whose events are registered at the start
 * @cgroup_fd: directory of a control group to collect from, or -1
 * @cpus: @cpu_count processors to collect from; none: all
 * @everywhere: with @command, collect from other processes, too
 * @is_snapshot: keep the newest @snapshot_size bytes of records; 0: 4 MiB
 * @has_names: collect names of threads; set by the command
 * @stacks: UEV_SESSION_STACKS, UEV_SESSION_KERNEL_STACKS, or both, to collect
 *        stacks; set by the command
 * @buffer_size: bytes per processor; 0: default of the command
 * @clockid: clock of the records, for uev_session_options
 * @duration: milliseconds until the capture stops; 0: no limit
 *
 * Initialized with CAPTURE_OPTIONS_INIT and released with
 * capture_options_release().
 */
struct capture_options {
	const char *const *patterns;
	size_t pattern_count;
	bool takes_command;
	bool takes_files;
	bool is_default;
	char **command;
	const char *filter;
	struct capture_pids pids;
	struct query_list elfs;
	int cgroup_fd;
	unsigned int *cpus;
	size_t cpu_count;
	bool everywhere;
	bool is_snapshot;
	uint64_t snapshot_size;
	bool has_names;
	unsigned int stacks;
	uint64_t buffer_size;
	int32_t clockid;
	uint64_t duration;
};

/* 1 is CLOCK_MONOTONIC, which is adjusted with the wall clock. */
#define CAPTURE_OPTIONS_INIT                  \
	{                                     \
		.clockid = 1, .cgroup_fd = -1 \
	}

/* Limit of the buffer of a processor */
#define CAPTURE_BUFFER_SIZE_MAX (UINT64_C(1) << 30)

/*
 * The options that all these commands have, of a struct capture_options, besides
 * --buffer-size, whose default differs: a string literal
 */
extern const struct tool_option capture_option_rows[];
#define CAPTURE_BUFFER_SIZE(type, options, size)                                   \
	{                                                                          \
		"buffer-size", 'm', "SIZE",                                        \
			"use SIZE bytes per processor, such as 1M (default: " size \
			")",                                                       \
			SET_SIZE(type, options.buffer_size, 1,                     \
				 CAPTURE_BUFFER_SIZE_MAX)                          \
	}

/*
 * capture_parse() - Parses the arguments of a command
 * @members: the options of the command
 * @options: of them, in which the patterns and the command are set
 * Return: as tool_parse_common(); also TOOL_USAGE for an invalid pattern and
 *         for "--" without a command, which are printed
 */
int capture_parse(const struct tool_command *command, void *members, int argc,
		  char **argv, struct capture_options *options);

/* The value of --stacks: @stacks of the options. Without argument: user */
int capture_take_stacks(void *stacks, const struct tool_argument *argument);

/* The value of --snapshot, a struct capture_options */
int capture_take_snapshot(void *member, const struct tool_argument *argument);

/* Tests whether the arguments are files, as @takes_files says. */
bool capture_has_files(const struct capture_options *options);

/* Tests for "[SYSTEM:]NAME" without empty parts. */
bool capture_is_pattern(const char *text);

/*
 * capture_session_options() - Sets the options of a session
 * @command: process of the command; 0 without one. Used by the session.
 */
void capture_session_options(struct uev_session_options *session,
			     const struct capture_options *options,
			     const pid_t *command);

/*
 * capture_follows() - Tests whether only some processes and their children are
 * captured
 */
bool capture_follows(const struct capture_options *options);

/*
 * capture_sees_all() - Tests whether all records are captured, as the module counts
 * them
 */
bool capture_sees_all(const struct capture_options *options);

/* capture_is_selected() - Tests whether a pattern selects the user event @name */
bool capture_is_selected(const struct capture_options *options,
			 const char *name);

void capture_options_release(struct capture_options *options);

#endif
