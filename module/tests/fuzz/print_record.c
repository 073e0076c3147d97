// SPDX-License-Identifier: GPL-2.0-only
/*
 * Formats a record in ``trace`` from arbitrary bytes, since another event may
 * have written them. Unlike in validator.c, the record was not validated.
 */
#include "emit/print_record.h"

#include <stdio.h>
#include <stdlib.h>
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/trace_seq.h>

#include "event/user_event.h"
#include "fuzz.h"
#include "record.h"

/* Longer records add nothing but length. */
#define MAX_FILL 300

static void say_text(FILE *file, const u8 *text, size_t size)
{
	for (; size && *text; size--, text++)
		fputc(*text < 0x20 || *text == 0x7f ? '.' : *text, file);
}

static void say_bytes(FILE *file, const u8 *bytes, size_t size)
{
	const char *between = "";

	for (; size--; bytes++, between = ",")
		fprintf(file, "%s%02x", between, *bytes);
}

static void say_number(FILE *file, const u8 *at, u32 size)
{
	s64 value = 0;
	s32 half;

	memcpy(&value, at, size);
	half = value;
	if (size == 1 && isprint(*at))
		fprintf(file, "'%c'", *at);
	if (size == 1)
		fprintf(file, "(%u)", *at);
	else if (size == 4)
		fprintf(file, "0x%x (%d)", half, half);
	else
		fprintf(file, "0x%llx (%lld)", (long long)value,
			(long long)value);
}

static void say_loc(FILE *file, const struct event_field *field,
		    const struct fuzz_record *record)
{
	u16 halves[2];
	u32 word;
	u64 at;

	memcpy(&word, record->entry + field->offset, sizeof(word));
	halves[0] = word;
	halves[1] = word >> 16;
	at = halves[0];
	if (field->kind->class == FIELD_REL_LOC)
		at += field->offset + 4;

	if (at + halves[1] > record->size)
		fputs("<OVERFLOW>", file);
	else if (strstr(field->type, "char"))
		say_text(file, record->entry + at, halves[1]);
	else
		say_bytes(file, record->entry + at, halves[1]);
}

static void say_field(FILE *file, const struct event_field *field,
		      const struct fuzz_record *record)
{
	fprintf(file, " %s=", field->name);

	if ((u64)field->offset + field->size > record->size)
		fputs("<OVERFLOW>", file);
	else if (ue_field_type_is_loc(field->kind))
		say_loc(file, field, record);
	else if (field->kind->class == FIELD_ARRAY)
		say_text(file, record->entry + field->offset, field->size);
	else if (field->size == 1 || field->size == 2 || field->size == 4 ||
		 field->size == 8)
		say_number(file, record->entry + field->offset, field->size);
	else
		fputs("<INVALID-SIZE>", file);
}

static char *say_record(const struct fuzz_record *record)
{
	char *line = NULL;
	size_t size;
	FILE *file = open_memstream(&line, &size);
	u32 i;

	EXPECT(file);
	fputs("event:", file);
	for (i = 0; i < record->desc->nr_fields; i++)
		say_field(file, &record->desc->fields[i], record);
	if (!i)
		fputs("No fields found", file);
	fputc('\n', file);
	fclose(file);

	return line;
}

/* Formats into a buffer of the given size, and returns the size used. */
static size_t print(const struct fuzz_record *record, char *room, size_t size,
		    enum print_line_t *ret)
{
	struct user_event event = { .desc = record->desc, .name = "event" };
	struct trace_iterator iter = {
		.ent = (struct trace_entry *)record->entry,
		.ent_size = record->size,
		.seq = { .buffer = room, .size = size },
	};

	*ret = ue_print_record(&iter, 0, &event.call.event);
	return iter.seq.len;
}

/* If the text does not fit, its beginning is written and the result tells. */
static void check_short_of_room(const struct fuzz_record *record,
				const char *line, size_t size)
{
	char *room = fuzz_alloc(size);
	enum print_line_t ret;
	size_t len = print(record, room, size, &ret);

	EXPECT(len <= size);
	EXPECT(ret == TRACE_TYPE_PARTIAL_LINE);
	EXPECT(!memcmp(room, line, len));
	free(room);
}

static void check_line(const char *line, size_t len)
{
	size_t i;

	/* A record must not contain a newline. */
	EXPECT(len && line[len - 1] == '\n');
	for (i = 0; i < len - 1; i++)
		EXPECT((u8)line[i] >= ' ' && line[i] != 0x7f);
}

static void input(const u8 *data, size_t size)
{
	struct fuzz_record record;
	enum print_line_t ret;
	char *line, *room;
	size_t len, line_size;

	if (!fuzz_record_init(&record, data, size, MAX_FILL))
		return;

	line = say_record(&record);
	line_size = strlen(line) + 1;
	room = fuzz_alloc(line_size);
	len = print(&record, room, line_size, &ret);
	EXPECT(ret == TRACE_TYPE_HANDLED);
	EXPECT(len == line_size - 1 && !memcmp(room, line, len));
	check_line(room, len);
	check_short_of_room(&record, line, record.size % line_size);

	free(room);
	free(line);
	fuzz_record_destroy(&record);
}

const struct fuzz_target print_record_target = {
	.name = "print_record",
	.input = input,
	.seeds = fuzz_record_seeds,
};
