// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/stddef.h>
#include <uapi/linux/btf.h>

#include "helpers.h"
#include "internals/btf.h"
#include "tables/btf.h"

/* The maximum number of members. */
#define MANY 65535

/**
 * struct blob - BTF that is being assembled
 * @types: the types so far
 * @types_len: their size
 * @room: size of the buffer of @types
 * @strings: the names so far
 * @strings_len: their size
 */
struct blob {
	u8 *types;
	size_t types_len;
	size_t room;
	char strings[512];
	size_t strings_len;
};

static struct blob *blob_new(struct kunit *test, size_t room)
{
	struct blob *blob = kunit_kzalloc(test, sizeof(*blob), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, blob);
	blob->types = kunit_kzalloc(test, room, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, blob->types);
	blob->room = room;
	/* The empty name. */
	blob->strings_len = 1;

	return blob;
}

static u32 blob_name(struct kunit *test, struct blob *blob, const char *name)
{
	size_t size = strlen(name) + 1;
	u32 offset = blob->strings_len;

	if (size == 1)
		return 0;

	KUNIT_ASSERT_LE(test, offset + size, sizeof(blob->strings));
	memcpy(blob->strings + offset, name, size);
	blob->strings_len += size;

	return offset;
}

static void blob_word(struct kunit *test, struct blob *blob, u32 word)
{
	KUNIT_ASSERT_LE(test, blob->types_len + sizeof(word), blob->room);
	memcpy(blob->types + blob->types_len, &word, sizeof(word));
	blob->types_len += sizeof(word);
}

static void blob_type(struct kunit *test, struct blob *blob, const char *name,
		      u32 kind, u32 vlen)
{
	blob_word(test, blob, blob_name(test, blob, name));
	blob_word(test, blob, kind << 24 | vlen);
	blob_word(test, blob, 0);
}

static void blob_member(struct kunit *test, struct blob *blob, const char *name,
			u32 offset)
{
	blob_word(test, blob, blob_name(test, blob, name));
	blob_word(test, blob, 1);
	blob_word(test, blob, offset);
}

/* Returns the finished BTF in a block of exactly its size. */
static u8 *blob_bytes(struct kunit *test, const struct blob *blob, size_t *size)
{
	struct btf_header header = {
		.magic = 0xeb9f,
		.version = 1,
		.hdr_len = sizeof(header),
		.type_len = blob->types_len,
		.str_off = blob->types_len,
		.str_len = blob->strings_len,
	};
	u8 *bytes;

	*size = sizeof(header) + blob->types_len + blob->strings_len;
	bytes = kunit_kzalloc(test, *size, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, bytes);

	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + sizeof(header), blob->types, blob->types_len);
	memcpy(bytes + sizeof(header) + blob->types_len, blob->strings,
	       blob->strings_len);

	return bytes;
}

static int blob_check(struct kunit *test, const struct blob *blob,
		      const struct btf_expectation *expected, size_t count,
		      const struct btf_expectation **failed)
{
	size_t size;
	u8 *bytes = blob_bytes(test, blob, &size);

	return ue_btf_check(bytes, size, expected, count, failed);
}

/* With bit fields, the upper byte of an offset is a number of bits. */
#define WITH_BITFIELDS (1U << 7)

/* The sample of struct btf_question_row. */
static struct blob *sample_new(struct kunit *test)
{
	struct blob *blob = blob_new(test, 1024);

	blob_type(test, blob, "target", KIND_UNION, 1);
	blob_member(test, blob, "first", 64 * 8);
	blob_type(test, blob, "target", KIND_FWD, 0);
	blob_type(test, blob, "other", KIND_STRUCT, 3);
	blob_member(test, blob, "first", 64);
	blob_member(test, blob, "alone", 0);
	blob_member(test, blob, "target", 8);
	blob_type(test, blob, "target", KIND_STRUCT, 4);
	blob_member(test, blob, "first", 0);
	blob_member(test, blob, "second", 8 * 8);
	blob_member(test, blob, "last", 4096 * 8);
	blob_member(test, blob, "first", 100 * 8);
	blob_type(test, blob, "target", KIND_STRUCT, 2);
	blob_member(test, blob, "first", 16 * 8);
	blob_member(test, blob, "late", 24 * 8);
	blob_type(test, blob, "bits", WITH_BITFIELDS | KIND_STRUCT, 4);
	blob_member(test, blob, "whole", 4 * 8);
	blob_member(test, blob, "flags", 3 << 24 | 8 * 8);
	blob_member(test, blob, "odd", 1 << 24 | 67);
	blob_member(test, blob, "far", 12 * 8);
	blob_type(test, blob, "empty", KIND_STRUCT, 0);

