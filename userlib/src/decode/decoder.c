// SPDX-License-Identifier: MIT
/* Iterates over the items of a record. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decoder_state.h"
#include "decode/eventheader.h"
#include "decode/plain.h"

int uev_decoder_new(struct uev_decoder **decoder)
{
	*decoder = calloc(1, sizeof(struct uev_decoder));

	return *decoder ? 0 : -ENOMEM;
}

void uev_decoder_free(struct uev_decoder *decoder)
{
	free(decoder);
}

/* Discards the previous record. NULL is valid for an empty one. */
static int start_record(struct uev_decoder *decoder, const void *record,
			size_t size)
{
	*decoder = (struct uev_decoder){
		.record = record ? record : "",
		.size = size,
	};

	if (size > INT32_MAX)
		return uev_decoder_fail(decoder, -EBADMSG, 0,
					"record too long");

	return 0;
}

/* Sets the description of the record from the schema. */
static void begin_plain(struct uev_decoder *decoder,
			const struct uev_schema *schema)
{
	decoder->state = UEV_DECODER_PLAIN;
	decoder->info.schema = schema;
	decoder->info.provider = schema->system;
	decoder->info.provider_size = strlen(schema->system);
	decoder->info.name = schema->name;
	decoder->info.name_size = strlen(schema->name);
}

int uev_decoder_start(struct uev_decoder *decoder,
		      const struct uev_schema *schema, const void *record,
		      size_t size)
{
	const struct uev_format_field *first;
	int ret = start_record(decoder, record, size);

	if (ret)
		return ret;

	if (!schema) {
		decoder->state = UEV_DECODER_RAW;
		return 0;
	}

	if (!uev_schema_is_eventheader(schema)) {
		begin_plain(decoder, schema);
		decoder->plain.next = schema->common_count;
		decoder->plain.end = schema->field_count;
		return 0;
	}

	decoder->info.schema = schema;
	first = uev_schema_field(schema, schema->common_count);
	return uev_eventheader_start(decoder, schema->name, first->offset);
}

int uev_decoder_start_common(struct uev_decoder *decoder,
			     const struct uev_schema *schema,
			     const void *record, size_t size)
{
	int ret = start_record(decoder, record, size);

	if (ret)
		return ret;

	begin_plain(decoder, schema);
	decoder->plain.end = schema->common_count;

	return 0;
}

int uev_decoder_start_eventheader(struct uev_decoder *decoder, const char *name,
				  const void *bytes, size_t size)
{
	int ret = start_record(decoder, bytes, size);

	return ret ? ret : uev_eventheader_start(decoder, name, 0);
}

/* The whole record as one value. */
static int next_raw(struct uev_decoder *decoder)
{
	static const char name[] = "raw";

	decoder->item.name = name;
	decoder->item.name_size = strlen(name);
	decoder->item.value = (struct uev_decoded_value){
		.type = UEV_DECODED_BYTES,
		.bytes = decoder->record,
		.size = decoder->size,
	};
	decoder->state = UEV_DECODER_END;

	return UEV_ITEM_VALUE;
}

static int next(struct uev_decoder *decoder)
{
	if (decoder->error)
		return decoder->error;

	switch (decoder->state) {
	case UEV_DECODER_RAW:
		return next_raw(decoder);
	case UEV_DECODER_PLAIN:
		return uev_plain_next(decoder);
	case UEV_DECODER_EVENTHEADER:
		return uev_eventheader_next(decoder);
	case UEV_DECODER_END:
		return UEV_ITEM_END;
	default:
		return -EINVAL;
	}
}

int uev_decoder_next(struct uev_decoder *decoder)
{
	int kind = next(decoder);

	decoder->has_moved = true;
	/* After an error there is no item. */
	decoder->item.kind = kind > 0 ? (uint8_t)kind : UEV_ITEM_END;

	return kind;
}

const struct uev_item *uev_decoder_item(const struct uev_decoder *decoder)
{
	return &decoder->item;
}

const struct uev_record_info *
uev_decoder_info(const struct uev_decoder *decoder)
{
	return &decoder->info;
}

const char *uev_decoder_error(const struct uev_decoder *decoder, size_t *offset)
{
	if (decoder->reason && offset)
		*offset = decoder->error_offset;

	return decoder->reason;
}
