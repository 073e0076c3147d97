/* SPDX-License-Identifier: MIT */
/* user-events: formats that write each record independently, and files of others. */
#ifndef USER_EVENTS_SINK_STREAM_H
#define USER_EVENTS_SINK_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "formats/record_text.h"
#include "pipe/sink.h"
#include "query/names.h"
#include "sink/output_file.h"

/*
 * struct stream - State of such a format
 * @text: options of lines
 * @one: output of the current record
 * @has_records: a record of this file was written
 * @has_files: a file was started
 * @names: of files in JSON
 */
struct stream {
	struct output_file *file;
	struct sink_options options;
	struct record_text text;
	struct uev_output one;
	bool has_records;
	bool has_files;
	struct query_names names;
};

/*
 * stream_new() - Opens the output of a format
 * @size: bytes of its struct, which are set to zeros, and of which the file is the
 *        first member
 * Return: 0, or an error of open(2)
 */
int stream_new(void **writer, size_t size, const struct sink_options *options);

/* Members of struct sink_ops for such a struct */
int stream_error(void *writer);
uint64_t stream_unwritten(void *writer);
void stream_flush(void *writer);
int stream_finish(void *writer);
void stream_discard(void *writer);

/* Those for a struct stream */
int stream_begin(void **writer, const struct sink_options *options);
void stream_release(void *writer);

/* For a format that has no other functions than begin_part(), record() and loss() */
#define STREAM_OPS                                            \
	.begin = stream_begin, .error = stream_error,         \
	.unwritten = stream_unwritten, .flush = stream_flush, \
	.finish = stream_finish, .discard = stream_discard,   \
	.release = stream_release

/* Writes the line in @one. Return: @ret, the error of the record */
int stream_end_line(struct stream *stream, int ret);

#endif
