// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arbitrary BTF: a line of questions "structure member offset;", then the BTF.
 */
#include "internals/btf.h"

#include <stdio.h>
#include <stdlib.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/stddef.h>
#include <linux/string.h>
#include <uapi/linux/btf.h>

#include "fuzz.h"
#include "tables/btf.h"
#include "tables/repeat.h"

/* One more than the maximum. */
#define MAX_QUESTIONS 65

#define NAME_SIZE 32

/* Questions of the seeds. */
#define QUESTION "target first 8;"
#define QUESTIONS QUESTION "target second 16;"

/**
 * struct questions - questions about structures
 * @expected: the questions
 * @names: the names in them
 * @count: number of questions
 */
struct questions {
	struct btf_expectation expected[MAX_QUESTIONS];
	char names[MAX_QUESTIONS][2][NAME_SIZE];
	size_t count;
};

static void questions_init(struct questions *questions, const char *text)
{
	struct btf_expectation *expected = questions->expected;
	char(*names)[NAME_SIZE];

	questions->count = 0;
	while (questions->count < MAX_QUESTIONS) {
		names = questions->names[questions->count];
		if (sscanf(text, "%31s%31s%u", names[0], names[1],
			   &expected->offset) != 3)
			return;

		expected->structure = names[0];
		expected->member = names[1];
		expected++;
		questions->count++;
		text = strchr(text, ';');
		if (!text)
			return;
		text++;
	}
}

/**
 * struct bytes - a part of the BTF
 * @at: its start
 * @size: its size
 */
struct bytes {
	const u8 *at;
	u64 size;
};

static u32 word_at(const struct bytes *bytes, u64 offset)
{
	u32 word;

	memcpy(&word, bytes->at + offset, sizeof(word));
	return word;
}

/* Returns a part of another part, or an empty one at NULL. */
static struct bytes part_of(const struct bytes *whole, u64 offset, u64 size)
{
	if (offset + size > whole->size)
		return (struct bytes){};

	return (struct bytes){ whole->at + offset, size };
}

static bool name_is(const struct bytes *strings, u32 offset, const char *name)
{
	size_t size = strlen(name) + 1;
	struct bytes part = part_of(strings, offset, size);

	return part.at && !memcmp(part.at, name, size);
}

/* Returns the words behind the three of each type, or -1 for unknown kinds. */
static int words_behind(u32 kind, u32 vlen)
{
	static const struct {
		int fixed;
		int each;
	} words[] = {
		[KIND_INT] = { 1, 0 },	      [KIND_PTR] = { 0, 0 },
		[KIND_ARRAY] = { 3, 0 },      [KIND_STRUCT] = { 0, 3 },
		[KIND_UNION] = { 0, 3 },      [KIND_ENUM] = { 0, 2 },
		[KIND_FWD] = { 0, 0 },	      [KIND_TYPEDEF] = { 0, 0 },
		[KIND_VOLATILE] = { 0, 0 },   [KIND_CONST] = { 0, 0 },
		[KIND_RESTRICT] = { 0, 0 },   [KIND_FUNC] = { 0, 0 },
		[KIND_FUNC_PROTO] = { 0, 2 }, [KIND_VAR] = { 1, 0 },
		[KIND_DATASEC] = { 0, 3 },    [KIND_FLOAT] = { 0, 0 },
		[KIND_DECL_TAG] = { 1, 0 },   [KIND_TYPE_TAG] = { 0, 0 },
		[KIND_ENUM64] = { 0, 3 },
	};

	if (!kind || kind >= ARRAY_SIZE(words))
		return -1;

	return words[kind].fixed + words[kind].each * (int)vlen;
}

static bool has_member(const struct bytes *type, const struct bytes *strings,
		       const struct btf_expectation *expected)
{
	bool bitfields = word_at(type, 4) & 0x80000000;
	u64 at;
	u32 bits;

	for (at = 12; at < type->size; at += 12) {
		if (!name_is(strings, word_at(type, at), expected->member))
			continue;

		bits = word_at(type, at + 8);
		if (bitfields)
			bits &= 0xffffff;
		return !(bits & 7) &&
		       bits >> 3 == (expected->offset & 0x1fffffff);
	}

	return false;
}

