// SPDX-License-Identifier: MIT
/*
 * EventHeader records: a header, blocks of which the last one describes the
 * fields, and the payload. One position moves through the descriptions, another
 * through the payload. In an array of structs the former returns to the first
 * member for each element.
 */
#include "decode/eventheader.h"

#include <errno.h>
#include <string.h>

#include "decode/value.h"

/*
 * Limit of elements without bytes, so that a short record cannot produce
 * endless items. Only malformed metadata describes such elements: a struct
 * without the members that it announces.
 */
#define EMPTY_MIN 256
#define EMPTY_PER_BYTE 4

/* Description of a field in the metadata. */
struct field {
	const char *name;
	size_t name_size;
	size_t at; /* of the byte after the name */
	uint8_t encoding; /* with its flags, but for UEV_ENCODING_CHAIN */
	uint8_t format;
	uint16_t tag;
	uint16_t count;
};

static int bad(struct uev_decoder *decoder, size_t offset, const char *reason)
{
	return uev_decoder_fail(decoder, -EBADMSG, offset, reason);
}

static int unknown(struct uev_decoder *decoder, size_t offset,
		   const char *reason)
{
	return uev_decoder_fail(decoder, -EOPNOTSUPP, offset, reason);
}

static uint16_t read16(const struct uev_decoder *decoder, size_t offset)
{
	return (uint16_t)uev_decoded_number(decoder->record + offset, 2,
					    decoder->eventheader.big);
}

/* ---- Header and blocks ---- */

static int read_name(struct uev_decoder *decoder, const char *name,
		     size_t offset)
{
	struct uev_record_info *info = &decoder->info;
	struct uev_eventheader_name parts;

	if (uev_eventheader_name_parse(&parts, name))
		return unknown(decoder, offset,
			       "no level and keyword in the tracepoint name");

	info->provider = parts.provider;
	info->provider_size = parts.provider_size;
	info->options = parts.options;
	info->options_size = parts.options_size;
	info->keyword = parts.keyword;
	info->level = parts.level;

	return 0;
}

static int read_header(struct uev_decoder *decoder, size_t offset)
{
	const uint8_t *header = decoder->record + offset;
	struct uev_record_info *info = &decoder->info;

	if (offset > decoder->size ||
	    decoder->size - offset < sizeof(struct uev_eventheader))
		return bad(decoder, decoder->size, "truncated header");

	info->flags = header[offsetof(struct uev_eventheader, flags)];
	if (info->flags & ~UEV_HEADER_KNOWN)
		return unknown(decoder, offset, "unknown flags in the header");
	if (header[offsetof(struct uev_eventheader, level)] != info->level)
		return unknown(decoder,
			       offset + offsetof(struct uev_eventheader, level),
			       "level differs from the tracepoint name");

	decoder->eventheader.big = !(info->flags & UEV_HEADER_LITTLE_ENDIAN);
	info->version = header[offsetof(struct uev_eventheader, version)];
	info->opcode = header[offsetof(struct uev_eventheader, opcode)];
	info->id =
		read16(decoder, offset + offsetof(struct uev_eventheader, id));
	info->tag =
		read16(decoder, offset + offsetof(struct uev_eventheader, tag));

	return 0;
}

static int read_activity(struct uev_decoder *decoder, size_t offset,
			 size_t size)
{
	struct uev_record_info *info = &decoder->info;

	if (info->activity)
		return bad(decoder, offset, "duplicate activity block");
	if (size != UEV_ACTIVITY_SIZE && size != 2 * UEV_ACTIVITY_SIZE)
		return bad(decoder, offset,
			   "activity block is neither 16 nor 32 bytes");

	info->activity = decoder->record + offset;
	if (size > UEV_ACTIVITY_SIZE)
		info->related = info->activity + UEV_ACTIVITY_SIZE;

	return 0;
}

static int read_metadata(struct uev_decoder *decoder, size_t offset,
			 size_t size)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	struct uev_record_info *info = &decoder->info;
	const char *name = (const char *)decoder->record + offset;
	size_t name_size = strnlen(name, size);

	if (info->name)
		return bad(decoder, offset, "duplicate metadata block");
	if (name_size == size)
		return bad(decoder, offset, "unterminated event name");

	info->name = name;
	info->name_size = strcspn(name, ";");
	info->attributes = name + info->name_size;
	info->attributes_size = name_size - info->name_size;
	reader->meta = offset + name_size + 1;
	reader->meta_end = offset + size;

	return 0;
}

