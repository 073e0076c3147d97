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

/* Formats into a buffer with a size and used bytes, and returns those used. */
static size_t print(const struct fuzz_record *record, char *room, size_t size,
		    size_t used, enum print_line_t *ret)
{
	struct user_event event = {
		.desc = record->desc,
		.tracepoint.name = "event",
	};
	struct trace_iterator iter = {
		.ent = (struct trace_entry *)record->entry,
		.ent_size = record->size,
		.seq.seq = { .buffer = room, .size = size, .len = used },
	};

	*ret = ue_print_record(&iter, 0, &event.call.event);
	return iter.seq.seq.len;
}

/* What the kernel can append to a text, as the function graph tracer does. */
#define SUFFIX_ROOM 8

/* A text that does not fit in an empty buffer ends with dots. */
static void check_short_of_room(const struct fuzz_record *record,
				const char *line, size_t size)
{
	static const char end[] = "...\n";
	const size_t end_len = sizeof(end) - 1;
	char *room = fuzz_alloc(size);
	enum print_line_t ret;
	size_t len = print(record, room, size, 0, &ret);

	EXPECT(ret == TRACE_TYPE_HANDLED);
	EXPECT(len >= end_len && len + SUFFIX_ROOM < size);
	EXPECT(!memcmp(room, line, len - end_len));
	EXPECT(!memcmp(room + len - end_len, end, end_len));
	free(room);
}

/* Longer than all that the kernel prints before the text. */
#define OTHER_LINES 600

/*
 * After other lines, the beginning is written and the result tells, so that the
 * kernel prints these lines first.
 */
static void check_short_after_lines(const struct fuzz_record *record,
				    const char *line, size_t size)
{
	char *room = fuzz_alloc(OTHER_LINES + size);
	enum print_line_t ret;
	size_t len = print(record, room, OTHER_LINES + size, OTHER_LINES, &ret);

	EXPECT(ret == TRACE_TYPE_PARTIAL_LINE);
	EXPECT(len >= OTHER_LINES && len <= OTHER_LINES + size);
	EXPECT(!memcmp(room + OTHER_LINES, line, len - OTHER_LINES));
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
	size_t len, line_size, full_size;

	if (!fuzz_record_init(&record, data, size, MAX_FILL))
		return;

	line = say_record(&record);
	line_size = strlen(line) + 1;
	full_size = line_size - 1 + SUFFIX_ROOM;
	room = fuzz_alloc(full_size);
	len = print(&record, room, full_size, 0, &ret);
	EXPECT(ret == TRACE_TYPE_HANDLED);
	EXPECT(len == line_size - 1 && !memcmp(room, line, len));
	check_line(room, len);
	/* At least room for the dots, and too little for the line. */
	check_short_of_room(
		&record, line,
		SUFFIX_ROOM + 5 + record.size % (full_size - SUFFIX_ROOM - 5));
	check_short_after_lines(&record, line, record.size % line_size);

	free(room);
	free(line);
	fuzz_record_destroy(&record);
}

const struct fuzz_target print_record_target = {
	.name = "print_record",
	.input = input,
	.seeds = fuzz_record_seeds,
};