/* Returns the first question that fails, or the number of questions. */
static size_t first_failed(const struct questions *questions,
			   const struct bytes *type,
			   const struct bytes *strings, bool *answered)
{
	const struct btf_expectation *expected;
	size_t i;

	for (i = 0; i < questions->count; i++) {
		expected = &questions->expected[i];
		if (answered[i] ||
		    !name_is(strings, word_at(type, 0), expected->structure))
			continue;
		if (!has_member(type, strings, expected))
			return i;
		answered[i] = true;
	}

	return i;
}

/* Returns the expected result; with -ESRCH, @failed is the question. */
static int answer_types(const struct bytes *types, const struct bytes *strings,
			const struct questions *questions, size_t *failed)
{
	bool answered[MAX_QUESTIONS] = {};
	struct bytes type;
	u64 at, size;
	int words;
	u32 info;

	for (at = 0; at < types->size; at += size) {
		if (types->size - at < 12)
			return -EINVAL;

		info = word_at(types, at + 4);
		words = words_behind(info >> 24 & 31, info & 0xffff);
		if (words < 0)
			return -EINVAL;

		size = 12 + 4 * (u64)words;
		type = part_of(types, at, size);
		if (!type.at)
			return -EINVAL;

		if ((info >> 24 & 31) != KIND_STRUCT)
			continue;

		*failed = first_failed(questions, &type, strings, answered);
		if (*failed < questions->count)
			return -ESRCH;
	}

	for (*failed = 0; *failed < questions->count; ++*failed)
		if (!answered[*failed])
			return -ESRCH;

	return 0;
}

static int answer(const struct bytes *blob, const struct questions *questions,
		  size_t *failed)
{
	struct bytes sections, types, strings;
	u32 header;

	if (questions->count > 64 || blob->size < sizeof(struct btf_header))
		return -EINVAL;

	header = word_at(blob, 4);
	if ((word_at(blob, 0) & 0xffff) != 0xeb9f || header > blob->size ||
	    header % 4)
		return -EINVAL;

	sections = part_of(blob, header, blob->size - header);
	types = part_of(&sections, word_at(blob, 8), word_at(blob, 12));
	strings = part_of(&sections, word_at(blob, 16), word_at(blob, 20));
	if (!types.at || word_at(blob, 8) % 4 || !strings.at || !strings.size ||
	    strings.at[strings.size - 1])
		return -EINVAL;

	return answer_types(&types, &strings, questions, failed);
}

static void check_blob(const struct bytes *blob,
		       const struct questions *questions)
{
	const struct btf_expectation *failed = (const void *)blob;
	size_t first = 0;
	int ret = ue_btf_check(blob->at, blob->size, questions->expected,
			       questions->count, &failed);

	EXPECT(ret == answer(blob, questions, &first));
	EXPECT(failed == (ret == -ESRCH ? &questions->expected[first] : NULL));
}

/* Both parse all types, and change or read nothing outside. */
static void check_base(const struct bytes *blob)
{
	static const struct questions none;
	struct btf_extent extent = {};
	size_t first;
	int ret = ue_btf_extent(blob->at, blob->size, &extent);
	u8 *copy = memcpy(fuzz_alloc(blob->size), blob->at, blob->size);

	EXPECT(ret == answer(blob, &none, &first));
	/* Unsupported kinds are an error, too. */
	EXPECT(ue_btf_rebase(copy, blob->size, &extent) <= ret);
	free(copy);
}

static void input(const u8 *data, size_t size)
{
	static struct questions questions;
	const u8 *end = size ? memchr(data, '\n', size) : NULL;
	struct bytes blob;
	char *text;

	if (!end)
		return;

	text = fuzz_text(data, end - data);
	questions_init(&questions, text);
	free(text);

	/* A block of its own is aligned and has the exact size. */
	blob.size = data + size - end - 1;
	blob.at = memcpy(fuzz_alloc(blob.size), end + 1, blob.size);
	check_blob(&blob, &questions);
	check_base(&blob);
	free((void *)blob.at);
}