static int read_block(struct uev_decoder *decoder, size_t *offset,
		      bool *is_chained)
{
	size_t size, at = *offset + sizeof(struct uev_extension);
	uint16_t kind;

	if (decoder->size - *offset < sizeof(struct uev_extension))
		return bad(decoder, decoder->size,
			   "record ends before a block");

	size = read16(decoder, *offset + offsetof(struct uev_extension, size));
	kind = read16(decoder, *offset + offsetof(struct uev_extension, kind));
	if (size > decoder->size - at)
		return bad(decoder, *offset, "block exceeds the record");

	*is_chained = kind & UEV_EXTENSION_CHAIN;
	*offset = at + size;

	switch (kind & UEV_EXTENSION_KIND) {
	case UEV_EXTENSION_METADATA:
		return read_metadata(decoder, at, size);
	case UEV_EXTENSION_ACTIVITY:
		return read_activity(decoder, at, size);
	default:
		return 0;
	}
}

int uev_eventheader_start(struct uev_decoder *decoder, const char *name,
			  size_t offset)
{
	bool is_chained;
	int ret;

	ret = read_name(decoder, name, offset);
	if (!ret)
		ret = read_header(decoder, offset);
	if (ret)
		return ret;

	offset += sizeof(struct uev_eventheader);
	is_chained = decoder->info.flags & UEV_HEADER_EXTENSION;
	while (is_chained && !ret)
		ret = read_block(decoder, &offset, &is_chained);
	if (ret)
		return ret;
	if (!decoder->info.name)
		return unknown(decoder, offset, "missing metadata block");

	decoder->info.is_eventheader = true;
	decoder->eventheader.payload = offset;
	decoder->state = UEV_DECODER_EVENTHEADER;
	return 0;
}

/* ---- Descriptions of fields ---- */

/* Skips bytes of the metadata. Return: their start, or 0. */
static size_t take_meta(struct uev_decoder *decoder, size_t size)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	size_t at = reader->meta;

	if (size > reader->meta_end - at) {
		bad(decoder, at, "truncated field description");
		return 0;
	}

	reader->meta += size;
	return at;
}

static int check_encoding(struct uev_decoder *decoder,
			  const struct field *field)
{
	uint8_t encoding = field->encoding & UEV_ENCODING_TYPE;

	if ((field->encoding & UEV_ENCODING_FLAGS) == UEV_ENCODING_FLAGS)
		return unknown(decoder, field->at,
			       "field is both a constant and a variable array");
	if (encoding >= UEV_ENCODING_END)
		return unknown(decoder, field->at, "unknown field encoding");
	if (encoding == UEV_ENCODING_INVALID)
		return bad(decoder, field->at, "field without encoding");
	if (encoding == UEV_ENCODING_STRUCT && !field->format)
		return bad(decoder, field->at, "struct without members");

	return 0;
}

/* Reads the description of a field and advances. */
static int read_field(struct uev_decoder *decoder, struct field *field)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	const uint8_t *record = decoder->record;
	uint8_t chain;
	size_t at;

	*field = (struct field){
		.name = (const char *)record + reader->meta,
		.name_size = strnlen((const char *)record + reader->meta,
				     reader->meta_end - reader->meta),
	};

	/* Descriptions are read again for each element of an array. */
	if (uev_decoder_charge(decoder, field->name_size + UEV_FIELD_WORK,
			       reader->meta))
		return decoder->error;
	if (!take_meta(decoder, field->name_size + 1))
		return decoder->error;
	field->at = take_meta(decoder, 1);
	if (!field->at)
		return decoder->error;
	field->encoding = record[field->at] & ~UEV_ENCODING_CHAIN;
	chain = record[field->at] & UEV_ENCODING_CHAIN;

	if (chain) {
		at = take_meta(decoder, 1);
		if (!at)
			return decoder->error;
		field->format = record[at] & UEV_FORMAT_VALUE;
		chain = record[at] & UEV_FORMAT_CHAIN;
	}

	if (chain) {
		at = take_meta(decoder, 2);
		if (!at)
			return decoder->error;
		field->tag = read16(decoder, at);
	}

	if (field->encoding & UEV_ENCODING_CARRAY) {
		at = take_meta(decoder, 2);
		if (!at)
			return decoder->error;
		field->count = read16(decoder, at);
		if (!field->count)
			return bad(decoder, at,
				   "constant array without "
				   "elements");
	}

	return check_encoding(decoder, field);
}

