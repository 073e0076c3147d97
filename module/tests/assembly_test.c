// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>

#include "format/assembly.h"
#include "format/validator.h"
#include "helpers.h"
#include "limits.h"

/**
 * struct assembled - a record in a block of exactly its room
 * @to: the record
 * @desc: its event
 */
struct assembled {
	struct record_assembly to;
	struct event_desc *desc;
};

/* Starts a record with @more bytes of room behind its fixed fields. */
static struct assembled start(struct kunit *test, const char *command,
			      size_t more)
{
	struct assembled record = { .desc = parse(test, command) };
	size_t room = record.desc->fixed_size + more;
	u8 *entry = kunit_kzalloc(test, room, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, entry);
	memset(entry, 0xff, room);
	KUNIT_ASSERT_EQ(test, 0,
			ue_assembly_start(&record.to, record.desc, entry,
					  room));
	return record;
}

static const struct event_field *field(const struct assembled *record,
				       const char *name)
{
	return ue_assembly_find(&record->to, name);
}

static int set(struct assembled *record, const char *name, const char *bytes)
{
	return ue_assembly_bytes(&record->to, field(record, name), bytes,
				 strlen(bytes));
}

static u32 word_at(const struct assembled *record, const char *name)
{
	u32 word;

	memcpy(&word, record->to.entry + field(record, name)->offset, 4);
	return word;
}

static void starts_with_zeros(struct kunit *test)
{
	struct assembled record = start(test, "e u32 a;struct s b 7", 0);
	u32 i;

	KUNIT_EXPECT_EQ(test, record.to.len, USER_EVENT_HEADER_SIZE + 11);
	for (i = 0; i < record.to.len; i++)
		KUNIT_EXPECT_EQ(test, record.to.entry[i], 0);
	ue_desc_free(record.desc);
}

static void rejects_room_without_fixed_fields(struct kunit *test)
{
	struct event_desc *desc = parse(test, "e u64 a");
	struct record_assembly to;
	u8 entry[32];

	KUNIT_EXPECT_EQ(test,
			ue_assembly_start(&to, desc, entry,
					  USER_EVENT_HEADER_SIZE + 7),
			-E2BIG);
	ue_desc_free(desc);
}

static void finds_fields_by_name(struct kunit *test)
{
	struct assembled record = start(test, "e u32 a;u32 ab;u8 b", 0);

	KUNIT_EXPECT_PTR_EQ(
		test, field(&record, "ab"),
		(const struct event_field *)&record.desc->fields[1]);
	KUNIT_EXPECT_PTR_EQ(
		test, field(&record, "b"),
		(const struct event_field *)&record.desc->fields[2]);
	KUNIT_EXPECT_NULL(test, field(&record, "c"));
	ue_desc_free(record.desc);
}

/* Each number, and not its neighbours. */
static void stores_numbers(struct kunit *test)
{
	struct assembled record =
		start(test, "e u8 a;s16 b;unsigned int c;s64 d;u8 e", 0);
	const u64 value = 0x8182838485868788ULL;
	const u8 *at = record.to.entry + USER_EVENT_HEADER_SIZE;
	static const char *const names[] = { "a", "b", "c", "d" };
	u64 d;
	u32 c, i;
	u16 b;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ(test, 0,
				ue_assembly_number(&record.to,
						   field(&record, names[i]),
						   value));
	memcpy(&b, at + 1, sizeof(b));
	memcpy(&c, at + 3, sizeof(c));
	memcpy(&d, at + 7, sizeof(d));
	KUNIT_EXPECT_EQ(test, at[0], 0x88);
	KUNIT_EXPECT_EQ(test, b, 0x8788);
	KUNIT_EXPECT_EQ(test, c, 0x85868788U);
	KUNIT_EXPECT_EQ(test, d, value);
	KUNIT_EXPECT_EQ(test, at[15], 0);
	ue_desc_free(record.desc);
}

static void rejects_other_kind(struct kunit *test)
{
	struct assembled record = start(
		test, "e u32 n;char[4] a;struct s b 4;__rel_loc u8[] c", 8);
	static const char *const names[] = { "a", "b", "c" };
	u32 i;

	KUNIT_EXPECT_EQ(test, set(&record, "n", "abcd"), -EINVAL);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ(test, -EINVAL,
				ue_assembly_number(&record.to,
						   field(&record, names[i]),
						   1));
	ue_desc_free(record.desc);
}

static void pads_arrays(struct kunit *test)
{
	struct assembled record = start(test, "e char[4] a;u8 b", 0);
	const u8 *at = record.to.entry + USER_EVENT_HEADER_SIZE;

	KUNIT_EXPECT_EQ(test, set(&record, "a", "wxyz"), 0);
	KUNIT_EXPECT_EQ(test, memcmp(at, "wxyz\0", 5), 0);
	KUNIT_EXPECT_EQ(test, set(&record, "a", "pq"), 0);
	KUNIT_EXPECT_EQ(test, memcmp(at, "pq\0\0\0", 5), 0);
	KUNIT_EXPECT_EQ(test, set(&record, "a", "abcde"), -E2BIG);
	KUNIT_EXPECT_EQ(test, memcmp(at, "pq\0\0\0", 5), 0);
	ue_desc_free(record.desc);
}