/**
 * struct writer - BTF that is being assembled
 * @types: words of the types
 * @nr_words: number of these
 * @strings: the names
 * @strings_size: their size
 */
struct writer {
	u32 types[128];
	size_t nr_words;
	char strings[256];
	size_t strings_size;
};

static void write_type(struct writer *writer, const char *name, u32 info,
		       u32 last)
{
	size_t size = strlen(name) + 1;

	writer->types[writer->nr_words++] = writer->strings_size;
	writer->types[writer->nr_words++] = info;
	writer->types[writer->nr_words++] = last;
	memcpy(writer->strings + writer->strings_size, name, size);
	writer->strings_size += size;
}

static void write_target(struct writer *writer, u32 bitfields, u32 offset)
{
	write_type(writer, "target", bitfields << 31 | KIND_STRUCT << 24 | 2,
		   24);
	write_type(writer, "first", 1, 8 * offset);
	/* The number of bits is in the upper byte. */
	write_type(writer, "second", 1, bitfields << 24 | (8 * offset + 64));
}

/* Writes a kind in front of a structure with or without bit fields. */
static void write_seed(struct writer *writer, const struct btf_kind_row *row,
		       u32 bitfields)
{
	writer->nr_words = 0;
	writer->strings_size = 1;
	write_type(writer, "kind", row->kind << 24 | row->vlen, 0);
	memset(writer->types + writer->nr_words, 0, 4 * row->words);
	writer->nr_words += row->words;
	write_target(writer, bitfields, 8);
}

/* @gap meaningless bytes precede the types. */
static void add_seed(fuzz_add_fn add, const struct writer *writer,
		     const char *questions, u32 gap,
		     const struct btf_damage_row *damage)
{
	struct btf_header header = {
		.magic = 0xeb9f,
		.version = 1,
		.hdr_len = sizeof(header),
		.type_off = gap,
		.type_len = 4 * writer->nr_words,
		.str_off = gap + 4 * writer->nr_words,
		.str_len = writer->strings_size,
	};
	const u32 sizes[] = {
		[BTF_NOTHING] = 0,
		[BTF_ROOM] = header.str_off + header.str_len,
		[BTF_TYPES] = header.type_len,
		[BTF_STRINGS] = header.str_len,
	};
	u8 bytes[2048] = {};
	size_t len;
	u32 value;

	if (damage) {
		value = damage->value + sizes[damage->of];
		memcpy((u8 *)&header + damage->at, &value, damage->bytes);
	}

	len = sprintf((char *)bytes, "%s\n", questions);
	memcpy(bytes + len, &header, sizeof(header));
	len += sizeof(header) + gap;
	memcpy(bytes + len, writer->types, 4 * writer->nr_words);
	len += 4 * writer->nr_words;
	memcpy(bytes + len, writer->strings, writer->strings_size);
	add(bytes, len + writer->strings_size);
}

static void seeds(fuzz_add_fn add)
{
	struct writer writer = {};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(btf_kinds); i++) {
		write_seed(&writer, &btf_kinds[i], i % 2);
		add_seed(add, &writer, QUESTIONS, 0, NULL);
	}

	write_seed(&writer, &btf_kinds[0], 0);
	for (i = 0; i < 2 * ARRAY_SIZE(btf_damages); i++)
		add_seed(add, &writer, QUESTIONS, 4 * (i % 2),
			 &btf_damages[i / 2]);

	/* The maximum number of questions, and one more. */
	add_seed(add, &writer, X64(QUESTION), 0, NULL);
	add_seed(add, &writer, X64(QUESTION) QUESTION, 0, NULL);

	/* Another structure of the same name. */
	write_target(&writer, 0, 24);
	add_seed(add, &writer, QUESTIONS, 0, NULL);
}

const struct fuzz_target btf_target = {
	.name = "btf",
	.input = input,
	.seeds = seeds,
};
