// SPDX-License-Identifier: MIT
#include "sink/stream.h"

#include <stdlib.h>

#include "tool.h"
#include "ui/out.h"

int stream_begin(struct sink *sink, const struct sink_options *options)
{
	struct stream *stream = tool_alloc(sizeof(*stream));

	stream->file = sink->file;
	stream->options = *options;
	stream->text.time.form = options->time;
	/* Called once, because it is a system call. */
	stream->text.has_color = !options->path && *out_begin(OUT_BOLD);
	sink->data = stream;

	return 0;
}

int stream_end_line(struct stream *stream, int ret)
{
	tool_append(&stream->one, "\n", 1);
	output_file_write(stream->file, stream->one.text, stream->one.size);

	return ret;
}

void stream_release(void *writer)
{
	struct stream *stream = writer;

	uev_output_release(&stream->one);
	query_names_clear(&stream->names);
	free(stream);
}
