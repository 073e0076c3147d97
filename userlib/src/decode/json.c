// SPDX-License-Identifier: MIT
/*
 * A record as one JSON object.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "decode/decoder_state.h"
#include "decode/print.h"
#include "decode/output.h"
#include "decode/time.h"
#include "util/options.h"

#define DEFAULT_LIMIT ((size_t)16 << 20)

#define SECOND 1000000000

/* Nesting: the object, structs in arrays, and an array of values. */
#define DEPTH_MAX (2 * UEV_STRUCT_DEPTH_MAX + 2)

/*
 * struct writer - State of JSON output
 * @json: the output
 * @begin: size of the output before
 * @limit: maximum size of the output
 * @error: 0, or the error that stopped the output
 * @is_compact: no spaces
 * @is_first: nothing was written in the innermost brackets
 * @depth: number of open brackets
 * @closing: the matching closing brackets
 */
struct writer {
	struct uev_output *json;
	size_t begin;
	size_t limit;
	int error;
	bool is_compact;
	bool is_first;
	uint8_t depth;
	char closing[DEPTH_MAX];
};

static void check(struct writer *writer, int ret)
{
	writer->error = ret;
	if (!ret && writer->json->size - writer->begin > writer->limit)
		writer->error = -E2BIG;
}

static inline void put_bytes(struct writer *writer, const char *bytes,
			     size_t size)
{
	if (!writer->error)
		check(writer, uev_output_put(writer->json, bytes, size));
}

/* Inline, so that the size of a constant is known. */
static inline void put(struct writer *writer, const char *text)
{
	put_bytes(writer, text, strlen(text));
}

static void put_quoted(struct writer *writer, const char *text, size_t size)
{
	/* Escaping does not shorten text, so a longer one cannot fit. */
	if (size > writer->limit)
		writer->error = -E2BIG;
	if (!writer->error)
		check(writer, uev_print_quoted(writer->json, text, size,
					       UEV_CHARSET_UTF8));
}

static void put_number(struct writer *writer, uint64_t number)
{
	if (!writer->error)
		check(writer,
		      uev_output_append_unsigned(writer->json, number, 1));
}

static void put_hex(struct writer *writer, uint64_t number)
{
	if (!writer->error)
		check(writer, uev_output_printf(writer->json,
						"\"0x%" PRIX64 "\"", number));
}

/* Writes the separator before the next value. */
static void put_separator(struct writer *writer)
{
	if (!writer->is_first)
		put(writer, ",");
	if (!writer->is_compact)
		put(writer, " ");
	writer->is_first = false;
}

static void open_bracket(struct writer *writer, char opening, char closing)
{
	const char text[] = { opening, '\0' };

	put(writer, text);
	writer->closing[writer->depth++] = closing;
	writer->is_first = true;
}

static void close_bracket(struct writer *writer)
{
	const char text[] = { writer->closing[--writer->depth], '\0' };

	if (!writer->is_compact)
		put(writer, " ");
	put(writer, text);
	writer->is_first = false;
}

static void end_key(struct writer *writer)
{
	put(writer, writer->is_compact ? "\":" : "\": ");
}

/* struct key - A key that needs no escapes, with quotes and a colon */
struct key {
	const char *text;
	size_t size;
};

#define KEY(name) \
	(&(const struct key){ "\"" name "\":", sizeof("\"" name "\":") - 1 })

static void put_key(struct writer *writer, const struct key *key)
{
	put_separator(writer);
	put_bytes(writer, key->text, key->size);
	if (!writer->is_compact)
		put(writer, " ");
}

static void put_item_key(struct writer *writer, const struct uev_item *item)
{
	put_separator(writer);
	if (item->is_element)
		return;

	put(writer, "\"");
	put_quoted(writer, item->name, item->name_size);
	if (item->tag && !writer->error)
		check(writer,
		      uev_output_printf(writer->json, ";tag=0x%X", item->tag));
	end_key(writer);
}

static void put_value(struct writer *writer,
		      const struct uev_decoded_value *value)
{
	/* A character takes at most four bytes. */
	if (value->size / 4 > writer->limit)
		writer->error = -E2BIG;
	if (!writer->error)
		check(writer,
		      uev_decoded_value_append_json(value, writer->json));
}

static void put_item(struct writer *writer, const struct uev_item *item)
{
	switch (item->kind) {
	case UEV_ITEM_VALUE:
		put_item_key(writer, item);
		put_value(writer, &item->value);
		break;
	case UEV_ITEM_STRUCT_BEGIN:
		put_item_key(writer, item);
		open_bracket(writer, '{', '}');
		break;
	case UEV_ITEM_ARRAY_BEGIN:
		put_item_key(writer, item);
		open_bracket(writer, '[', ']');
		break;
	default:
		close_bracket(writer);
	}
}

