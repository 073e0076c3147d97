// SPDX-License-Identifier: MIT
/* user-events decode: JSON, one object per record. */
#include <errno.h>
#include <string.h>

#include "formats/loss.h"
#include "sink/formats.h"
#include "sink/stream.h"
#include "tool.h"

static void begin_part(void *writer, const char *name)
{
	struct stream *stream = writer;

	if (stream->options.lines)
		return;
	/* Another file can have the same name. */
	name = query_names_add(&stream->names, name, strlen(name));
	stream->one.size = 0;
	tool_put_quoted(&stream->one, name, strlen(name));
	output_file_text(stream->file, stream->has_files ? ",\n" : "{\n");
	output_file_write(stream->file, stream->one.text, stream->one.size);
	output_file_text(stream->file, ": [");
	stream->has_files = true;
	stream->has_records = false;
}

/* Writes the object in @one. */
static void write_one(struct stream *stream)
{
	bool lines = stream->options.lines;

	if (!lines)
		output_file_text(stream->file,
				 stream->has_records ? ",\n  " : "\n  ");
	output_file_write(stream->file, stream->one.text, stream->one.size);
	if (lines)
		output_file_text(stream->file, "\n");
	stream->has_records = true;
}

static int write_record(void *writer, struct uev_decoder *decoder,
			const struct format_record *record)
{
	struct stream *stream = writer;
	bool lines = stream->options.lines;
	struct format_record copy = *record;
	int ret;

	if (stream->options.time == RECORD_TIME_CLOCK)
		copy.clock = NULL;
	stream->one.size = 0;
	ret = format_append_json(
		&stream->one, decoder, &copy, lines ? UEV_JSON_COMPACT : 0,
		UEV_META_DEFAULT |
			(stream->options.is_live ? 0 : UEV_META_OPTIONS));
	/* An object that would be too long is left out of a file. */
	if (!stream->one.size && ret == -E2BIG && stream->options.is_live)
		tool_put(&stream->one,
			 "{\"error\":{\"reason\":\"record too long\"}}");
	if (!stream->one.size)
		return ret;
	write_one(stream);

	return ret;
}

static void write_loss(void *writer, const struct format_loss *loss)
{
	struct stream *stream = writer;
	struct format_loss copy = *loss;

	if (stream->options.time == RECORD_TIME_CLOCK)
		copy.clock = NULL;
	stream->one.size = 0;
	loss_append_json(&stream->one, &copy);
	if (!stream->options.lines) {
		write_one(stream);
		return;
	}
	tool_append(&stream->one, "\n", 1);
	output_file_aside(stream->file, &stream->one);
}

static void end_part(void *writer)
{
	struct stream *stream = writer;

	if (!stream->options.lines)
		output_file_text(stream->file, " ]");
}

static int finish(void *writer)
{
	struct stream *stream = writer;

	if (!stream->options.lines)
		output_file_text(stream->file,
				 stream->has_files ? "\n}\n" : "{ }\n");

	return 0;
}

const struct sink_ops sink_json = {
	.name = "json",
	.summary = "one object per record",
	.has_stacks = true,
	.has_rows = true,
	.style = QUERY_STYLE_JSON,
	.times = SINK_CLOCK_TIME,
	.times_text = "utc and clock only without --fields",
	.begin = stream_begin,
	.begin_part = begin_part,
	.record = write_record,
	.loss = write_loss,
	.end_part = end_part,
	.finish = finish,
	.release = stream_release,
};
