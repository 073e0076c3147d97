// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random texts, the same in each run, so that failures can be reproduced.
 */
#include <linux/errno.h>
#include <stdlib.h>

#include "format/print_fmt.h"
#include "format/validator.h"
#include "helpers.h"
#include "limits.h"

/* Number of texts; USER_EVENTS_RANDOM in the environment overrides it. */
#define DEFAULT_ROUNDS 200000

/* With fewer texts some cases might not occur. */
#define MIN_ROUNDS 10000

/* Maximum number of fields of a text. */
#define MAX_FIELDS 6

/* Size of the buffer of a text. */
#define TEXT_SIZE 1024

static u64 random_state;

static u32 random_below(u32 end)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;

	return (random_state >> 32) % end;
}

static u32 rounds(void)
{
	const char *text = getenv("USER_EVENTS_RANDOM");
	u32 number = text ? strtoul(text, NULL, 10) : DEFAULT_ROUNDS;

	return number > MIN_ROUNDS ? number : MIN_ROUNDS;
}

/* Parts of valid commands. */
static const char *const types[] = {
	"u8",
	"s8",
	"u16",
	"s16",
	"u32",
	"s32",
	"u64",
	"s64",
	"int",
	"short",
	"char",
	"unsigned int",
	"unsigned char",
	"unsigned short",
	"char[16]",
	"char[0x10]",
	"char[1024]",
	"unsigned char[3]",
	"char[5]x",
	"__data_loc char[]",
	"__data_loc u8[]",
	"__data_loc unsigned char[]",
	"__rel_loc char[]",
	"__rel_loc ",
	"__rel_loc unsigned char[]",
	"__data_loc \xc3\xa0",
	"__rel_loc \xa0",
	"__data_loc a\tchar",
};

static const char *const structs[] = {
	"struct s", "struct ", "struct \xa0x", "struct char[", "struct s\tt",
};

static const char *const names[] = {
	"a",	      "b",	  "name", "x_1",   "%s",     "\"",
	"a:b",	      "a[4]",	  "...",  "\\",	   "u32",    "struct",
	"__data_loc", "\xc3\xa0", "\xa0", "\xa0z", "a\xa0z",
};

static const char *const sizes[] = {
	"1", "4", "20", "+20", "020", "65527", "30000", "9999\n",
};

static const char *const separators[] = { ";", "; ", ";;", " ;", ";\t;\xa0" };

/* Similar to these, but invalid. */
static const char *const noise[] = {
	"",	     " ",      "  ",	   "\t",	"\n",
	"\xa0",	     ";",      ":",	   ",",		"/",
	"..",	     "[",      "]",	   "[4]",	"0",
	"0x14",	     "1025",   "65528",	   "-1",	"4294967295",
	"long",	     "struct", "unsigned", "unsigned ", "__data_loc ",
	"__rel_loc", "\x01",   "\x7f",	   "\xff",	"4294967288",
};

#define PICK(array) ((array)[random_below(ARRAY_SIZE(array))])

/* Occasionally an invalid part. */
static const char *nearly(const char *word)
{
	return random_below(40) ? word : PICK(noise);
}

/**
 * struct text - a text that is being generated
 * @bytes: the text so far
 * @len: its length
 */
struct text {
	char bytes[TEXT_SIZE];
	size_t len;
};

static void add_word(struct text *text, const char *word)
{
	word = nearly(word);
	text->len += snprintf(text->bytes + text->len, TEXT_SIZE - text->len,
			      "%s", word);
}

static void add_field(struct text *text)
{
	bool is_struct = !random_below(5);

	add_word(text, is_struct ? PICK(structs) : PICK(types));
	add_word(text, " ");
	add_word(text, PICK(names));
	if (is_struct) {
		add_word(text, " ");
		add_word(text, PICK(sizes));
	}
}

static void add_fields(struct text *text)
{
	u32 count = random_below(MAX_FIELDS + 1);

	while (count--) {
		add_field(text);
		/* A ';' behind the last field is optional. */
		if (count || random_below(2))
			add_word(text, PICK(separators));
	}
}

/* Occasionally a random byte. */
static void spoil(struct text *text)
{
	if (text->len && !random_below(8))
		text->bytes[random_below(text->len)] = 1 + random_below(255);
}

static void random_fields(struct text *text)
{
	text->len = 0;
	text->bytes[0] = '\0';
	add_fields(text);
	spoil(text);
}