	return blob;
}

static const struct btf_expectation sample_facts[] = {
	{ "target", "first", 0 },
	{ "target", "second", 8 },
	{ "bits", "flags", 8 },
	{ "other", "alone", 0 },
};

static void kind_name(const struct btf_kind_row *row, char *name)
{
	sprintf(name, "kind %u of %u", row->kind, row->vlen);
}

static void question_name(const struct btf_question_row *row, char *name)
{
	sprintf(name, "%s.%s at %u", row->structure, row->member, row->offset);
}

static void damage_name(const struct btf_damage_row *row, char *name)
{
	strcpy(name, row->what);
}

KUNIT_ARRAY_PARAM(kind, btf_kinds, kind_name);
KUNIT_ARRAY_PARAM(question, btf_questions, question_name);
KUNIT_ARRAY_PARAM(damage, btf_damages, damage_name);

static void matches_members(struct kunit *test)
{
	const struct btf_question_row *row = test->param_value;
	const struct btf_expectation *failed = (void *)test;
	struct btf_expectation expected = {
		.structure = copy_text(test, row->structure),
		.member = copy_text(test, row->member),
		.offset = row->offset,
	};

	KUNIT_EXPECT_EQ(
		test, blob_check(test, sample_new(test), &expected, 1, &failed),
		row->expected);
	KUNIT_EXPECT_PTR_EQ(test, failed, row->expected ? &expected : NULL);
}

/* A type of the given kind with meaningless bytes. The target follows it. */
static struct blob *kind_blob(struct kunit *test,
			      const struct btf_kind_row *row)
{
	struct blob *blob = blob_new(test, 256);
	u32 i;

	blob_type(test, blob, "noise", row->kind, row->vlen);
	for (i = 0; i < row->words; i++)
		blob_word(test, blob, 0xffffffff);

	return blob;
}

static void skips_known_kinds(struct kunit *test)
{
	const struct btf_kind_row *row = test->param_value;
	const struct btf_expectation *failed;
	struct btf_expectation expected = { "target", "first", 5 };
	struct blob *blob = kind_blob(test, row);

	blob_type(test, blob, "target", KIND_STRUCT, 1);
	blob_member(test, blob, "first", 5 * 8);
	KUNIT_EXPECT_EQ(test, blob_check(test, blob, &expected, 1, &failed),
			row->known ? 0 : -EINVAL);
}

static void rejects_truncated_kinds(struct kunit *test)
{
	const struct btf_kind_row *row = test->param_value;
	const struct btf_expectation *failed;
	struct blob *blob = kind_blob(test, row);
	size_t whole = blob->types_len;

	KUNIT_EXPECT_EQ(test, blob_check(test, blob, NULL, 0, &failed),
			row->known ? 0 : -EINVAL);

	for (blob->types_len = 1; blob->types_len < whole; blob->types_len++)
		KUNIT_EXPECT_EQ_MSG(test,
				    blob_check(test, blob, NULL, 0, &failed),
				    -EINVAL, "%zu bytes of %zu",
				    blob->types_len, whole);
}

static void rejects_damaged_header(struct kunit *test)
{
	const struct btf_damage_row *row = test->param_value;
	const struct btf_expectation *failed = sample_facts;
	struct blob *blob = sample_new(test);
	size_t size;
	u8 *bytes = blob_bytes(test, blob, &size);
	u32 value = row->value;
	u16 half;

	if (row->of == BTF_ROOM)
		value += size - sizeof(struct btf_header);
	else if (row->of == BTF_TYPES)
		value += blob->types_len;
	else if (row->of == BTF_STRINGS)
		value += blob->strings_len;

	half = value;
	memcpy(bytes + row->at,
	       row->bytes == sizeof(half) ? (void *)&half : (void *)&value,
	       row->bytes);

	KUNIT_EXPECT_EQ(test,
			ue_btf_check(bytes, size, sample_facts,
				     ARRAY_SIZE(sample_facts), &failed),
			-EINVAL);
	KUNIT_EXPECT_NULL(test, failed);
}

