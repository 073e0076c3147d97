// SPDX-License-Identifier: MIT
/* user-events decode: rows of columns. */
#include "formats/stream.h"
#include "query/columns.h"
#include "tool.h"

static void begin_file(void *writer, const char *name)
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

const struct format_ops query_format_columns = {
	.name = "columns",
	STREAM_OPS,
	.begin_file = begin_file,
	.record = write_record,
};
