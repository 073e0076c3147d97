// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>

#include "format/validator.h"
#include "helpers.h"
#include "limits.h"
#include "tables/validator.h"

static void validation_name(const struct validator_row *row, char *name)
{
	char text[KUNIT_PARAM_DESC_SIZE];

	snprintf(text, sizeof(text), "%s: %u+%u %u+%u %u+%u in +%u = %d",
		 row->fields, row->words[0] & 0xffff, row->words[0] >> 16,
		 row->words[1] & 0xffff, row->words[1] >> 16,
		 row->words[2] & 0xffff, row->words[2] >> 16,
		 row->pad + row->tail_len, row->expected);
	case_name(name, text);
}

KUNIT_ARRAY_PARAM(validation, validations, validation_name);

static struct event_desc *desc_of(struct kunit *test,
				  const struct validator_row *row)
{
	char command[128];

	snprintf(command, sizeof(command), "e %s", row->fields);
	return parse(test, command);
}

static size_t row_size(const struct validator_row *row,
		       const struct event_desc *desc)
{
	return desc->fixed_size + row->pad + row->tail_len;
}

/* Creates a record in a block of exactly its size; @header fills its header. */
static char *record_of(struct kunit *test, const struct validator_row *row,
		       const struct event_desc *desc, char header)
{
	char *record = kunit_kzalloc(test, row_size(row, desc), GFP_KERNEL);
	char *at = record + USER_EVENT_HEADER_SIZE;
	size_t words = desc->fixed_size - USER_EVENT_HEADER_SIZE;

	KUNIT_ASSERT_NOT_NULL(test, record);
	KUNIT_ASSERT_LE(test, words, sizeof(row->words));

	memset(record, header, USER_EVENT_HEADER_SIZE);
	memcpy(at, row->words, words);
	memset(at + words, 'x', row->pad);
	memcpy(at + words + row->pad, row->tail, row->tail_len);

	return record;
}

static void validates_record(struct kunit *test)
{
	const struct validator_row *row = test->param_value;
	struct event_desc *desc = desc_of(test, row);
	size_t size = row_size(row, desc);
	char *record;

	/* The contents of the header are unknown and must not matter. */
	record = record_of(test, row, desc, 0);
	KUNIT_EXPECT_EQ(test, ue_record_validate(desc, record, size),
			row->expected);
	record = record_of(test, row, desc, 0xff);
	KUNIT_EXPECT_EQ(test, ue_record_validate(desc, record, size),
			row->expected);

	ue_desc_free(desc);
}

/* Tells whether following a word reads only the record. */
static bool reader_is_safe(const struct event_desc *desc, const char *record,
			   size_t size)
{
	const struct event_loc *loc = desc->locs;
	size_t start, len;
	u32 word;

	memcpy(&word, record + loc->offset, sizeof(word));
	len = word >> 16;
	start = word & 0xffff;
	if (loc->relative)
		start += loc->offset + 4;

	if (start + len > size)
		return false;

	if (!loc->string)
		return true;

	/* A reader that uses the length, and one that searches the NUL. */
	if (len && record[start + len - 1])
		return false;

	return memchr(record + start, '\0', size - start);
}

/*
 * All words in short records of a few relevant bytes: a valid record must be
 * safe to read, and a record that can be read safely without its header must be
 * valid.
 */
static void try_all_words(struct kunit *test, const char *command,
			  const char *tail, size_t tail_len)
{
	struct event_desc *desc = parse(test, command);
	size_t size = desc->fixed_size + tail_len;
	char *record = kunit_kzalloc(test, size + 1, GFP_KERNEL);
	u32 offset, len, word;
	int ret;

	KUNIT_ASSERT_NOT_NULL(test, record);
	memset(record, 0xff, USER_EVENT_HEADER_SIZE);
	memcpy(record + desc->fixed_size, tail, tail_len);

	for (offset = 0; offset <= size + 1; offset++) {
		for (len = 0; len <= size + 1; len++) {
			word = LOC(offset, len);
			memcpy(record + desc->locs[0].offset, &word, 4);

			/* A NUL follows only if it was requested. */
			record[size] = '?';
			ret = ue_record_validate(desc, record, size);
			if (ret == 1)
				record[size] = '\0';
			if (ret >= 0)
				KUNIT_EXPECT_TRUE_MSG(
					test,
					reader_is_safe(desc, record,
						       size + ret),
					"%s: %u bytes at %u of %zu", command,
					len, offset, size);
		}
	}

	ue_desc_free(desc);
}

static void valid_records_are_safe_to_read(struct kunit *test)
{
	static const char *const commands[] = {
		"e " DATA_STRING,
		"e " REL_STRING,
		"e " DATA_BYTES,
		"e " REL_BYTES,
	};
	static const char *const tails[] = { "abcd", "a\0cd", "abc\0",
					     "\0\0\0\0" };
	u32 i, j, len;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		for (j = 0; j < ARRAY_SIZE(tails); j++)
			for (len = 0; len <= 4; len++)
				try_all_words(test, commands[i], tails[j], len);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(validates_record, validation_gen_params),
	KUNIT_CASE(valid_records_are_safe_to_read),
	{},
};

static struct kunit_suite validator_suite = {
	.name = "user_events_validator",
	.test_cases = cases,
};

kunit_test_suite(validator_suite);