static void rejects_truncation_at_every_byte(struct kunit *test)
{
	const struct btf_expectation *failed;
	size_t size, len;
	u8 *bytes = blob_bytes(test, sample_new(test), &size);

	KUNIT_EXPECT_EQ(test,
			ue_btf_check(bytes, size, sample_facts,
				     ARRAY_SIZE(sample_facts), &failed),
			0);

	for (len = 0; len < size; len++)
		KUNIT_EXPECT_EQ_MSG(test,
				    ue_btf_check(copy_bytes(test, bytes, len),
						 len, sample_facts,
						 ARRAY_SIZE(sample_facts),
						 &failed),
				    -EINVAL, "%zu bytes of %zu", len, size);
}

/* Damage may change the result, but must not cause reads outside the BTF. */
static void survives_damage_at_every_byte(struct kunit *test)
{
	static const u8 values[] = { 0, 1, 4, 0x7f, 0x80, 0xff };
	const struct btf_expectation *failed;
	size_t size, i, j;
	u8 *bytes = blob_bytes(test, sample_new(test), &size);
	u8 was;
	int ret;

	for (i = 0; i < size; i++) {
		was = bytes[i];
		for (j = 0; j < ARRAY_SIZE(values); j++) {
			bytes[i] = values[j];
			ret = ue_btf_check(bytes, size, sample_facts,
					   ARRAY_SIZE(sample_facts), &failed);
			KUNIT_EXPECT_TRUE_MSG(
				test, !ret || ret == -EINVAL || ret == -ESRCH,
				"%d for %02x at %zu", ret, values[j], i);
			KUNIT_EXPECT_EQ(test, ret == -ESRCH, !!failed);
		}
		bytes[i] = was;
	}
}

static void ignores_names_outside_strings(struct kunit *test)
{
	const struct btf_expectation *failed;
	struct btf_expectation expected = { "target", "first", 0 };
	struct blob *blob;
	u32 beyond[] = { 0, 1, 0x80000000, 0xfffffffe, 0xffffffff };
	u32 i, name;

	for (i = 0; i < ARRAY_SIZE(beyond); i++) {
		blob = blob_new(test, 256);
		blob_type(test, blob, "target", KIND_STRUCT, 1);
		blob_member(test, blob, "first", 0);
		/* The first two are just behind the strings. */
		name = beyond[i] + (beyond[i] < 2 ? blob->strings_len : 0);
		memcpy(blob->types, &name, sizeof(name));
		KUNIT_EXPECT_EQ_MSG(
			test, blob_check(test, blob, &expected, 1, &failed),
			-ESRCH, "structure with name %x", name);

		name = blob_name(test, blob, "target");
		memcpy(blob->types, &name, sizeof(name));
		KUNIT_EXPECT_EQ(
			test, blob_check(test, blob, &expected, 1, &failed), 0);
		name = beyond[i] + (beyond[i] < 2 ? blob->strings_len : 0);
		memcpy(blob->types + 12, &name, sizeof(name));
		KUNIT_EXPECT_EQ_MSG(
			test, blob_check(test, blob, &expected, 1, &failed),
			-ESRCH, "member with name %x", name);
	}
}

static void finds_last_of_many_members(struct kunit *test)
{
	const struct btf_expectation *failed;
	struct btf_expectation expected = { "target", "last", 9 };
	struct blob *blob = blob_new(test, 12 + MANY * 12);
	u32 i;

	blob_type(test, blob, "target", KIND_STRUCT, MANY);
	for (i = 0; i < MANY - 1; i++)
		blob_member(test, blob, "", 0);
	blob_member(test, blob, "last", 9 * 8);
	KUNIT_EXPECT_EQ(test, blob_check(test, blob, &expected, 1, &failed), 0);

	/* One member less than the type says. */
	blob->types_len -= 12;
	KUNIT_EXPECT_EQ(test, blob_check(test, blob, &expected, 1, &failed),
			-EINVAL);
}

