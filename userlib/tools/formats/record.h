/* SPDX-License-Identifier: MIT */
/* user-events: a record in a pipe. */
#ifndef USER_EVENTS_FORMATS_RECORD_H
#define USER_EVENTS_FORMATS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <userevents/decode.h>
#include <userevents/session.h>

/*
 * struct format_record - A record and its context
 * @sample: the record
 * @schema: schema of its event; NULL if unknown
 * @comm: name of its thread; NULL if unknown
 * @clock: converts its time to a date; NULL if unknown
 * @mapping: returns the mapping of an address of its stack, or NULL; with
 *        @mapping_data as first argument. NULL if mappings are unknown.
 */
struct format_record {
	const struct uev_sample *sample;
	const struct uev_schema *schema;
	const char *comm;
	const struct uev_clock *clock;
	const struct uev_mapping *(*mapping)(const void *data, uint32_t pid,
					     uint64_t address);
	const void *mapping_data;
};

/* format_start() - Starts a decoder with a record. Return: as uev_decoder_start() */
static inline int format_start(struct uev_decoder *decoder,
			       const struct format_record *record)
{
	return uev_decoder_start(decoder, record->schema, record->sample->raw,
				 record->sample->raw_size);
}

/* Returns the bytes of a field's name without its attributes. */
static inline size_t format_name_size(const struct uev_item *item)
{
	const char *end = item->name_size
				  ? memchr(item->name, ';', item->name_size)
				  : NULL;

	return end ? (size_t)(end - item->name) : item->name_size;
}

/* Tests for a field's name, which has no attributes. */
static inline bool format_is_named(const struct uev_item *item,
				   const char *name)
{
	size_t size = strlen(name);

	return item->name_size >= size && !memcmp(item->name, name, size) &&
	       (item->name_size == size || item->name[size] == ';');
}

/* Reasons besides UEV_LOSS_PERF_BUFFER and those of user_events_profile */
#define FORMAT_LOSS_OVERWRITTEN "ftrace_overwritten"
#define FORMAT_LOSS_MISSING "missing"

/*
 * struct format_loss - Lost records and their context
 * @loss: the loss
 * @clock: converts its times to dates; NULL if unknown
 */
struct format_loss {
	struct uev_loss loss;
	const struct uev_clock *clock;
};

#endif
