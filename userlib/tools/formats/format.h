/* SPDX-License-Identifier: MIT */
/* user-events: a record as JSON. */
#ifndef USER_EVENTS_FORMATS_FORMAT_H
#define USER_EVENTS_FORMATS_FORMAT_H

#include <stdint.h>

#include "formats/append.h"
#include "formats/record.h"

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

/*
 * format_check() - Reads a record to its end, for sinks that use a part of it
 * Return: 0, or an error of uev_decoder_next()
 */
int format_check(struct uev_decoder *decoder,
		 const struct format_record *record);

/* format_check_rest() - Does the same after items that were read */
int format_check_rest(struct uev_decoder *decoder);

#endif