/* The order of the sections and the size of the header are variable. */
static void accepts_any_order_of_sections(struct kunit *test)
{
	const struct btf_expectation *failed;
	struct blob *blob = sample_new(test);
	size_t strings_len = ALIGN(blob->strings_len, sizeof(u32));
	struct btf_header header = {
		.magic = 0xeb9f,
		.version = 1,
		.hdr_len = sizeof(header) + 8,
		.type_off = strings_len,
		.type_len = blob->types_len,
		.str_len = strings_len,
	};
	size_t size = header.hdr_len + strings_len + blob->types_len;
	u8 *bytes = kunit_kzalloc(test, size, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, bytes);
	memcpy(bytes, &header, sizeof(header));
	memcpy(bytes + header.hdr_len, blob->strings, blob->strings_len);
	memcpy(bytes + header.hdr_len + strings_len, blob->types,
	       blob->types_len);
	KUNIT_EXPECT_EQ(test,
			ue_btf_check(bytes, size, sample_facts,
				     ARRAY_SIZE(sample_facts), &failed),
			0);

	/* An empty section of types at the end is valid. */
	header.type_off += header.type_len;
	header.type_len = 0;
	memcpy(bytes, &header, sizeof(header));
	KUNIT_EXPECT_EQ(test, ue_btf_check(bytes, size, NULL, 0, &failed), 0);
	KUNIT_EXPECT_EQ(test,
			ue_btf_check(bytes, size, sample_facts,
				     ARRAY_SIZE(sample_facts), &failed),
			-ESRCH);
}

static void checks_every_expectation(struct kunit *test)
{
	struct btf_expectation *expected =
		kunit_kzalloc(test, 65 * sizeof(*expected), GFP_KERNEL);
	const struct btf_expectation *failed;
	struct blob *blob = sample_new(test);
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, expected);
	for (i = 0; i < 65; i++)
		expected[i] = sample_facts[i % ARRAY_SIZE(sample_facts)];

	KUNIT_EXPECT_EQ(test, blob_check(test, blob, expected, 65, &failed),
			-EINVAL);
	KUNIT_EXPECT_NULL(test, failed);
	KUNIT_EXPECT_EQ(test, blob_check(test, blob, expected, 64, &failed), 0);
	KUNIT_EXPECT_NULL(test, failed);

	for (i = 0; i < 64; i++) {
		expected[i].offset++;
		KUNIT_EXPECT_EQ_MSG(
			test, blob_check(test, blob, expected, 64, &failed),
			-ESRCH, "wrong offset in expectation %u", i);
		KUNIT_EXPECT_PTR_EQ(test, failed, &expected[i]);
		expected[i].offset--;

		expected[i].structure = "missing";
		KUNIT_EXPECT_EQ_MSG(
			test, blob_check(test, blob, expected, 64, &failed),
			-ESRCH, "missing structure in expectation %u", i);
		KUNIT_EXPECT_PTR_EQ(test, failed, &expected[i]);
		expected[i] = sample_facts[i % ARRAY_SIZE(sample_facts)];
	}
}

static void accepts_no_expectations(struct kunit *test)
{
	const struct btf_expectation *failed;
	struct blob *blob = blob_new(test, 4);

	KUNIT_EXPECT_EQ(test, blob_check(test, blob, NULL, 0, &failed), 0);
	KUNIT_EXPECT_EQ(test, blob_check(test, blob, sample_facts, 1, &failed),
			-ESRCH);
	KUNIT_EXPECT_PTR_EQ(test, failed, &sample_facts[0]);
}

static void measures_types_and_names(struct kunit *test)
{
	struct btf_extent extent = { .nr_types = 1000 };
	struct blob *blob = sample_new(test);
	size_t size;
	u8 *bytes = blob_bytes(test, blob, &size);

	KUNIT_EXPECT_EQ(test, ue_btf_extent(bytes, size, &extent), 0);
	KUNIT_EXPECT_EQ(test, extent.nr_types, 7U);
	KUNIT_EXPECT_EQ(test, extent.strings_len, (u32)blob->strings_len);

	bytes = blob_bytes(test, blob_new(test, 4), &size);
	KUNIT_EXPECT_EQ(test, ue_btf_extent(bytes, size, &extent), 0);
	KUNIT_EXPECT_EQ(test, extent.nr_types, 0U);
	KUNIT_EXPECT_EQ(test, extent.strings_len, 1U);
}

