// SPDX-License-Identifier: MIT
#include "sink/stream.h"

#include <stdlib.h>

#include "tool.h"
#include "ui/out.h"

int stream_new(void **writer, size_t size, const struct sink_options *options)
{
	struct output_file *file;
	int ret = output_file_open(&file, options->path, NULL);

	if (ret)
		return ret;
	if (options->is_live)
		output_file_wait_for_reader(file);
	*writer = tool_alloc(size);
	*(struct output_file **)*writer = file;

	return 0;
}

int stream_begin(void **writer, const struct sink_options *options)
{
	struct stream *stream;
	int ret = stream_new(writer, sizeof(*stream), options);

	if (ret)
		return ret;
	stream = *writer;
	stream->options = *options;
	stream->text.time.form = options->time;
	/* Called once, because it is a system call. */
	stream->text.has_color = options->has_color && *out_begin(OUT_BOLD);

	return 0;
}

int stream_end_line(struct stream *stream, int ret)
{
	tool_append(&stream->one, "\n", 1);
	output_file_write(stream->file, stream->one.text, stream->one.size);

	return ret;
}

uint64_t stream_unwritten(void *writer)
{
	return output_file_unwritten(*(struct output_file **)writer);
}

int stream_error(void *writer)
{
	return output_file_error(*(struct output_file **)writer);
}

void stream_flush(void *writer)
{
	output_file_flush(*(struct output_file **)writer);
}

int stream_finish(void *writer)
{
	return output_file_finish(*(struct output_file **)writer);
}

void stream_discard(void *writer)
{
	output_file_discard(*(struct output_file **)writer);
}

void stream_release(void *writer)
{
	struct stream *stream = writer;

	uev_output_release(&stream->one);
	query_names_clear(&stream->names);
	free(stream);
}
