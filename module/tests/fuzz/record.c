// SPDX-License-Identifier: GPL-2.0-only
#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "format/fields.h"
#include "format/parse.h"
#include "limits.h"
#include "tables/grammar.h"
#include "tables/validator.h"

static void fill_in(struct fuzz_record *record, const u8 *payload, size_t size,
		    u32 fill)
{
	size_t words = record->desc->fixed_size - USER_EVENT_HEADER_SIZE;
	u8 *at;

	if (words > size)
		words = size;

	record->size = USER_EVENT_HEADER_SIZE + size + fill;
	record->entry = fuzz_alloc(record->size);
	at = record->entry;
	memset(at, 0, USER_EVENT_HEADER_SIZE);
	at += USER_EVENT_HEADER_SIZE;
	memcpy(at, payload, words);
	memset(at + words, 'x', fill);
	memcpy(at + words + fill, payload + words, size - words);
}

/**
 * fuzz_record_init - Creates an event and a record from an input
 * @record: both
 * @data: the input
 * @size: its size
 * @max_fill: maximum number of filling bytes
 *
 * Return: whether the input is valid.
 */
bool fuzz_record_init(struct fuzz_record *record, const u8 *data, size_t size,
		      u32 max_fill)
{
	struct event_command command = { .name = "e" };
	const u8 *end;
	char *args;
	u16 fill;

	if (size < sizeof(fill))
		return false;

	memcpy(&fill, data, sizeof(fill));
	data += sizeof(fill);
	size -= sizeof(fill);
	end = memchr(data, '\n', size);
	if (!end)
		return false;

	args = fuzz_text(data, end - data);
	command.args = args;
	record->desc = ue_desc_parse(&command);
	free(args);
	if (IS_ERR(record->desc))
		return false;

	fill_in(record, end + 1, data + size - end - 1,
		fill < max_fill ? fill : max_fill);
	return true;
}

void fuzz_record_destroy(struct fuzz_record *record)
{
	ue_desc_free(record->desc);
	free(record->entry);
}

static void add_row(fuzz_add_fn add, const struct validator_row *row)
{
	u8 line[256];
	u16 fill = row->pad;
	size_t len = sizeof(fill);
	size_t words = 0;
	const char *at;

	memcpy(line, &fill, sizeof(fill));
	len += sprintf((char *)line + len, "%s\n", row->fields);

	/* One word for each field. */
	for (at = row->fields; at && *at; words++) {
		at = strchr(at, ';');
		at += !!at;
	}
	memcpy(line + len, row->words, words * sizeof(*row->words));
	len += words * sizeof(*row->words);
	memcpy(line + len, row->tail, row->tail_len);
	add(line, len + row->tail_len);
}

/* All types of fields, in a record of increasing bytes. */
static void add_event(fuzz_add_fn add, const char *command, u8 first)
{
	const char *args = strchr(command, ' ');
	u8 line[2048 + 64] = {};
	size_t len;
	u32 i;

	if (!args || strlen(args) > 2000)
		return;

	len = 2 + sprintf((char *)line + 2, "%s\n", args + 1);
	for (i = 0; i < 64; i++)
		line[len + i] = first + i;
	add(line, len + i);
}

/**
 * fuzz_record_seeds - Adds the records and the events of the tables
 * @add: adds a seed
 */
void fuzz_record_seeds(fuzz_add_fn add)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(validations); i++)
		add_row(add, &validations[i]);
	for (i = 0; i < ARRAY_SIZE(accepted); i++)
		add_event(add, accepted[i].command, 0);
	/* Text without an early NUL, and bytes around 0x80. */
	for (i = 0; i < ARRAY_SIZE(accepted); i++)
		add_event(add, accepted[i].command, 0x78);
}
