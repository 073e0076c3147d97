/* SPDX-License-Identifier: MIT */
/* user-events: selected records of files or of a session, for a summary. */
#ifndef USER_EVENTS_QUERY_READ_H
#define USER_EVENTS_QUERY_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/options.h"
#include "formats/format.h"
#include "query/select.h"

/*
 * struct query_reader - What to do with the records
 * @select: which records
 * @take: takes a record; @decoder is any decoder
 * @end_file: called after the last record of each file, or of the session
 * @show: shows the result so far; or NULL
 * @interval: milliseconds between two calls of @show; 0: none
 * @data: first argument of the functions
 * @seconds: set to the time between the first and last record, or of the
 *           session
 * @lost: set to the number of lost records
 * @has_result: set if a file or a session was read, whatever the exit status:
 *              that can be the status of the command, or of other files
 */
struct query_reader {
	struct query_select *select;
	void (*take)(void *data, struct uev_decoder *decoder,
		     const struct format_record *record);
	void (*end_file)(void *data);
	void (*show)(void *data);
	uint64_t interval;
	void *data;
	double seconds;
	uint64_t lost;
	bool has_result;
};

/*
 * query_read_files() - Reads files
 * Return: an exit status, TOOL_INCOMPLETE if files differ; errors are printed
 */
int query_read_files(struct query_reader *reader, const char *const *names,
		     size_t count);

/*
 * query_read_live() - Records until a signal, or until the command exits
 * Return: an exit status; errors are printed
 */
int query_read_live(struct query_reader *reader,
		    struct capture_options *options);

/*
 * query_read_files_check() - Tests the arguments of a command that reads files
 *
 * Patterns of events and --pid select records of the files.
 *
 * Return: TOOL_OK; TOOL_USAGE for arguments that need a session, and an error
 *         is printed
 */
int query_read_files_check(const struct tool_command *command,
			   const struct capture_options *options,
			   struct query_select *select);

#endif
