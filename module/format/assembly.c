// SPDX-License-Identifier: GPL-2.0-only
#include "format/assembly.h"

#include <linux/errno.h>
#include <linux/string.h>

#include "format/fields.h"
#include "limits.h"

/**
 * ue_assembly_start - Starts a record, all fields of which are 0 or empty
 * @to: the record
 * @desc: its event, which must stay until the record is complete
 * @entry: memory for the record
 * @room: bytes of @entry that the record can have
 *
 * Return: 0, or -E2BIG if the fixed fields do not fit.
 */
int ue_assembly_start(struct record_assembly *to, const struct event_desc *desc,
		      void *entry, size_t room)
{
	if (desc->fixed_size > room)
		return -E2BIG;

	memset(entry, 0, desc->fixed_size);
	*to = (struct record_assembly){
		.desc = desc,
		.entry = entry,
		.room = room,
		.len = desc->fixed_size,
	};

	return 0;
}

/**
 * ue_assembly_find - Finds a field by its name
 * @to: the record
 * @name: the name
 *
 * Return: the first field of that name, or NULL.
 */
const struct event_field *ue_assembly_find(const struct record_assembly *to,
					   const char *name)
{
	u32 i;

	for (i = 0; i < to->desc->nr_fields; i++)
		if (!strcmp(to->desc->fields[i].name, name))
			return &to->desc->fields[i];

	return NULL;
}

/* By their types, so that the byte order does not matter. */
static void store_number(void *at, u64 value, size_t size)
{
	const u32 word = value;
	const u16 half = value;
	const u8 byte = value;

	switch (size) {
	case sizeof(byte):
		memcpy(at, &byte, sizeof(byte));
		break;
	case sizeof(half):
		memcpy(at, &half, sizeof(half));
		break;
	case sizeof(word):
		memcpy(at, &word, sizeof(word));
		break;
	default:
		memcpy(at, &value, sizeof(value));
	}
}

/**
 * ue_assembly_number - Sets a field that is a number
 * @to: the record
 * @field: a field of its event
 * @value: the value; high bits that the field does not have are dropped
 *
 * Return: 0, or -EINVAL if the field is not a number.
 */
int ue_assembly_number(struct record_assembly *to,
		       const struct event_field *field, u64 value)
{
	if (field->kind->class != FIELD_SCALAR)
		return -EINVAL;

	store_number(to->entry + field->offset, value, field->size);
	return 0;
}

/*
 * Points a word at bytes of the record. It counts from the start of the record, or
 * from its own end.
 */
static void store_word(struct record_assembly *to, u32 offset, bool is_relative,
		       size_t start, size_t size)
{
	if (is_relative)
		start -= offset + sizeof(u32);
	store_number(to->entry + offset, size << 16 | start, sizeof(u32));
}

/* Appends bytes, with a NUL behind a string that has none, and points at them. */
static int append_bytes(struct record_assembly *to,
			const struct event_field *field, const void *bytes,
			size_t size)
{
	bool is_string = ue_field_type_is_dyn_string(field->kind, field->type);
	bool is_open = is_string && (!size || ((const char *)bytes)[size - 1]);
	size_t start = to->len;

	/* Without an overflow for any size */
	if (size > to->room - to->len ||
	    to->room - to->len - size < (is_open ? 1 : 0))
		return -E2BIG;

	memcpy(to->entry + start, bytes, size);
	if (is_open)
		to->entry[start + size++] = '\0';
	to->len += size;

	store_word(to, field->offset, field->kind->class == FIELD_REL_LOC,
		   start, size);
	return 0;
}

/**
 * ue_assembly_bytes - Sets a field that is an array, a structure or a string
 * @to: the record
 * @field: a field of its event
 * @bytes: the value
 * @size: number of its bytes; the rest of a field with a fixed size is zero
 *
 * Return: 0; -EINVAL if the field is a number;
 *	   -E2BIG if the field or the record has no room for the value.
 */
int ue_assembly_bytes(struct record_assembly *to,
		      const struct event_field *field, const void *bytes,
		      size_t size)
{
	u8 *at = to->entry + field->offset;

	if (field->kind->class == FIELD_SCALAR)
		return -EINVAL;

	if (ue_field_type_is_loc(field->kind))
		return append_bytes(to, field, bytes, size);

	if (size > field->size)
		return -E2BIG;

	memcpy(at, bytes, size);
	memset(at + size, 0, field->size - size);
	return 0;
}

static bool is_unset_string(const struct record_assembly *to,
			    const struct event_loc *loc)
{
	u32 word;

	memcpy(&word, to->entry + loc->offset, sizeof(word));
	return loc->string && !word;
}

/* Appends the empty string to which all strings that are not set point. */
static int append_empty(struct record_assembly *to)
{
	if (to->len == to->room)
		return -E2BIG;

	to->entry[to->len++] = '\0';
	return 0;
}

/**
 * ue_assembly_end - Completes a record
 * @to: the record
 *
 * Readers can take the length 0 of a string for "up to a NUL", and would print the
 * bytes to which its word points. So a string that was not set gets an empty one.
 *
 * Return: 0, or -E2BIG if the record has no room for it.
 */
int ue_assembly_end(struct record_assembly *to)
{
	const struct event_loc *loc = to->desc->locs;
	const struct event_loc *end = loc + to->desc->nr_locs;
	const size_t start = to->len;

	for (; loc < end; loc++) {
		if (!is_unset_string(to, loc))
			continue;

		if (to->len == start && append_empty(to))
			return -E2BIG;
		store_word(to, loc->offset, loc->relative, start, 1);
	}

	return 0;
}
