/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The description of an event as plain data. Pure.
 */
#ifndef USER_EVENTS_FORMAT_FIELDS_H
#define USER_EVENTS_FORMAT_FIELDS_H

#include <linux/types.h>

#include "format/field_type.h"

/**
 * struct event_field - one field of an event
 * @type: text of the type
 * @name: name of the field
 * @kind: row of the table of types
 * @offset: bytes from the start of the recorded entry, header included
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
 * struct event_loc - a word that points at other bytes of its record
 * @offset: offset of the word from the start of the recorded entry
 * @relative: the word counts from its own end, not from the start of the entry
 * @string: the bytes must end with a NUL
 */
struct event_loc {
	u32 offset;
	bool relative;
	bool string;
};

/**
 * struct event_desc - the description of an event
 * @name: name of the event
 * @name_key: ue_name_key() of @name
 * @fixed_size: bytes from the start of a recorded entry to the end of the last
 *		fixed field, header included; no record is shorter
 * @nr_fields: number of @fields
 * @nr_locs: number of @locs
 * @locs: words that must be checked in every record, in order
 * @fields: the fields in order, without gaps
 *
 * One allocation with all texts. Constant after ue_desc_parse(); freed by
 * ue_desc_free().
 */
struct event_desc {
	const char *name;
	u32 name_key;
	u32 fixed_size;
	u32 nr_fields;
	u32 nr_locs;
	struct event_loc *locs;
	struct event_field fields[];
};

bool ue_desc_match(const struct event_desc *desc, int argc,
		   const char *const *argv);
u32 ue_name_key(const char *name, size_t length);
u32 ue_fields_key(const char *args, u32 seed);
bool ue_desc_match_text(const struct event_desc *desc, const char *args);
void ue_desc_free(struct event_desc *desc);

#endif /* USER_EVENTS_FORMAT_FIELDS_H */
