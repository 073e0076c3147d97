/* SPDX-License-Identifier: MIT */
/* user-events: records of perf.data and trace.dat files. */
#ifndef USER_EVENTS_SOURCE_FILES_H
#define USER_EVENTS_SOURCE_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "pipe/source.h"

/*
 * struct source_files_options - Which files, and how
 * @names: @count paths, at least one, owned by the caller; "-" is standard input
 * @is_merged: all files are one part, ordered by time; otherwise each is a part
 * @has_progress: show a progress bar on standard error
 * @ends_at_signals: INT, TERM and HUP end the source, so that output files can
 *        be removed
 */
struct source_files_options {
	const char *const *names;
	size_t count;
	bool is_merged;
	bool has_progress;
	bool ends_at_signals;
};

/*
 * source_files_new() - Creates a source
 *
 * A malformed file without any record is a failure. Up to 20 problems of a part
 * are printed. With @ends_at_signals, only one source can exist.
 *
 * Return: the source, freed by its close()
 */
struct source *source_files_new(const struct source_files_options *options);

/*
 * source_files_check_output() - Tests that an output replaces none of the inputs,
 * under any name
 * @path: of the output; NULL or "-": standard output
 * @names: as in struct source_files_options
 * Return: TOOL_OK; TOOL_FAILED, and the error is printed
 */
int source_files_check_output(const char *path, const char *const *names,
			      size_t count);

#endif
