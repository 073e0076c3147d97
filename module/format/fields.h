/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an event consists of, as plain data. Pure.
 */
#ifndef USER_EVENTS_FORMAT_FIELDS_H
#define USER_EVENTS_FORMAT_FIELDS_H

#include <linux/types.h>

#include "format/field_type.h"

/**
 * struct event_field - one field of an event
 * @type: text of the type as it was given
 * @name: name of the field
 * @kind: row of the table of types
 * @offset: bytes from the start of the recorded entry, its header included
 * @size: bytes in the fixed part of the record
 * @len: number of elements of an array, else 0
 */
struct event_field {
	const char *type;
	const char *name;
	const struct field_type *kind;
	u32 offset;
	u32 size;
	u32 len;
};

/**
 * struct event_loc - a word in a record that points at other bytes of it
 * @offset: where the word is, from the start of the recorded entry
 * @relative: it counts from its own end, not from the start of the entry
 * @string: what it points at must end with a NUL
 */
struct event_loc {
	u32 offset;
	bool relative;
	bool string;
};

/**
 * struct event_desc - what an event consists of
 * @name: name of the event
 * @fixed_size: bytes from the start of a recorded entry to the end of the last
 *		fixed field, the header included: no record may be shorter
 * @nr_fields: number of @fields
 * @nr_locs: number of @locs
 * @locs: the fields that must be checked in every record, in their order
 * @fields: the fields in their order, without gaps
 *
 * One block of memory holds all of it, the texts included. Nothing changes
 * after ue_desc_parse() returned it; ue_desc_free() releases it.
 */
struct event_desc {
	const char *name;
	u32 fixed_size;
	u32 nr_fields;
	u32 nr_locs;
	struct event_loc *locs;
	struct event_field fields[];
};

bool ue_desc_match(const struct event_desc *desc, int argc,
		   const char *const *argv);
bool ue_desc_match_text(const struct event_desc *desc, const char *args);
void ue_desc_free(struct event_desc *desc);

#endif /* USER_EVENTS_FORMAT_FIELDS_H */
