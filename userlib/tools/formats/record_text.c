// SPDX-License-Identifier: MIT
#include "formats/record_text.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "events/events.h"
#include "ui/out.h"
#include "terminal.h"
#include "formats/append.h"
#include "tool.h"

#define FIELDS_MAX ((size_t)1 << 20)

/*
 * struct line - A line under construction
 * @text: its options
 * @to: the output
 * @needs_space: a separator is required
 */
struct line {
	struct record_text *text;
	struct uev_output *to;
	bool needs_space;
};

/* Only texts can have such characters, and JSON escapes them. */
static void put_value(struct line *line, const struct uev_decoded_value *value)
{
	bool has_quotes = value->type == UEV_DECODED_TEXT ||
			  value->type == UEV_DECODED_BYTES;

	tool_need(has_quotes ? uev_decoded_value_append_json(value, line->to)
			     : uev_decoded_value_append_text(value, line->to));
}

static void separate(struct line *line)
{
	if (line->needs_space)
		tool_put(line->to, " ");
	line->needs_space = true;
}

static void begin_color(const struct line *line, enum out_color color)
{
	if (line->text->has_color)
		tool_put(line->to, out_begin(color));
}

static void end_color(const struct line *line)
{
	if (line->text->has_color)
		tool_put(line->to, out_end());
}

/* ---- Before the fields ---- */

static void put_time(struct line *line, uint64_t time)
{
	separate(line);
	begin_color(line, OUT_DIM);
	record_time_append(&line->text->time, line->to, time);
	end_color(line);
}

static void put_thread(struct line *line, const struct uev_sample *sample,
		       const char *comm)
{
	separate(line);
	if (comm) {
		terminal_append(line->to, comm, strlen(comm));
		tool_put(line->to, "/");
	}
	format_append_number(line->to, sample->pid, 1);
	if (sample->tid != sample->pid) {
		tool_put(line->to, "/");
		format_append_number(line->to, sample->tid, 1);
	}
}

static void put_event(struct line *line, const struct uev_sample *sample,
		      const struct uev_record_info *info)
{
	const struct uev_source *source = sample->source;

	separate(line);
	begin_color(line, OUT_BOLD);
	if (info->is_eventheader) {
		terminal_append(line->to, info->provider, info->provider_size);
		tool_put(line->to, ":");
		terminal_append(line->to, info->name, info->name_size);
	} else {
		if (source->system) {
			terminal_append(line->to, source->system,
					strlen(source->system));
			tool_put(line->to, ":");
		}
		terminal_append(line->to, source->name, strlen(source->name));
	}
	end_color(line);
}

static void put_start(struct line *line, const struct format_record *record,
		      const struct uev_record_info *info)
{
	const struct uev_sample *sample = record->sample;

	if (sample->flags & UEV_HAS_TIME)
		put_time(line, sample->time);
	if (sample->flags & UEV_HAS_CPU) {
		separate(line);
		tool_put(line->to, "[");
		format_append_number(line->to, sample->cpu, 3);
		tool_put(line->to, "]");
	}
	if (sample->flags & UEV_HAS_TID)
		put_thread(line, sample, record->comm);
	put_event(line, sample, info);
}

/* ---- Fields ---- */

/* Appends the name without its attributes. */
static void put_field_name(struct line *line, const struct uev_item *item)
{
	if (item->is_element)
		return;
	begin_color(line, OUT_CYAN);
	terminal_append(line->to, item->name, format_name_size(item));
	end_color(line);
	tool_put(line->to, "=");
}

static void put_item(struct line *line, const struct uev_item *item)
{
	switch (item->kind) {
	case UEV_ITEM_VALUE:
		separate(line);
		put_field_name(line, item);
		put_value(line, &item->value);
		break;
	case UEV_ITEM_STRUCT_BEGIN:
	case UEV_ITEM_ARRAY_BEGIN:
		separate(line);
		put_field_name(line, item);
		tool_put(line->to,
			 item->kind == UEV_ITEM_ARRAY_BEGIN ? "[" : "{");
		line->needs_space = false;
		break;
	default:
		tool_put(line->to,
			 item->kind == UEV_ITEM_ARRAY_END ? "]" : "}");
		line->needs_space = true;
	}
}

