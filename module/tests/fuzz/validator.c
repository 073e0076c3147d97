// SPDX-License-Identifier: GPL-2.0-only
/*
 * A record: a valid record must be safe to read, and a record that can be read
 * safely must be valid.
 */
#include "format/validator.h"

#include <stdlib.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "format/fields.h"
#include "fuzz.h"
#include "limits.h"
#include "record.h"

/* Longer than the largest record. */
#define MAX_FILL 65535

/**
 * struct place - bytes that a word points at
 * @start: offset of the first byte
 * @end: offset behind the last byte
 */
struct place {
	u64 start;
	u64 end;
};

static struct place place_of(const struct event_field *field, const u8 *entry)
{
	struct place place;
	u16 halves[2];
	u32 word;

	memcpy(&word, entry + field->offset, sizeof(word));
	halves[0] = word;
	halves[1] = word >> 16;

	place.start = halves[0];
	if (field->kind->class == FIELD_REL_LOC)
		place.start += field->offset + 4;
	place.end = place.start + halves[1];

	return place;
}

/* The header is not written yet, so none of its bytes counts as a NUL. */
static bool is_nul(const u8 *entry, u64 at)
{
	return at >= USER_EVENT_HEADER_SIZE && !entry[at];
}

static int judge_string(const struct place *place, const u8 *entry, size_t size)
{
	u64 at;

	if (place->end > place->start)
		return is_nul(entry, place->end - 1) ? 0 : -EFAULT;

	/* Empty: one string ends before it, another one starts behind it. */
	if (place->start > USER_EVENT_HEADER_SIZE &&
	    !is_nul(entry, place->start - 1))
		return -EFAULT;

	for (at = place->start; at < size; at++)
		if (is_nul(entry, at))
			return 0;

	return 1;
}

static int judge_field(const struct event_field *field, const u8 *entry,
		       size_t size)
{
	struct place place;

	if (field->kind->class != FIELD_DATA_LOC &&
	    field->kind->class != FIELD_REL_LOC)
		return 0;

	place = place_of(field, entry);
	if (place.end > size)
		return -EFAULT;

	return strstr(field->type, "char") ? judge_string(&place, entry, size)
					   : 0;
}

static int judge(const struct event_desc *desc, const u8 *entry, size_t size)
{
	int verdict = 0;
	int ret;
	u32 i;

	for (i = 0; i < desc->nr_fields; i++) {
		ret = judge_field(&desc->fields[i], entry, size);
		if (ret < 0)
			return ret;
		if (ret)
			verdict = ret;
	}

	return verdict;
}

/* Reads a string in both ways: by its length and up to the NUL. */
static void read_field(const struct event_field *field, const u8 *entry,
		       size_t size)
{
	struct place place = place_of(field, entry);
	const char *text = (const char *)entry + place.start;

	EXPECT(place.start <= place.end);
	EXPECT(place.end <= size);
	if (!ue_field_type_is_dyn_string(field->kind, field->type))
		return;

	EXPECT(strnlen(text, size - place.start) < size - place.start);
	if (place.end > place.start)
		EXPECT(!entry[place.end - 1]);
}

/* The record as tracers get it, with a header without NUL bytes. */
static void read_record(const struct fuzz_record *record, size_t missing)
{
	size_t size = record->size + missing;
	u8 *entry = fuzz_alloc(size);
	const struct event_field *field;
	u32 i;

	memcpy(entry, record->entry, record->size);
	memset(entry, 0xff, USER_EVENT_HEADER_SIZE);
	memset(entry + record->size, 0, missing);

	for (i = 0; i < record->desc->nr_fields; i++) {
		field = &record->desc->fields[i];
		if (ue_field_type_is_loc(field->kind))
			read_field(field, entry, size);
	}

	free(entry);
}

static void check_record(const struct fuzz_record *record)
{
	int ret = ue_record_validate(record->desc, record->entry, record->size);

	EXPECT(ret == judge(record->desc, record->entry, record->size));
	if (ret >= 0)
		read_record(record, ret);

	memset(record->entry, 0xff, USER_EVENT_HEADER_SIZE);
	EXPECT(ret ==
	       ue_record_validate(record->desc, record->entry, record->size));
}

static void input(const u8 *data, size_t size)
{
	struct fuzz_record record;

	if (!fuzz_record_init(&record, data, size, MAX_FILL))
		return;

	/* Shorter records are rejected earlier. */
	if (record.size >= record.desc->fixed_size)
		check_record(&record);

	fuzz_record_destroy(&record);
}

const struct fuzz_target validator_target = {
	.name = "validator",
	.input = input,
	.seeds = fuzz_record_seeds,
};
