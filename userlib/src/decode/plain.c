// SPDX-License-Identifier: MIT
/* Plain records, whose fields a format file describes. */
#include "decode/plain.h"

#include <errno.h>
#include <string.h>

#include "decode/value.h"

/* Bytes of a record. */
struct extent {
	size_t offset;
	size_t size;
};

/* Position of the bytes of the field itself. */
static int find_here(struct uev_decoder *decoder,
		     const struct uev_format_field *field, struct extent *here)
{
	here->offset = field->offset;
	here->size = field->size;

	if (here->offset > decoder->size)
		return uev_decoder_fail(decoder, -EBADMSG, decoder->size,
					"record ends before a field");
	if (!here->size)
		here->size = decoder->size - here->offset;
	if (here->size > decoder->size - here->offset)
		return uev_decoder_fail(decoder, -EBADMSG, here->offset,
					"truncated field");

	return 0;
}

/* Resolves a field that has the location of its data. */
static int follow(struct uev_decoder *decoder,
		  const struct uev_format_field *field, struct extent *extent)
{
	const uint8_t *at = decoder->record + extent->offset;
	bool big = decoder->info.schema->big;
	struct extent here = *extent;
	size_t offset;
	uint32_t word;

	if (here.size != 4 && here.size != 2)
		return uev_decoder_fail(decoder, -EBADMSG, here.offset,
					"data location is neither 4 nor 2 "
					"bytes");

	word = (uint32_t)uev_decoded_number(at, here.size, big);
	offset = word & 0xffff;
	if (field->location == UEV_LOCATION_REL_LOC)
		offset += here.offset + here.size;
	if (offset > decoder->size)
		return uev_decoder_fail(decoder, -EBADMSG, here.offset,
					"data location outside the record");

	extent->offset = offset;
	/* A location of 2 bytes has no size. */
	extent->size = here.size == 4 ? word >> 16 : decoder->size - offset;
	if (extent->size > decoder->size - offset)
		return uev_decoder_fail(decoder, -EBADMSG, here.offset,
					"data exceeds the record");

	return 0;
}

static void init_number(struct uev_decoded_value *value, const uint8_t *bytes,
			const struct uev_schema_entry *field, bool big)
{
	static const uint8_t encodings[] = {
		[1] = UEV_ENCODING_VALUE8,
		[2] = UEV_ENCODING_VALUE16,
		[4] = UEV_ENCODING_VALUE32,
		[8] = UEV_ENCODING_VALUE64,
	};
	uint8_t format = UEV_FORMAT_UNSIGNED;

	if (field->shape == UEV_SHAPE_HEX)
		format = UEV_FORMAT_HEX;
	else if (field->shape == UEV_SHAPE_BOOL)
		format = UEV_FORMAT_BOOLEAN;
	else if (field->is_signed)
		format = UEV_FORMAT_SIGNED;

	uev_decoded_init(value, encodings[field->element], format, bytes,
			 field->element, big);
}

static void init_value(struct uev_decoded_value *value, const uint8_t *bytes,
		       size_t size, const struct uev_schema_entry *field,
		       bool big)
{
	if (field->shape == UEV_SHAPE_TEXT) {
		*value = (struct uev_decoded_value){
			.type = UEV_DECODED_TEXT,
			.charset = UEV_CHARSET_UTF8,
			.bytes = bytes,
			.size = strnlen((const char *)bytes, size),
		};
	} else if (field->shape == UEV_SHAPE_BYTES || size != field->element) {
		*value = (struct uev_decoded_value){
			.type = UEV_DECODED_BYTES,
			.bytes = bytes,
			.size = size,
		};
	} else {
		init_number(value, bytes, field, big);
	}
}

static int begin_array(struct uev_decoder *decoder, size_t at, uint32_t count)
{
	decoder->plain.in_array = true;
	decoder->plain.at = at;
	decoder->item.count = count;

	return UEV_ITEM_ARRAY_BEGIN;
}

/*
 * Finds the bytes of a field. Fields of a valid format do not overlap, but
 * others could return all bytes of the record again and again.
 */
static int find(struct uev_decoder *decoder,
		const struct uev_schema_entry *field, struct extent *extent)
{
	int ret = find_here(decoder, &field->field, extent);

	if (!ret && field->field.location != UEV_LOCATION_INLINE)
		ret = follow(decoder, &field->field, extent);
	if (!ret)
		ret = uev_decoder_charge(decoder,
					 UEV_FIELD_WORK + field->name_size +
						 (uint64_t)extent->size *
							 UEV_VALUE_WORK,
					 extent->offset);

	return ret;
}

static int next_field(struct uev_decoder *decoder)
{
	const struct uev_schema_entry *field =
		&decoder->info.schema->fields[decoder->plain.next];
	const struct uev_format_field *public = &field->field;
	struct extent extent;
	int ret;

	ret = find(decoder, field, &extent);
	if (ret)
		return ret;

	decoder->item = (struct uev_item){
		.name = public->name,
		.name_size = field->name_size,
	};

	/* Tests whether elements are complete numbers. */
	if (public->is_array && field->shape < UEV_SHAPE_TEXT &&
	    extent.size % field->element == 0)
		return begin_array(decoder, extent.offset,
				   (uint32_t)(extent.size / field->element));

	init_value(&decoder->item.value, decoder->record + extent.offset,
		   extent.size, field, decoder->info.schema->big);
	decoder->plain.next++;

	return UEV_ITEM_VALUE;
}

static int next_element(struct uev_decoder *decoder)
{
	struct uev_plain_reader *reader = &decoder->plain;
	const struct uev_schema_entry *field =
		&decoder->info.schema->fields[reader->next];
	struct uev_item *item = &decoder->item;

	item->index = item->is_element ? item->index + 1 : 0;
	item->is_element = item->index < item->count;
	if (!item->is_element) {
		item->index = 0;
		reader->in_array = false;
		reader->next++;
		return UEV_ITEM_ARRAY_END;
	}

	init_number(&item->value, decoder->record + reader->at, field,
		    decoder->info.schema->big);
	reader->at += field->element;

	return UEV_ITEM_VALUE;
}

int uev_plain_next(struct uev_decoder *decoder)
{
	if (decoder->plain.in_array)
		return next_element(decoder);
	if (decoder->plain.next == decoder->plain.end)
		return UEV_ITEM_END;

	return next_field(decoder);
}