/* Writes the items of a record, up to an error. */
static void put_items(struct writer *writer, struct uev_decoder *decoder)
{
	uint8_t depth = writer->depth;

	while (!writer->error && uev_decoder_next(decoder) > 0)
		put_item(writer, uev_decoder_item(decoder));

	while (writer->depth > depth)
		close_bracket(writer);
}

static void put_name(struct writer *writer, const struct uev_record_info *info)
{
	const char *provider = info->provider, *name = info->name;
	size_t provider_size = info->provider_size;
	size_t name_size = info->name_size;

	/* A malformed record has at least its provider. */
	if (!name && info->schema) {
		provider = info->schema->system;
		provider_size = strlen(provider);
		name = info->schema->name;
		name_size = strlen(name);
	}
	if (!name)
		return;

	put_key(writer, KEY("n"));
	put(writer, "\"");
	put_quoted(writer, provider, provider_size);
	put(writer, ":");
	put_quoted(writer, name, name_size);
	put(writer, "\"");
}

/* ---- "meta" ---- */

/*
 * struct meta - State of "meta"
 * @writer: the output
 * @which: of enum uev_meta
 * @is_open: a member was written
 */
struct meta {
	struct writer *writer;
	uint32_t which;
	bool is_open;
};

/* Starts a member, if it is requested and has a value. */
static bool begin_meta(struct meta *meta, uint32_t which, bool is_there,
		       const struct key *key)
{
	if (!(meta->which & which) || !is_there)
		return false;

	if (!meta->is_open) {
		put_key(meta->writer, KEY("meta"));
		open_bracket(meta->writer, '{', '}');
		meta->is_open = true;
	}
	if (key)
		put_key(meta->writer, key);

	return true;
}

static void put_meta_text(struct meta *meta, uint32_t which,
			  const struct key *key, const char *text, size_t size)
{
	if (!begin_meta(meta, which, size, key))
		return;

	put(meta->writer, "\"");
	put_quoted(meta->writer, text, size);
	put(meta->writer, "\"");
}

static void put_meta_number(struct meta *meta, uint32_t which,
			    const struct key *key, uint64_t number)
{
	if (begin_meta(meta, which, number, key))
		put_number(meta->writer, number);
}

static void put_meta_hex(struct meta *meta, uint32_t which,
			 const struct key *key, uint64_t number)
{
	if (begin_meta(meta, which, number, key))
		put_hex(meta->writer, number);
}

static void put_meta_activity(struct meta *meta, uint32_t which,
			      const struct key *key, const uint8_t *bytes)
{
	struct writer *writer = meta->writer;

	if (!begin_meta(meta, which, bytes, key))
		return;

	put(writer, "\"");
	if (!writer->error)
		check(writer, uev_print_uuid(writer->json, bytes));
	put(writer, "\"");
}

static void put_meta_time(struct meta *meta,
			  const struct uev_json_sample *sample)
{
	const uint32_t times = UEV_HAS_TIME | UEV_HAS_WALL_TIME;
	uint64_t seconds = sample->time / SECOND;
	struct writer *writer = meta->writer;
	char text[UEV_TIME_TEXT_MAX];
	bool is_wall;

	if (!begin_meta(meta, UEV_META_TIME, sample->flags & times,
			KEY("time")) ||
	    writer->error)
		return;

	/* 64-bit nanoseconds are always in a year of four digits. */
	is_wall = sample->flags & UEV_HAS_WALL_TIME &&
		  uev_time_text((int64_t)seconds, text);
	if (is_wall) {
		put(writer, "\"");
		put(writer, text);
	} else {
		put_number(writer, seconds);
	}
	put(writer, ".");
	if (!writer->error)
		check(writer, uev_output_append_unsigned(
				      writer->json, sample->time % SECOND, 9));
	put(writer, is_wall ? "Z\"" : "");
}

static void put_meta_id(struct meta *meta, uint32_t which,
			const struct key *key, bool is_there, int64_t id)
{
	if (begin_meta(meta, which, is_there, key) && !meta->writer->error)
		check(meta->writer,
		      uev_output_append_signed(meta->writer->json, id));
}

static void put_meta_sample(struct meta *meta,
			    const struct uev_json_sample *sample)
{
	put_meta_time(meta, sample);
	put_meta_id(meta, UEV_META_CPU, KEY("cpu"), sample->flags & UEV_HAS_CPU,
		    sample->cpu);
	put_meta_id(meta, UEV_META_PID, KEY("pid"), sample->flags & UEV_HAS_TID,
		    sample->pid);
	put_meta_id(meta, UEV_META_TID, KEY("tid"), sample->flags & UEV_HAS_TID,
		    sample->tid);
	put_meta_id(meta, UEV_META_VPID, KEY("vpid"),
		    sample->flags & UEV_HAS_VPID, sample->vpid);
}

