/* SPDX-License-Identifier: MIT */
/*
 * user-events: what becomes of records: a format, a file, a result.
 *
 * A sink is one file in sink/, or in the folder of its object, with one struct
 * sink_ops. A format is also a row of SINK_FORMATS in sink/formats.h.
 */
#ifndef USER_EVENTS_PIPE_SINK_H
#define USER_EVENTS_PIPE_SINK_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/format.h"
#include "formats/record_time.h"
#include "pipe/output_file.h"
#include "query/columns.h"

/*
 * struct sink_options - Options of a format
 * @path: output path; NULL is standard output, if supported
 * @lines: JSON has one object per line
 * @is_live: the records are of a running session: a slow reader is waited for,
 *        and JSON has lines about too long records
 * @time: the form of times; json supports dates in UTC and times of the clock
 * @columns: for the formats that have columns; owned by the caller
 */
struct sink_options {
	const char *path;
	bool lines;
	bool is_live;
	enum record_time_form time;
	struct query_columns *columns;
};

struct sink;

/*
 * struct sink_ops - The functions of a sink. The driver, pipe_run(), calls them
 * in this order. All can be NULL, except @begin of a format.
 * @name: name of a format for --format
 * @begin: creates a format, for the file of the sink: sets @data of the sink, the
 * first argument of the others.
 * Return: 0 or -errno, without a message. Not called by the driver.
 * @begin_part: starts the records of a file or of a session, called @name
 * @poll: called before records are read.
 * Return: false to leave them in their buffers
 * @record: takes a record; @decoder is any decoder.
 * Return: 0, or an error of uev_decoder_next(); then the part before the error
 * is taken
 * @loss: takes lost records, in the order of time among records. Without it, the
 * driver prints the sum at the end.
 * @flush: called after the records that were ready, or after each; the driver then
 * writes the file
 * @tick: called when an interval has passed
 * @drain: the session has stopped; its last records follow
 * @end_part: ends the records
 * @finish: completes the output and prints the result.
 * Return: 0; -errno of the output, not printed; an exit status, printed
 * @discard: called in place of @finish if there is no result: removes an output
 * other than the file
 * @release: called after either: frees a format, which is not used any more
 * The rest is for formats:
 * @summary: what it is, for the help
 * @has_rows: --fields selects columns, in @style
 * @has_stacks: it has the calls that lead to events
 * @is_columns: it has nothing but columns
 * @style: of rows of columns
 * @times: forms of --time besides utc, bits of 1 << enum record_time_form
 * @times_text: the same for a message; NULL: "utc only"
 * @is_single: supports only one part
 * @needs_path: requires a path, where it creates its output itself
 * @is_binary: its output is not for terminals
 */
struct sink_ops {
	const char *name;
	int (*begin)(struct sink *sink, const struct sink_options *options);
	void (*begin_part)(void *data, const char *name);
	bool (*poll)(void *data);
	int (*record)(void *data, struct uev_decoder *decoder,
		      const struct format_record *record);
	void (*loss)(void *data, const struct format_loss *loss);
	void (*flush)(void *data);
	void (*tick)(void *data);
	void (*drain)(void *data);
	void (*end_part)(void *data);
	int (*finish)(void *data);
	void (*discard)(void *data);
	void (*release)(void *data);
	const char *summary;
	bool has_rows;
	bool has_stacks;
	bool is_columns;
	enum query_style style;
	unsigned int times;
	const char *times_text;
	bool is_single;
	bool needs_path;
	bool is_binary;
};

/*
 * struct sink - A sink in a pipe; initialized by its command
 * @next: the next sink of the pipe
 * @ops: its functions
 * @data: their first argument
 * @path: of the output, for messages; NULL: standard output
 * @file: the output of a format; the driver completes or removes it. NULL: none
 * @error: set by the sink: 0, or -errno of an output other than @file
 * @is_full: set by the sink when it takes no more records; the pipe ends
 * @is_over: set by the sink to stop a session; its last records follow
 * @status: set by the sink, other than TOOL_OK, after an error that it has
 *        printed; the pipe ends with this exit status
 */
struct sink {
	struct sink *next;
	const struct sink_ops *ops;
	void *data;
	const char *path;
	struct output_file *file;
	int error;
	bool is_full;
	bool is_over;
	int status;
};

#endif
