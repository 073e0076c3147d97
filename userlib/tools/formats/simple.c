// SPDX-License-Identifier: MIT
/*
 * user-events decode: text and JSON, where each record is for itself.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/decode.h"
#include "ui/out.h"
#include "formats/output_file.h"
#include "formats/record_text.h"
#include "tool.h"

#define PRINT_MAX 256

/*
 * @text: how lines look
 * @one: the record that is being written
 * @has_records: one was written of this file
 * @has_files: one was begun
 */
struct simple {
	struct output_file *file;
	struct decode_options options;
	struct record_text text;
	struct uev_output one;
	bool has_records;
	bool has_files;
};

void decode_append_quoted(struct uev_output *to, const char *text, size_t size)
{
	struct uev_decoded value = {
		.type = UEV_DECODED_TEXT,
		.charset = UEV_CHARSET_UTF8,
		.bytes = (const uint8_t *)text,
		.size = size,
	};

	tool_need(uev_decoded_append_json(&value, to));
}

void decode_print(struct uev_output *to, const char *format, ...)
{
	char text[PRINT_MAX];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tool_need(uev_output_append(to, text, strlen(text)));
}

static struct uev_json_sample json_sample(const struct decode_record *record)
{
	const struct uev_sample *from = record->sample;
	struct uev_json_sample sample = UEV_JSON_SAMPLE_INIT;

	sample.time = from->time;
	sample.cpu = from->cpu;
	sample.pid = (int32_t)from->pid;
	sample.tid = (int32_t)from->tid;
	if (from->flags & UEV_HAS_TIME && record->clock) {
		sample.flags |= UEV_SAMPLE_WALL_TIME;
		sample.time = uev_clock_wall(record->clock, from->time);
	} else if (from->flags & UEV_HAS_TIME) {
		sample.flags |= UEV_SAMPLE_TIME;
	}
	if (from->flags & UEV_HAS_CPU)
		sample.flags |= UEV_SAMPLE_CPU;
	if (from->flags & UEV_HAS_TID)
		sample.flags |= UEV_SAMPLE_PID | UEV_SAMPLE_TID;

	return sample;
}

/* What the decoder does not know without a schema. */
static void insert_name(struct uev_output *to, size_t at, uint32_t flags,
			const struct uev_source *source)
{
	bool is_compact = flags & UEV_JSON_COMPACT;
	struct uev_output name = UEV_OUTPUT_INIT;
	struct uev_output rest = UEV_OUTPUT_INIT;

	if (source->system) {
		tool_need(uev_output_append(&name, source->system,
					    strlen(source->system)));
		tool_need(uev_output_append(&name, ":", 1));
	}
	tool_need(uev_output_append(&name, source->name, strlen(source->name)));
	/* Behind the bracket. */
	tool_need(
		uev_output_append(&rest, to->text + at + 1, to->size - at - 1));
	to->size = at;
	decode_print(to, is_compact ? "{\"n\":" : "{ \"n\": ");
	decode_append_quoted(to, name.text, name.size);
	tool_need(uev_output_append(to, ",", 1));
	tool_need(uev_output_append(to, rest.text, rest.size));
	uev_output_release(&name);
	uev_output_release(&rest);
}

int decode_append_json(struct uev_output *to, struct uev_decoder *decoder,
		       const struct decode_record *record, uint32_t flags,
		       uint32_t meta)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_json_sample sample = json_sample(record);
	size_t before = to->size;
	int ret;

	options.flags = flags | UEV_JSON_PARTIAL;
	options.meta = meta;
	/* An error of the start is one of the rest, too. */
	uev_decoder_start(decoder, record->schema, record->sample->raw,
			  record->sample->raw_size);
	ret = uev_decoder_append_json(decoder, &options, &sample, to);
	tool_need(ret);
	if (!record->schema && to->size > before)
		insert_name(to, before, flags, record->sample->source);

	return ret;
}

static int begin(void **writer, const struct decode_options *options)
{
	struct simple *simple = tool_alloc(sizeof(*simple));
	int ret = output_file_open(&simple->file, options->path);

	if (ret) {
		free(simple);
		return ret;
	}
	simple->options = *options;
	/* Asked once: to ask is a call of the kernel. */
	simple->text.has_colour = options->has_colour && *out_begin(OUT_BOLD);
	*writer = simple;

	return 0;
}