static void measures_complete_types_only(struct kunit *test)
{
	const struct btf_kind_row *row = test->param_value;
	struct btf_extent extent;
	struct blob *blob = kind_blob(test, row);
	size_t size, whole = blob->types_len;
	u8 *bytes = blob_bytes(test, blob, &size);

	KUNIT_EXPECT_EQ(test, ue_btf_extent(bytes, size, &extent),
			row->known ? 0 : -EINVAL);
	if (row->known)
		KUNIT_EXPECT_EQ(test, extent.nr_types, 1U);
	for (blob->types_len = 1; blob->types_len < whole; blob->types_len++) {
		bytes = blob_bytes(test, blob, &size);
		KUNIT_EXPECT_EQ(test, ue_btf_extent(bytes, size, &extent),
				-EINVAL);
	}
}

/* Functions as those of api/bpf_types.c, 100 types and 1000 bytes further */
static struct blob *functions_new(struct kunit *test, u32 types, u32 strings)
{
	/* clang-format off */
	const u32 words[] = {
		1 + strings, KIND_INT << 24, 4, 32,
		0, KIND_CONST << 24, 1 + types,
		0, KIND_PTR << 24, 2 + types,
		0, KIND_CONST << 24, 0,
		0, KIND_FUNC_PROTO << 24 | 3, 1 + types,
		5 + strings, 3 + types, 7 + strings, 1 + types, 0, 0,
		9 + strings, KIND_FUNC << 24, 5 + types,
	};
	/* clang-format on */
	struct blob *blob = blob_new(test, sizeof(words));
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		blob_word(test, blob, words[i]);
	blob->strings_len = 11;
	memcpy(blob->strings, "\0int\0a\0b\0f", blob->strings_len);

	return blob;
}

static void rebases_functions(struct kunit *test)
{
	const struct btf_extent base = { .nr_types = 100, .strings_len = 1000 };
	size_t size, expected_size;
	u8 *bytes = blob_bytes(test, functions_new(test, 0, 0), &size);
	u8 *expected = blob_bytes(test, functions_new(test, 100, 1000),
				  &expected_size);

	KUNIT_ASSERT_EQ(test, size, expected_size);
	KUNIT_EXPECT_EQ(test, ue_btf_rebase(bytes, size, &base), 0);
	KUNIT_EXPECT_EQ(test, memcmp(bytes, expected, size), 0);
}

static void rebases_functions_only(struct kunit *test)
{
	const struct btf_kind_row *row = test->param_value;
	const struct btf_extent base = { .nr_types = 100, .strings_len = 1000 };
	struct blob *blob = kind_blob(test, row);
	size_t size;
	u8 *bytes = blob_bytes(test, blob, &size);
	bool expected = row->kind == KIND_INT || row->kind == KIND_PTR ||
			row->kind == KIND_CONST || row->kind == KIND_FUNC ||
			row->kind == KIND_FUNC_PROTO;

	KUNIT_EXPECT_EQ(test, ue_btf_rebase(bytes, size, &base),
			expected ? 0 : -EINVAL);

	blob->types_len--;
	bytes = blob_bytes(test, blob, &size);
	KUNIT_EXPECT_EQ(test, ue_btf_rebase(bytes, size, &base), -EINVAL);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(matches_members, question_gen_params),
	KUNIT_CASE_PARAM(skips_known_kinds, kind_gen_params),
	KUNIT_CASE_PARAM(rejects_truncated_kinds, kind_gen_params),
	KUNIT_CASE_PARAM(rejects_damaged_header, damage_gen_params),
	KUNIT_CASE(rejects_truncation_at_every_byte),
	KUNIT_CASE(survives_damage_at_every_byte),
	KUNIT_CASE(ignores_names_outside_strings),
	KUNIT_CASE(finds_last_of_many_members),
	KUNIT_CASE(accepts_any_order_of_sections),
	KUNIT_CASE(checks_every_expectation),
	KUNIT_CASE(accepts_no_expectations),
	KUNIT_CASE(measures_types_and_names),
	KUNIT_CASE_PARAM(measures_complete_types_only, kind_gen_params),
	KUNIT_CASE(rebases_functions),
	KUNIT_CASE_PARAM(rebases_functions_only, kind_gen_params),
	{},
};

static struct kunit_suite btf_suite = {
	.name = "user_events_btf",
	.test_cases = cases,
};

kunit_test_suite(btf_suite);