/*
 * Skips the members of a struct without reading values. The ends are cached,
 * because a large array can contain many empty arrays of structs. Without
 * values, the limit is lower than that of other fields.
 */
static int skip_members(struct uev_decoder *decoder, uint8_t members)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	size_t begin = reader->meta;
	/* A nested struct has its own members. */
	size_t left = members;
	struct field field;
	size_t i;
	int ret;

	for (i = 0; i < UEV_SKIPPED_MAX; i++) {
		/* No member is at 0. */
		if (reader->skipped[i] != begin)
			continue;
		reader->meta = reader->skipped_end[i];
		return 0;
	}

	for (; left && reader->meta < reader->meta_end; left--) {
		ret = read_field(decoder, &field);
		if (!ret)
			ret = uev_decoder_charge(
				decoder,
				UEV_STRUCT_DEPTH_MAX *
					(field.name_size + UEV_FIELD_WORK),
				begin);
		if (ret)
			return ret;
		if ((field.encoding & UEV_ENCODING_TYPE) == UEV_ENCODING_STRUCT)
			left += field.format;
	}

	reader->skipped[reader->skipped_next] = begin;
	reader->skipped_end[reader->skipped_next] = reader->meta;
	reader->skipped_next = (reader->skipped_next + 1) % UEV_SKIPPED_MAX;
	return 0;
}

/* ---- Payload ---- */

/* Skips bytes of the payload. Return: false if there are fewer. */
static bool take_payload(struct uev_decoder *decoder, size_t size, size_t *at)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;

	*at = reader->payload;
	if (size > decoder->size - reader->payload) {
		bad(decoder, reader->payload, "truncated value");
		return false;
	}

	reader->payload += size;
	return true;
}

static bool take_count(struct uev_decoder *decoder, uint16_t *count)
{
	size_t at;

	if (!take_payload(decoder, sizeof(*count), &at))
		return false;

	*count = read16(decoder, at);
	return true;
}

/* Finds the terminator of a string. Return: false without one. */
static bool measure_zero(struct uev_decoder *decoder, size_t unit, size_t *size)
{
	size_t at = decoder->eventheader.payload;
	const uint8_t *bytes = decoder->record + at;
	size_t left = decoder->size - at;
	static const uint8_t zero[4];

	for (*size = 0; left - *size >= unit; *size += unit)
		if (!memcmp(bytes + *size, zero, unit))
			return true;

	bad(decoder, at, "truncated string");
	return false;
}

static int read_value(struct uev_decoder *decoder)
{
	struct uev_item *item = &decoder->item;
	const struct uev_encoding_row *row = uev_encoding_row(item->encoding);
	size_t size = row->unit;
	uint16_t count;
	size_t at;

	switch (row->extent) {
	case UEV_EXTENT_COUNTED:
		if (!take_count(decoder, &count))
			return decoder->error;
		size *= count;
		break;
	case UEV_EXTENT_ZERO:
		if (!measure_zero(decoder, row->unit, &size))
			return decoder->error;
		break;
	default:
		break;
	}

	if (!take_payload(decoder, size, &at))
		return decoder->error;
	if (row->extent == UEV_EXTENT_ZERO)
		decoder->eventheader.payload += row->unit;

	uev_decoded_init(&item->value, item->encoding, item->format,
			 decoder->record + at, size, decoder->eventheader.big);
	return UEV_ITEM_VALUE;
}

/* ---- Structs and arrays ---- */

/* Returns an item of the struct at the top, or of its array. */
static void init_item(struct uev_decoder *decoder)
{
	const struct uev_eventheader_reader *reader = &decoder->eventheader;
	const struct uev_frame *frame = &reader->frames[reader->depth];

	decoder->item = (struct uev_item){
		.encoding = UEV_ENCODING_STRUCT,
		.depth = reader->depth - 1,
		.tag = frame->tag,
		.name = frame->name,
		.name_size = frame->name_size,
		.count = frame->elements,
	};
}

static void init_struct_item(struct uev_decoder *decoder)
{
	const struct uev_eventheader_reader *reader = &decoder->eventheader;
	const struct uev_frame *frame = &reader->frames[reader->depth];

	init_item(decoder);
	decoder->item.count = frame->announced;
	decoder->item.is_element = frame->is_element;
	decoder->item.index = frame->index;
}

