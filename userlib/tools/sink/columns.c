// SPDX-License-Identifier: MIT
/* user-events decode: rows of columns. */
#include "sink/formats.h"
#include "sink/stream.h"
#include "tool.h"

static void begin_part(void *writer, const char *name)
{
	struct stream *stream = writer;

	(void)name;
	stream->options.columns->time.has_first = false;
	stream->one.size = 0;
	if (!stream->has_files)
		query_columns_append_titles(stream->options.columns,
					    &stream->one);
	stream->has_files = true;
	output_file_write(stream->file, stream->one.text, stream->one.size);
}

static int write_record(void *writer, struct uev_decoder *decoder,
			const struct format_record *record)
{
	struct stream *stream = writer;
	int ret;

	stream->one.size = 0;
	ret = query_columns_append(stream->options.columns, &stream->one,
				   decoder, record);

	return stream_end_line(stream, ret);
}

static void write_loss(void *writer, const struct format_loss *loss)
{
	struct stream *stream = writer;

	stream->one.size = 0;
	if (!query_columns_append_loss(stream->options.columns, &stream->one,
				       loss))
		return;
	tool_append(&stream->one, "\n", 1);
	output_file_aside(stream->file, &stream->one);
}

#define COLUMNS_OPS                                                            \
	.begin = stream_begin, .begin_part = begin_part,                       \
	.record = write_record, .loss = write_loss, .release = stream_release, \
	.has_rows = true, .is_columns = true, .times = SINK_ANY_TIME

/* Also text and JSON with --fields: the style is that of the columns. */
const struct sink_ops sink_csv = {
	.name = "csv",
	.summary = "one row per record, with titles",
	.style = QUERY_STYLE_CSV,
	COLUMNS_OPS,
};

const struct sink_ops sink_logfmt = {
	.name = "logfmt",
	.summary = "one line of KEY=VALUE per record",
	.style = QUERY_STYLE_LOGFMT,
	COLUMNS_OPS,
};