static int put_items(struct line *line, struct uev_decoder *decoder,
		     size_t limit)
{
	size_t before = line->to->size;
	int ret;

	while ((ret = uev_decoder_next(decoder)) > 0) {
		put_item(line, uev_decoder_item(decoder));
		if (line->to->size - before > limit)
			return -E2BIG;
	}

	return ret;
}

/* ---- After the fields ---- */

const char *record_text_opcode(unsigned int opcode)
{
	static const char *const names[] = {
		[UEV_OPCODE_INFO] = "info",
		[UEV_OPCODE_ACTIVITY_START] = "start",
		[UEV_OPCODE_ACTIVITY_STOP] = "stop",
		[UEV_OPCODE_COLLECTION_START] = "collection-start",
		[UEV_OPCODE_COLLECTION_STOP] = "collection-stop",
		[UEV_OPCODE_EXTENSION] = "extension",
		[UEV_OPCODE_REPLY] = "reply",
		[UEV_OPCODE_RESUME] = "resume",
		[UEV_OPCODE_SUSPEND] = "suspend",
		[UEV_OPCODE_SEND] = "send",
	};

	if (opcode == UEV_OPCODE_RECEIVE)
		return "receive";

	return opcode < ARRAY_SIZE(names) ? names[opcode] : NULL;
}

static void put_known(struct line *line, const char *key, const char *name,
		      unsigned int number)
{
	separate(line);
	if (name)
		format_print(line->to, "%s=%s", key, name);
	else
		format_print(line->to, "%s=%u", key, number);
}

static void put_activity(struct line *line, const char *key,
			 const uint8_t *bytes)
{
	const struct uev_decoded_value value = tool_uuid(bytes);

	if (!bytes)
		return;
	separate(line);
	format_print(line->to, "%s=", key);
	put_value(line, &value);
}

/* The members of "meta" in JSON that are not zero. */
static void put_header(struct line *line, const struct uev_record_info *info)
{
	separate(line);
	begin_color(line, OUT_DIM);
	tool_put(line->to, "{");
	line->needs_space = false;
	put_known(line, "level", events_level(info->level), info->level);
	if (info->keyword) {
		separate(line);
		format_print(line->to, "keyword=0x%" PRIx64, info->keyword);
	}
	if (info->opcode)
		put_known(line, "opcode", record_text_opcode(info->opcode),
			  info->opcode);
	if (info->id)
		put_known(line, "id", NULL, info->id);
	if (info->version)
		put_known(line, "version", NULL, info->version);
	if (info->tag) {
		separate(line);
		format_print(line->to, "tag=0x%x", (unsigned int)info->tag);
	}
	put_activity(line, "activity", info->activity);
	put_activity(line, "related", info->related);
	tool_put(line->to, "}");
	end_color(line);
	line->needs_space = true;
}

static void put_reason(struct line *line, const struct uev_decoder *decoder,
		       int error)
{
	const char *reason = uev_decoder_error(decoder, NULL);

	separate(line);
	begin_color(line, OUT_RED);
	tool_put(line->to, "<");
	tool_put(line->to, error == -E2BIG && !reason ? "too long"
			   : reason		      ? reason
						      : strerror(-error));
	tool_put(line->to, ">");
	end_color(line);
}

static int put_fields(struct line *line, struct uev_decoder *decoder,
		      size_t limit)
{
	const struct uev_record_info *info = uev_decoder_info(decoder);
	int ret = put_items(line, decoder, limit);

	if (ret)
		put_reason(line, decoder, ret);
	if (info->is_eventheader)
		put_header(line, info);

	return ret;
}

int record_text_append(struct record_text *text, struct uev_output *output,
		       struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct line line = { .text = text, .to = output };

	/* The next call returns an error of the start again. */
	format_start(decoder, record);
	put_start(&line, record, uev_decoder_info(decoder));

	return put_fields(&line, decoder, FIELDS_MAX);
}

int record_text_fields(struct uev_output *output, struct uev_decoder *decoder,
		       const struct format_record *record, size_t limit)
{
	struct record_text text = { 0 };
	struct line line = { .text = &text, .to = output };

	format_start(decoder, record);

	return put_fields(&line, decoder, limit);
}