static void random_command(struct text *text)
{
	text->len = 0;
	add_word(text, PICK(names));
	if (!random_below(4))
		add_word(text, ":f");
	add_word(text, " ");
	add_fields(text);
	spoil(text);
}

/* Properties of every description. */
static void expect_sound(struct kunit *test, const struct event_desc *desc)
{
	u32 end = USER_EVENT_HEADER_SIZE;
	const struct event_field *field;
	u32 locs = 0;
	u32 i;

	for (i = 0; i < desc->nr_fields; i++) {
		field = &desc->fields[i];
		KUNIT_ASSERT_EQ(test, field->offset, end);
		KUNIT_EXPECT_TRUE(test, field->size > 0);
		end += field->size;
		KUNIT_ASSERT_LE(test, end, USER_EVENT_FIXED_MAX);
		KUNIT_EXPECT_TRUE(test, *field->name);
		KUNIT_EXPECT_PTR_EQ(test, ue_field_type_find(field->type),
				    field->kind);
		KUNIT_EXPECT_EQ(test, field->kind->class == FIELD_ARRAY,
				field->len > 0);

		if (!ue_field_type_is_loc(field->kind))
			continue;

		KUNIT_ASSERT_LT(test, locs, desc->nr_locs);
		KUNIT_EXPECT_EQ(test, desc->locs[locs].offset, field->offset);
		locs++;
	}

	KUNIT_EXPECT_EQ(test, locs, desc->nr_locs);
	KUNIT_EXPECT_EQ(test, end, desc->fixed_size);
}

static void expect_same(struct kunit *test, const struct event_desc *a,
			const struct event_desc *b)
{
	u32 i;

	KUNIT_EXPECT_STREQ(test, a->name, b->name);
	KUNIT_EXPECT_EQ(test, a->fixed_size, b->fixed_size);
	KUNIT_ASSERT_EQ(test, a->nr_fields, b->nr_fields);
	KUNIT_ASSERT_EQ(test, a->nr_locs, b->nr_locs);

	for (i = 0; i < a->nr_fields; i++) {
		KUNIT_EXPECT_STREQ(test, a->fields[i].type, b->fields[i].type);
		KUNIT_EXPECT_STREQ(test, a->fields[i].name, b->fields[i].name);
		KUNIT_EXPECT_PTR_EQ(test, a->fields[i].kind, b->fields[i].kind);
		KUNIT_EXPECT_EQ(test, a->fields[i].size, b->fields[i].size);
		KUNIT_EXPECT_EQ(test, a->fields[i].len, b->fields[i].len);
	}

	for (i = 0; i < a->nr_locs; i++) {
		KUNIT_EXPECT_EQ(test, a->locs[i].relative, b->locs[i].relative);
		KUNIT_EXPECT_EQ(test, a->locs[i].string, b->locs[i].string);
	}
}

/* Equal with respect to records. */
static void expect_alike(struct kunit *test, const struct event_desc *a,
			 const struct event_desc *b)
{
	u32 i;

	KUNIT_EXPECT_EQ(test, a->fixed_size, b->fixed_size);
	KUNIT_ASSERT_EQ(test, a->nr_fields, b->nr_fields);
	KUNIT_ASSERT_EQ(test, a->nr_locs, b->nr_locs);
	for (i = 0; i < a->nr_fields; i++)
		KUNIT_EXPECT_PTR_EQ(test, a->fields[i].kind, b->fields[i].kind);
}

/* The text of an event creates the same event. */
static void expect_text_is_command(struct kunit *test,
				   const struct event_desc *desc,
				   const char *text)
{
	struct event_command command = { .name = desc->name, .args = text };
	struct event_desc *again = ue_desc_parse(&command);

	KUNIT_ASSERT_FALSE(test, IS_ERR(again));
	expect_same(test, desc, again);
	ue_desc_free(again);
}

static void expect_good(struct kunit *test, const struct event_desc *desc,
			const char *args)
{
	char *print_fmt = format_text(ue_desc_print_fmt, desc);
	char *text = format_text(ue_desc_text, desc);

	KUNIT_ASSERT_NOT_NULL(test, print_fmt);
	KUNIT_ASSERT_NOT_NULL(test, text);

	expect_sound(test, desc);
	KUNIT_EXPECT_TRUE_MSG(test, ue_desc_match_text(desc, text),
			      "'%s' made of '%s'", text, args ?: "");
	expect_text_is_command(test, desc, text);

	kfree(text);
	kfree(print_fmt);
}

