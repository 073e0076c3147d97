/* SPDX-License-Identifier: MIT */
/* user-events decode: formats that write each record independently. */
#ifndef USER_EVENTS_FORMATS_STREAM_H
#define USER_EVENTS_FORMATS_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "formats/format.h"
#include "formats/output_file.h"
#include "formats/record_text.h"

/*
 * struct stream - State of such a format
 * @text: options of lines
 * @one: output of the current record
 * @has_records: a record of this file was written
 * @has_files: a file was started
 */
struct stream {
	struct output_file *file;
	struct format_options options;
	struct record_text text;
	struct uev_output one;
	bool has_records;
	bool has_files;
};

/* Members of struct format_ops. */
int stream_begin(void **writer, const struct format_options *options);
/* Writes nothing at the end of a file. */
void stream_end_file(void *writer, uint64_t lost);
int stream_error(void *writer);
int stream_flush(void *writer);
int stream_finish(void *writer);
void stream_discard(void *writer);

/* For a format that has no other functions than begin_file() and record() */
#define STREAM_OPS                                                             \
	.begin = stream_begin, .end_file = stream_end_file,                    \
	.error = stream_error, .flush = stream_flush, .finish = stream_finish, \
	.discard = stream_discard

/* Writes the line in @one. Return: @ret, the error of the record */
int stream_end_line(struct stream *stream, int ret);

/* Returns the record with times as in the options; @copy holds it. */
const struct format_record *stream_record(const struct stream *stream,
					  const struct format_record *record,
					  struct format_record *copy);

#endif
