/* SPDX-License-Identifier: MIT */
/* user-events: options of the commands that summarize records. */
#ifndef USER_EVENTS_SOURCE_INPUT_H
#define USER_EVENTS_SOURCE_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/options.h"
#include "pipe/pipe.h"
#include "query/select.h"

/* Minimum of --interval, in milliseconds. */
#define SOURCE_INTERVAL_MIN_MS 10

/*
 * struct source_input - Where records come from, and when results are printed;
 * initialized with SOURCE_INPUT_INIT, released with source_input_release()
 * @live: the session
 * @select: which records
 * @files: arguments of --read, and those of the command if @live takes files;
 *        none: the session
 * @interval: milliseconds between two results; 0: only one at the end
 * @is_json: the output is JSON
 * @has_selection: an option of @select was given
 */
struct source_input {
	struct capture_options live;
	struct query_select select;
	struct query_list files;
	uint64_t interval;
	bool is_json;
	bool has_selection;
};

#define SOURCE_INPUT_INIT                                                  \
	{                                                                  \
		.live = CAPTURE_OPTIONS_INIT, .select = QUERY_SELECT_INIT, \
	}

/*
 * source_input_parse() - Parses the arguments of a command
 * @take: takes an option that only this command has
 * @data: first argument of @take
 * Return: as capture_parse()
 */
int source_input_parse(struct source_input *input,
		       const struct tool_command *command,
		       int (*take)(void *data, int option,
				   const char *argument),
		       void *data, int argc, char **argv);

/*
 * source_input_check() - Tests the options
 *
 * Patterns of events and --pid select records of files.
 *
 * Return: TOOL_OK; TOOL_USAGE for files and an option that needs a session, and
 *         an error is printed
 */
int source_input_check(struct source_input *input,
		       const struct tool_command *command);

/* source_input_open() - Sets the source, selection and interval of a pipe */
void source_input_open(struct source_input *input, struct pipe *pipe);

void source_input_release(struct source_input *input);

#endif
