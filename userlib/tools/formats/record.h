/* SPDX-License-Identifier: MIT */
/* user-events: a record in a pipe. */
#ifndef USER_EVENTS_FORMATS_RECORD_H
#define USER_EVENTS_FORMATS_RECORD_H

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

#endif