static void commands_are_rejected_or_valid(struct kunit *test)
{
	u32 good = 0, with_fields = 0, refused = 0;
	struct event_command command;
	struct event_desc *desc;
	struct text text;
	char *copy;
	u32 left;
	int ret;

	random_state = 0x9e3779b97f4a7c15;
	for (left = rounds(); left; left--) {
		random_command(&text);
		copy = strdup(text.bytes);
		ret = ue_command_split(copy, &command);
		desc = ret ? ERR_PTR(ret) : ue_desc_parse(&command);
		if (!IS_ERR(desc)) {
			expect_good(test, desc, command.args);
			good++;
			with_fields += desc->nr_fields > 0;
			ue_desc_free(desc);
		} else {
			KUNIT_EXPECT_EQ_MSG(test, PTR_ERR(desc), -EINVAL, "%s",
					    text.bytes);
			refused++;
		}
		free(copy);
	}

	/* Else nothing was tested. */
	KUNIT_EXPECT_TRUE(test, refused > rounds() / 4);
	KUNIT_EXPECT_TRUE(test, good > rounds() / 4);
	KUNIT_EXPECT_TRUE(test, with_fields > rounds() / 4);
}

/*
 * A text that describes an event creates the same event. Exceptions are texts
 * with white space that a command must not have.
 */
static void matching_texts_create_same_event(struct kunit *test)
{
	struct event_command command = { .name = "e" };
	struct event_desc *desc, *other;
	struct text first, second;
	u32 same = 0, left;

	random_state = 0x2545f4914f6cdd1d;
	for (left = rounds(); left; left--) {
		random_fields(&first);
		command.args = first.bytes;
		desc = ue_desc_parse(&command);
		if (IS_ERR(desc))
			continue;

		KUNIT_EXPECT_TRUE_MSG(test,
				      ue_desc_match_text(desc, first.bytes),
				      "'%s' does not match itself",
				      first.bytes);

		/* The same text except for a byte or two. */
		second = first;
		spoil(&second);
		command.args = second.bytes;
		other = ue_desc_parse(&command);
		if (ue_desc_match_text(desc, second.bytes)) {
			same++;
			if (!IS_ERR(other))
				expect_alike(test, desc, other);
		}

		if (!IS_ERR(other))
			ue_desc_free(other);
		ue_desc_free(desc);
	}

	KUNIT_EXPECT_TRUE(test, same > rounds() / 8);
}

/* A record of random bytes with words that are nearly valid. */
static char *random_record(const struct event_desc *desc, u32 size)
{
	char *record = malloc(size);
	u32 i, word;

	for (i = 0; i < size; i++)
		record[i] = random_below(2) ? random_below(256) : 0;

	for (i = 0; i < desc->nr_locs; i++) {
		word = random_below(6) << 16 | random_below(size + 2);
		memcpy(record + desc->locs[i].offset, &word, sizeof(word));
	}

	return record;
}

static void validates_any_record(struct kunit *test)
{
	static const char *const commands[] = {
		"e u8 a;__data_loc char[] b",
		"e u8 a;__rel_loc char[] b;u8 c",
		"e __data_loc char[] a;__rel_loc char[] b;__rel_loc u8[] c",
	};
	struct event_desc *desc;
	u32 verdicts[3];
	u32 i, left, size;
	char *record;
	int ret;

	random_state = 0xd1342543de82ef95;
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		desc = parse(test, commands[i]);
		memset(verdicts, 0, sizeof(verdicts));
		for (left = rounds() / 4; left; left--) {
			size = desc->fixed_size + random_below(16);
			record = random_record(desc, size);
			ret = ue_record_validate(desc, record, size);
			KUNIT_EXPECT_TRUE(test, ret == 0 || ret == 1 ||
							ret == -EFAULT);
			verdicts[ret < 0 ? 2 : ret]++;
			free(record);
		}

		/* Else all results are the same. */
		KUNIT_EXPECT_TRUE(test, verdicts[0] > 0);
		KUNIT_EXPECT_TRUE(test, verdicts[1] > 0);
		KUNIT_EXPECT_TRUE(test, verdicts[2] > 0);
		ue_desc_free(desc);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(commands_are_rejected_or_valid),
	KUNIT_CASE(matching_texts_create_same_event),
	KUNIT_CASE(validates_any_record),
	{},
};

static struct kunit_suite random_suite = {
	.name = "user_events_random",
	.test_cases = cases,
};

kunit_test_suite(random_suite);
