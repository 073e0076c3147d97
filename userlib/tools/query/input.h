/* SPDX-License-Identifier: MIT */
/* user-events: options of the commands that summarize records. */
#ifndef USER_EVENTS_QUERY_INPUT_H
#define USER_EVENTS_QUERY_INPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/options.h"
#include "query/read.h"
#include "query/select.h"

/* Minimum of --interval, in milliseconds. */
#define QUERY_INTERVAL_MIN_MS 10

/*
 * struct query_input - Where records come from, and when results are printed;
 * initialized with QUERY_INPUT_INIT, released with query_input_release()
 * @live: the session
 * @select: which records
 * @files: arguments of --read; none: the session
 * @interval: milliseconds between two results; 0: only one at the end
 * @is_json: the output is JSON
 * @has_selection: an option of @select was given
 */
struct query_input {
	struct capture_options live;
	struct query_select select;
	struct query_list files;
	uint64_t interval;
	bool is_json;
	bool has_selection;
};

#define QUERY_INPUT_INIT                                                   \
	{                                                                  \
		.live = CAPTURE_OPTIONS_INIT, .select = QUERY_SELECT_INIT, \
	}

/*
 * query_input_parse() - Parses the arguments of a command
 * @names: the options that only this command has, without letters
 * @take: takes one of them
 * @data: first argument of @take
 * Return: as capture_parse()
 */
int query_input_parse(struct query_input *input,
		      const struct tool_command *command,
		      const struct option *names,
		      int (*take)(void *data, int option, const char *argument),
		      void *data, int argc, char **argv);

/*
 * query_input_read() - Reads the files or the session
 * Return: as query_read_files() and query_read_live()
 */
int query_input_read(struct query_input *input, struct query_reader *reader);

void query_input_release(struct query_input *input);

#endif
