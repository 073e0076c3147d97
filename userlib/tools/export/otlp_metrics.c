// SPDX-License-Identifier: MIT
#include "export/otlp_metrics.h"

#include <string.h>

#include "export/protobuf.h"
#include "tool.h"

#define EVENT_NAME "otlp_metrics"
#define PROTOCOL_PROTOBUF 0

/* ---- Records ---- */

/*
 * Finds the message in "u32 protocol;char[8] version;__rel_loc u8[] buffer". The
 * exporters of Rust and of .NET have this event.
 */
static bool find_buffer(struct uev_decoder *decoder, struct query_text *message)
{
	const struct uev_item *item;
	bool is_protobuf = false;
	size_t count;

	while (uev_decoder_next(decoder) > 0) {
		item = uev_decoder_item(decoder);
		if (item->kind == UEV_ITEM_VALUE &&
		    format_is_named(item, "protocol"))
			is_protobuf = item->value.type ==
					      UEV_DECODED_UNSIGNED &&
				      item->value.u64 == PROTOCOL_PROTOBUF;
		if (item->kind != UEV_ITEM_ARRAY_BEGIN ||
		    !format_is_named(item, "buffer"))
			continue;
		count = item->count;
		if (is_protobuf && !count) {
			*message = (struct query_text){ "", 0 };
			return true;
		}
		if (!is_protobuf || uev_decoder_next(decoder) != UEV_ITEM_VALUE)
			return false;
		/* The bytes of the elements follow each other. */
		item = uev_decoder_item(decoder);
		message->text = (const char *)item->value.bytes;
		message->size = count;
		return item->value.size == 1;
	}

	return false;
}

/*
 * Finds the message in an event without fields, which the exporter of C++ has: a
 * number of bytes of 4 bytes, and the message.
 */
static bool find_counted(const struct format_record *record,
			 struct query_text *message)
{
	size_t count = uev_schema_field_count(record->schema);
	const struct uev_format_field *last =
		count ? uev_schema_field(record->schema, count - 1) : NULL;
	const char *raw = record->sample->raw;
	size_t size = record->sample->raw_size, at;
	uint32_t length;

	if (!last || !last->is_common || record->sample->flags & UEV_IS_FOREIGN)
		return false;
	at = (size_t)last->offset + last->size;
	if (size < at || size - at < sizeof(length))
		return false;
	memcpy(&length, raw + at, sizeof(length));
	at += sizeof(length);
	message->text = raw + at;
	message->size = length;

	return length <= size - at;
}

bool otlp_metrics_find(struct uev_decoder *decoder,
		       const struct format_record *record,
		       struct query_text *message)
{
	const struct uev_schema *schema = record->schema;

	if (!schema || strcmp(uev_schema_name(schema), EVENT_NAME) != 0 ||
	    format_start(decoder, record))
		return false;

	return find_counted(record, message) || find_buffer(decoder, message);
}

/* ---- Messages ---- */

/*
 * Fields as bits of their numbers: those that lead to data points, and others
 * that are known; of ExportMetricsServiceRequest, ResourceMetrics, ScopeMetrics,
 * Metric, and of Gauge, Sum, Histogram, ExponentialHistogram and Summary
 */
static const struct {
	uint64_t path, others;
} levels[] = {
	{ 1U << 1, 0 },
	{ 1U << 2, 1U << 1 | 1U << 3 },
	{ 1U << 2, 1U << 1 | 1U << 3 },
	{ 1U << 5 | 1U << 7 | 1U << 9 | 1U << 10 | 1U << 11,
	  1U << 1 | 1U << 2 | 1U << 3 | 1U << 12 },
	{ 1U << 1, 1U << 2 | 1U << 3 },
};

static bool is_one_of(const struct protobuf_field *field, uint64_t fields)
{
	return field->id < 64 && fields >> field->id & 1;
}

bool otlp_metrics_count(struct query_text message, uint64_t *points)
{
	const char *at = message.text, *ends[ARRAY_SIZE(levels)];
	struct protobuf_field field;
	bool has_unknown = false;
	size_t level = 0;

	*points = 0;
	ends[0] = at + message.size;
	for (;;) {
		while (at == ends[level])
			if (!level--)
				return *points || !has_unknown;
		if (!protobuf_next(&at, ends[level], &field))
			return false;
		if (!is_one_of(&field, levels[level].path)) {
			has_unknown |= !is_one_of(&field, levels[level].others);
			continue;
		}
		if (field.wire != PROTOBUF_BYTES)
			return false;
		if (level + 1 == ARRAY_SIZE(levels)) {
			++*points;
			continue;
		}
		at = field.bytes;
		ends[++level] = at + field.size;
	}
}