static int error(void *writer)
{
	struct simple *simple = writer;

	return output_file_error(simple->file);
}

static int flush(void *writer)
{
	struct simple *simple = writer;

	return output_file_flush(simple->file);
}

static void release(struct simple *simple)
{
	record_text_release(&simple->text);
	uev_output_release(&simple->one);
	free(simple);
}

static int finish(void *writer)
{
	struct simple *simple = writer;
	int ret = output_file_finish(simple->file);

	release(simple);

	return ret;
}

static void discard(void *writer)
{
	struct simple *simple = writer;

	output_file_discard(simple->file);
	release(simple);
}

static const struct decode_record *
with_times(const struct simple *simple, const struct decode_record *record,
	   struct decode_record *copy)
{
	*copy = *record;
	if (simple->options.file_time)
		copy->clock = NULL;

	return copy;
}

/* ---- Text ---- */

static void text_begin_file(void *writer, const char *name)
{
	(void)writer;
	(void)name;
}

static int text_record(void *writer, struct uev_decoder *decoder,
		       const struct decode_record *record)
{
	struct simple *simple = writer;
	struct decode_record copy;
	int ret;

	record = with_times(simple, record, &copy);
	simple->text.clock = record->clock;
	simple->one.size = 0;
	ret = record_text_append(&simple->text, &simple->one, decoder,
				 record->schema, record->sample, record->comm);
	tool_need(uev_output_append(&simple->one, "\n", 1));
	output_file_write(simple->file, simple->one.text, simple->one.size);

	return ret;
}

static void text_end_file(void *writer, uint64_t lost)
{
	(void)writer;
	(void)lost;
}

const struct decode_format decode_text = {
	.name = "text",
	.begin = begin,
	.begin_file = text_begin_file,
	.record = text_record,
	.end_file = text_end_file,
	.error = error,
	.flush = flush,
	.finish = finish,
	.discard = discard,
};

/* ---- JSON ---- */

static void json_begin_file(void *writer, const char *name)
{
	struct simple *simple = writer;

	if (simple->options.lines)
		return;
	simple->one.size = 0;
	decode_append_quoted(&simple->one, name, strlen(name));
	output_file_text(simple->file, simple->has_files ? ",\n" : "{\n");
	output_file_write(simple->file, simple->one.text, simple->one.size);
	output_file_text(simple->file, ": [");
	simple->has_files = true;
	simple->has_records = false;
}

static int json_record(void *writer, struct uev_decoder *decoder,
		       const struct decode_record *record)
{
	struct simple *simple = writer;
	bool lines = simple->options.lines;
	struct decode_record copy;
	int ret;

	record = with_times(simple, record, &copy);
	simple->one.size = 0;
	ret = decode_append_json(&simple->one, decoder, record,
				 lines ? UEV_JSON_COMPACT : 0,
				 UEV_META_DEFAULT | UEV_META_OPTIONS);
	/* One that would be too long is not there at all. */
	if (!simple->one.size)
		return ret;
	if (!lines)
		output_file_text(simple->file,
				 simple->has_records ? ",\n  " : "\n  ");
	output_file_write(simple->file, simple->one.text, simple->one.size);
	if (lines)
		output_file_text(simple->file, "\n");
	simple->has_records = true;

	return ret;
}

static void json_end_file(void *writer, uint64_t lost)
{
	struct simple *simple = writer;

	(void)lost;
	if (!simple->options.lines)
		output_file_text(simple->file, " ]");
}

static int json_finish(void *writer)
{
	struct simple *simple = writer;

	if (!simple->options.lines)
		output_file_text(simple->file,
				 simple->has_files ? "\n}\n" : "{ }\n");

	return finish(writer);
}

const struct decode_format decode_json = {
	.name = "json",
	.begin = begin,
	.begin_file = json_begin_file,
	.record = json_record,
	.end_file = json_end_file,
	.error = error,
	.flush = flush,
	.finish = json_finish,
	.discard = discard,
};
