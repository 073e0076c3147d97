/* SPDX-License-Identifier: MIT */
/* user-events: formats that write each record independently. */
#ifndef USER_EVENTS_SINK_STREAM_H
#define USER_EVENTS_SINK_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "formats/record_text.h"
#include "pipe/sink.h"
#include "query/names.h"
#include "pipe/output_file.h"

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

/* Members of struct sink_ops for such a format */
int stream_begin(struct sink *sink, const struct sink_options *options);
void stream_release(void *writer);

/* Writes the line in @one. Return: @ret, the error of the record */
int stream_end_line(struct stream *stream, int ret);

#endif