static int begin_struct(struct uev_decoder *decoder)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	struct uev_frame *frame = &reader->frames[reader->depth];

	reader->step = UEV_STEP_FIELD;
	reader->meta = frame->members;
	frame->left = frame->announced;
	frame->payload = reader->payload;
	init_struct_item(decoder);

	return UEV_ITEM_STRUCT_BEGIN;
}

static int end_struct(struct uev_decoder *decoder)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	struct uev_frame *frame = &reader->frames[reader->depth];

	if (frame->is_element && frame->payload == reader->payload &&
	    ++reader->empty > EMPTY_MIN + decoder->size * EMPTY_PER_BYTE)
		return uev_decoder_fail(decoder, -E2BIG, reader->payload,
					"too many elements without bytes");

	init_struct_item(decoder);
	if (frame->is_element) {
		frame->index++;
		reader->step = UEV_STEP_STRUCT;
	} else {
		reader->depth--;
	}

	return UEV_ITEM_STRUCT_END;
}

/* Returns the next element of an array of structs, or its end. */
static int next_struct(struct uev_decoder *decoder)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	const struct uev_frame *frame = &reader->frames[reader->depth];

	if (frame->index < frame->elements)
		return begin_struct(decoder);

	init_item(decoder);
	reader->step = UEV_STEP_FIELD;
	reader->depth--;

	return UEV_ITEM_ARRAY_END;
}

static int enter_struct(struct uev_decoder *decoder, const struct field *field,
			bool is_array)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	int ret;

	if (reader->depth == UEV_STRUCT_DEPTH_MAX)
		return unknown(decoder, field->at, "structs nested too deeply");

	reader->frames[++reader->depth] = (struct uev_frame){
		.members = reader->meta,
		.announced = field->format,
		.elements = field->count,
		.is_element = is_array,
		.tag = field->tag,
		.name = field->name,
		.name_size = field->name_size,
	};
	if (!is_array)
		return begin_struct(decoder);

	if (!field->count) {
		ret = skip_members(decoder, field->format);
		if (ret)
			return ret;
	}
	init_item(decoder);
	reader->step = UEV_STEP_STRUCT;

	return UEV_ITEM_ARRAY_BEGIN;
}

/* Returns the next element of an array of values, or its end. */
static int next_element(struct uev_decoder *decoder)
{
	struct uev_item *item = &decoder->item;

	item->index = item->is_element ? item->index + 1 : 0;
	item->is_element = item->index < item->count;
	if (item->is_element)
		return read_value(decoder);

	item->index = 0;
	decoder->eventheader.step = UEV_STEP_FIELD;
	return UEV_ITEM_ARRAY_END;
}

static int begin_value(struct uev_decoder *decoder, const struct field *field,
		       bool is_array)
{
	decoder->item = (struct uev_item){
		.encoding = field->encoding & UEV_ENCODING_TYPE,
		.format = field->format,
		.depth = decoder->eventheader.depth,
		.tag = field->tag,
		.name = field->name,
		.name_size = field->name_size,
		.count = field->count,
	};
	if (!is_array)
		return read_value(decoder);

	decoder->eventheader.step = UEV_STEP_ELEMENT;
	return UEV_ITEM_ARRAY_BEGIN;
}

static int next_field(struct uev_decoder *decoder)
{
	struct uev_eventheader_reader *reader = &decoder->eventheader;
	struct uev_frame *frame = &reader->frames[reader->depth];
	struct field field;
	bool is_array;

	/* Metadata can have fewer members than a struct announces. */
	if (reader->meta == reader->meta_end || (reader->depth && !frame->left))
		return reader->depth ? end_struct(decoder) : UEV_ITEM_END;

	frame->left--;
	if (read_field(decoder, &field))
		return decoder->error;
	if ((field.encoding & UEV_ENCODING_VARRAY) &&
	    !take_count(decoder, &field.count))
		return decoder->error;

	is_array = field.encoding & UEV_ENCODING_FLAGS;
	if ((field.encoding & UEV_ENCODING_TYPE) == UEV_ENCODING_STRUCT)
		return enter_struct(decoder, &field, is_array);

	return begin_value(decoder, &field, is_array);
}

int uev_eventheader_next(struct uev_decoder *decoder)
{
	switch (decoder->eventheader.step) {
	case UEV_STEP_ELEMENT:
		return next_element(decoder);
	case UEV_STEP_STRUCT:
		return next_struct(decoder);
	default:
		return next_field(decoder);
	}
}