/* The words count from the start of the entry, or from their own end. */
static void appends_dynamic_fields(struct kunit *test)
{
	struct assembled record = start(
		test, "e __data_loc char[] a;__rel_loc char[] b;u32 c", 16);
	const u32 head = USER_EVENT_HEADER_SIZE;

	KUNIT_EXPECT_EQ(test, set(&record, "b", "later"), 0);
	KUNIT_EXPECT_EQ(test, word_at(&record, "b"), 6U << 16 | 4);
	KUNIT_EXPECT_EQ(test, set(&record, "a", "abc"), 0);
	KUNIT_EXPECT_EQ(test, word_at(&record, "a"), 4U << 16 | (head + 18));
	KUNIT_EXPECT_EQ(test, record.to.len, head + 12 + 6 + 4);
	KUNIT_EXPECT_EQ(
		test, memcmp(record.to.entry + head + 12, "later\0abc", 10), 0);
	KUNIT_EXPECT_EQ(test, 0,
			ue_record_validate(record.desc, record.to.entry,
					   record.to.len));
	ue_desc_free(record.desc);
}

/* Only a string gets a NUL, and only if it has none. */
static void ends_strings(struct kunit *test)
{
	static const struct {
		const char *command;
		const char *bytes;
		size_t size;
		u32 expected;
	} cases[] = {
		{ "e __data_loc char[] a", "ab", 2, 3 },
		{ "e __data_loc char[] a", "ab", 3, 3 },
		{ "e __data_loc char[] a", "", 0, 1 },
		{ "e __rel_loc char[] a", "ab", 2, 3 },
		{ "e __data_loc u8[] a", "ab", 2, 2 },
		{ "e __rel_loc u8[] a", "", 0, 0 },
	};
	struct assembled record;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		record = start(test, cases[i].command, 3);
		KUNIT_EXPECT_EQ(
			test, 0,
			ue_assembly_bytes(&record.to, field(&record, "a"),
					  cases[i].bytes, cases[i].size));
		KUNIT_EXPECT_EQ_MSG(test, word_at(&record, "a") >> 16,
				    cases[i].expected, "%s", cases[i].command);
		KUNIT_EXPECT_EQ(test, 0,
				ue_record_validate(record.desc, record.to.entry,
						   record.to.len));
		ue_desc_free(record.desc);
	}
}

static void rejects_bytes_without_room(struct kunit *test)
{
	struct assembled record =
		start(test, "e __rel_loc u8[] a;__rel_loc char[] b", 4);
	size_t len = record.to.len;

	KUNIT_EXPECT_EQ(test, set(&record, "a", "abcde"), -E2BIG);
	KUNIT_EXPECT_EQ(test, set(&record, "b", "abcd"), -E2BIG);
	KUNIT_EXPECT_EQ(test, -E2BIG,
			ue_assembly_bytes(&record.to, field(&record, "a"), "",
					  SIZE_MAX));
	KUNIT_EXPECT_EQ(test, record.to.len, len);
	KUNIT_EXPECT_EQ(test, word_at(&record, "a"), 0);
	KUNIT_EXPECT_EQ(test, set(&record, "a", "abcd"), 0);
	KUNIT_EXPECT_EQ(test, set(&record, "b", ""), -E2BIG);
	ue_desc_free(record.desc);
}

/* Not at the header, nor at the number behind the word. */
static void unset_strings_share_an_empty_one(struct kunit *test)
{
	struct assembled record =
		start(test,
		      "e __rel_loc char[] a;u32 n;__data_loc char[] b;"
		      "__data_loc char[] set;__rel_loc u8[] bytes",
		      3);
	const u32 empty = USER_EVENT_HEADER_SIZE + 20 + 2;

	KUNIT_EXPECT_EQ(test, 0,
			ue_assembly_number(&record.to, field(&record, "n"),
					   0x41424344));
	KUNIT_EXPECT_EQ(test, set(&record, "set", "x"), 0);
	KUNIT_EXPECT_EQ(test, ue_assembly_end(&record.to), 0);
	KUNIT_EXPECT_EQ(test, record.to.len, empty + 1);
	KUNIT_EXPECT_EQ(test, record.to.entry[empty], 0);
	KUNIT_EXPECT_EQ(test, word_at(&record, "a"),
			1U << 16 | (empty - USER_EVENT_HEADER_SIZE - 4));
	KUNIT_EXPECT_EQ(test, word_at(&record, "b"), 1U << 16 | empty);
	KUNIT_EXPECT_EQ(test, word_at(&record, "set"), 2U << 16 | (empty - 2));
	KUNIT_EXPECT_EQ(test, word_at(&record, "bytes"), 0);
	KUNIT_EXPECT_EQ(test, 0,
			ue_record_validate(record.desc, record.to.entry,
					   record.to.len));
	ue_desc_free(record.desc);
}

static void needs_room_only_for_unset_strings(struct kunit *test)
{
	struct assembled record = start(test, "e __data_loc char[] a", 2);

	KUNIT_EXPECT_EQ(test, set(&record, "a", "x"), 0);
	KUNIT_EXPECT_EQ(test, ue_assembly_end(&record.to), 0);
	ue_desc_free(record.desc);

	record = start(test, "e __data_loc char[] a", 0);
	KUNIT_EXPECT_EQ(test, ue_assembly_end(&record.to), -E2BIG);
	ue_desc_free(record.desc);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(starts_with_zeros),
	KUNIT_CASE(rejects_room_without_fixed_fields),
	KUNIT_CASE(finds_fields_by_name),
	KUNIT_CASE(stores_numbers),
	KUNIT_CASE(rejects_other_kind),
	KUNIT_CASE(pads_arrays),
	KUNIT_CASE(appends_dynamic_fields),
	KUNIT_CASE(ends_strings),
	KUNIT_CASE(rejects_bytes_without_room),
	KUNIT_CASE(unset_strings_share_an_empty_one),
	KUNIT_CASE(needs_room_only_for_unset_strings),
	{},
};

static struct kunit_suite assembly_suite = {
	.name = "user_events_assembly",
	.test_cases = cases,
};

kunit_test_suite(assembly_suite);
