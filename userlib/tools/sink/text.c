// SPDX-License-Identifier: MIT
/* user-events decode: text, one line per record and per call of its stack. */
#include "formats/loss.h"
#include "formats/stack.h"
#include "sink/formats.h"
#include "sink/stream.h"
#include "tool.h"

static void begin_part(void *writer, const char *name)
{
	struct stream *stream = writer;

	(void)name;
	stream->text.time.has_first = false;
}

static int write_record(void *writer, struct uev_decoder *decoder,
			const struct format_record *record)
{
	struct stream *stream = writer;
	int ret;

	stream->text.time.clock = record->clock;
	stream->one.size = 0;
	ret = record_text_append(&stream->text, &stream->one, decoder, record);
	stack_append_text(&stream->one, record);

	return stream_end_line(stream, ret);
}

static void write_loss(void *writer, const struct format_loss *loss)
{
	struct stream *stream = writer;

	stream->one.size = 0;
	loss_append_text(&stream->text.time, &stream->one, loss);
	tool_append(&stream->one, "\n", 1);
	output_file_aside(stream->file, &stream->one);
}

const struct sink_ops sink_text = {
	.name = "text",
	.summary = "one line per record",
	.has_stacks = true,
	.has_rows = true,
	.times = SINK_ANY_TIME,
	.begin = stream_begin,
	.loss = write_loss,
	.begin_part = begin_part,
	.record = write_record,
	.release = stream_release,
};
