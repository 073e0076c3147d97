/* SPDX-License-Identifier: MIT */
/* user-events: a record in a pipe, and parts of its output. */
#ifndef USER_EVENTS_FORMATS_FORMAT_H
#define USER_EVENTS_FORMATS_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>
#include <userevents/session.h>

/*
 * struct format_record - A record and its context
 * @sample: the record
 * @schema: schema of its event; NULL if unknown
 * @comm: name of its thread; NULL if unknown
 * @clock: converts its time to a date; NULL if unknown
 * @lost: number of lost records before it, since the start of the file; of a
 *        session, those that were reported
 * @mapping: returns the mapping of an address of its stack, or NULL; with
 *        @mapping_data as first argument. NULL if mappings are unknown.
 */
struct format_record {
	const struct uev_sample *sample;
	const struct uev_schema *schema;
	const char *comm;
	const struct uev_clock *clock;
	uint64_t lost;
	const struct uev_mapping *(*mapping)(const void *data, uint32_t pid,
					     uint64_t address);
	const void *mapping_data;
};

/* Writes text as a JSON string. */
void format_append_quoted(struct uev_output *to, const char *text, size_t size);

/* As printf(), at most 256 bytes. */
__attribute__((__format__(__printf__, 2, 3))) void
format_print(struct uev_output *to, const char *format, ...);

/*
 * format_append_json() - Appends a record as uev_decoder_append_json() does
 * @flags: of enum uev_json_flag
 * @meta: of enum uev_meta
 *
 * A record without a schema has its event's name in "n", too. With any @meta, its
 * stack is in "stack".
 */
int format_append_json(struct uev_output *to, struct uev_decoder *decoder,
		       const struct format_record *record, uint32_t flags,
		       uint32_t meta);

#endif