static void put_meta_header(struct meta *meta,
			    const struct uev_record_info *info)
{
	put_meta_text(meta, UEV_META_PROVIDER, KEY("provider"), info->provider,
		      info->provider_size);
	put_meta_text(meta, UEV_META_EVENT, KEY("event"), info->name,
		      info->name_size);
	put_meta_number(meta, UEV_META_ID, KEY("id"), info->id);
	put_meta_number(meta, UEV_META_VERSION, KEY("version"), info->version);
	put_meta_number(meta, UEV_META_LEVEL, KEY("level"), info->level);
	put_meta_hex(meta, UEV_META_KEYWORD, KEY("keyword"), info->keyword);
	put_meta_number(meta, UEV_META_OPCODE, KEY("opcode"), info->opcode);
	put_meta_hex(meta, UEV_META_TAG, KEY("tag"), info->tag);
	put_meta_activity(meta, UEV_META_ACTIVITY, KEY("activity"),
			  info->activity);
	put_meta_activity(meta, UEV_META_RELATED, KEY("relatedActivity"),
			  info->related);
	put_meta_text(meta, UEV_META_OPTIONS, KEY("options"), info->options,
		      info->options_size);
	put_meta_hex(meta, UEV_META_FLAGS, KEY("flags"), info->flags);
}

/* A separate decoder, because the other one might have an error to keep. */
static void put_meta_common(struct meta *meta, struct uev_decoder *decoder)
{
	const struct uev_schema *schema = decoder->info.schema;
	struct uev_decoder common;

	if (!begin_meta(meta, UEV_META_COMMON, schema && schema->common_count,
			NULL))
		return;

	if (!uev_decoder_start_common(&common, schema, decoder->record,
				      decoder->size))
		put_items(meta->writer, &common);
	if (common.error && !decoder->error)
		uev_decoder_fail(decoder, common.error, common.error_offset,
				 common.reason);
}

static void put_meta(struct writer *writer, struct uev_decoder *decoder,
		     uint32_t which, const struct uev_json_sample *sample)
{
	struct meta meta = { .writer = writer, .which = which };

	put_meta_sample(&meta, sample);
	put_meta_header(&meta, &decoder->info);
	put_meta_common(&meta, decoder);
	if (meta.is_open)
		close_bracket(writer);
}

static void put_error(struct writer *writer, const struct uev_decoder *decoder)
{
	size_t offset = 0;
	const char *reason = uev_decoder_error(decoder, &offset);

	put_key(writer, KEY("error"));
	open_bracket(writer, '{', '}');
	put_key(writer, KEY("reason"));
	put(writer, "\"");
	put(writer, reason);
	put(writer, "\"");
	put_key(writer, KEY("offset"));
	put_number(writer, offset);
	close_bracket(writer);
}

/* ---- The object ---- */

static void put_record(struct writer *writer, struct uev_decoder *decoder,
		       const struct uev_json_options *options,
		       const struct uev_json_sample *sample)
{
	bool is_partial = options->flags & UEV_JSON_PARTIAL;

	open_bracket(writer, '{', '}');
	put_name(writer, &decoder->info);
	put_items(writer, decoder);
	/* The output is discarded. */
	if (decoder->error && !is_partial)
		return;

	put_meta(writer, decoder, options->meta, sample);
	if (decoder->error && is_partial)
		put_error(writer, decoder);
	if (!(options->flags & UEV_JSON_OPEN))
		close_bracket(writer);
}

static bool are_valid(const struct uev_json_options *options)
{
	return !(options->flags &
		 ~(UEV_JSON_COMPACT | UEV_JSON_PARTIAL | UEV_JSON_OPEN)) &&
	       options->meta < UEV_META_VPID << 1;
}

int uev_decoder_append_json(struct uev_decoder *decoder,
			    const struct uev_json_options *given_options,
			    const struct uev_json_sample *given_sample,
			    struct uev_output *json)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_json_sample sample = UEV_JSON_SAMPLE_INIT;
	struct writer writer = { .json = json, .begin = json->size };

	if (uev_options_copy(&options, sizeof(options), given_options) ||
	    uev_options_copy(&sample, sizeof(sample), given_sample) ||
	    !are_valid(&options) || decoder->has_moved ||
	    (decoder->state == UEV_DECODER_IDLE && !decoder->error))
		return -EINVAL;

	writer.limit = options.limit ? options.limit : DEFAULT_LIMIT;
	writer.is_compact = options.flags & UEV_JSON_COMPACT;
	writer.is_first = true;

	put_record(&writer, decoder, &options, &sample);
	if (writer.error ||
	    (decoder->error && !(options.flags & UEV_JSON_PARTIAL)))
		uev_output_cut(json, writer.begin);

	return writer.error ? writer.error : decoder->error;
}
