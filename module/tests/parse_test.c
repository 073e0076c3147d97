// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/mm.h>

#include "format/parse.h"
#include "helpers.h"
#include "limits.h"
#include "tables/grammar.h"

static void split_name(const struct split_row *row, char *name)
{
	case_name(name, row->command);
}

static void accepted_name(const struct accepted_row *row, char *name)
{
	case_name(name, row->command);
}

static void text_name(const struct text_row *row, char *name)
{
	case_name(name, row->text);
}

KUNIT_ARRAY_PARAM(split, splits, split_name);
KUNIT_ARRAY_PARAM(bad_name, bad_event_names, text_name);
KUNIT_ARRAY_PARAM(accepted, accepted, accepted_name);
KUNIT_ARRAY_PARAM(refused, refused, text_name);

static void splits_command(struct kunit *test)
{
	const struct split_row *row = test->param_value;
	struct event_command command;

	KUNIT_ASSERT_EQ(test, 0,
			ue_command_split(copy_text(test, row->command),
					 &command));
	KUNIT_EXPECT_STREQ(test, command.name, row->name);
	KUNIT_EXPECT_EQ(test, command.name_key,
			ue_name_key(row->name, strlen(row->name)));

	KUNIT_ASSERT_EQ(test, !command.flags, !row->flags);
	if (row->flags)
		KUNIT_EXPECT_STREQ(test, command.flags, row->flags);

	KUNIT_ASSERT_EQ(test, !command.args, !row->args);
	if (row->args)
		KUNIT_EXPECT_STREQ(test, command.args, row->args);
}

static void rejects_event_name(struct kunit *test)
{
	const struct text_row *row = test->param_value;
	struct event_command command;

	KUNIT_EXPECT_EQ(test, -EINVAL,
			ue_command_split(copy_text(test, row->text), &command));
}

static void expect_field(struct kunit *test, const struct event_field *field,
			 const struct field_row *row)
{
	KUNIT_EXPECT_STREQ(test, field->type, row->type);
	KUNIT_EXPECT_STREQ(test, field->name, row->name);
	KUNIT_EXPECT_EQ(test, field->kind->class, row->class);
	KUNIT_EXPECT_EQ(test, field->offset, AT(row->offset));
	KUNIT_EXPECT_EQ(test, field->size, row->size);
	KUNIT_EXPECT_EQ(test, field->len, row->len);
	KUNIT_EXPECT_EQ(test, ue_field_type_is_signed(field->type),
			row->is_signed);
}

static void expect_fields(struct kunit *test, const struct event_desc *desc,
			  const struct accepted_row *row)
{
	u32 named = 0;
	u32 i;

	while (named < GRAMMAR_FIELDS && row->fields[named].type)
		named++;

	KUNIT_ASSERT_EQ(test, desc->nr_fields, named + row->more_fields);
	for (i = 0; i < named; i++)
		expect_field(test, &desc->fields[i], &row->fields[i]);
}

static void expect_locs(struct kunit *test, const struct event_desc *desc,
			const struct accepted_row *row)
{
	u32 locs = 0;
	u32 i;

	while (locs < GRAMMAR_FIELDS && row->locs[locs].offset)
		locs++;

	KUNIT_ASSERT_EQ(test, desc->nr_locs, locs);
	for (i = 0; i < locs; i++) {
		KUNIT_EXPECT_EQ(test, desc->locs[i].offset,
				AT(row->locs[i].offset));
		KUNIT_EXPECT_EQ(test, desc->locs[i].relative,
				row->locs[i].relative);
		KUNIT_EXPECT_EQ(test, desc->locs[i].string,
				row->locs[i].string);
	}
}

static void accepts_command(struct kunit *test)
{
	const struct accepted_row *row = test->param_value;
	struct event_desc *desc = parse(test, row->command);

	KUNIT_EXPECT_STREQ(test, desc->name, "e");
	KUNIT_EXPECT_EQ(test, desc->fixed_size, AT(row->fixed_size));
	expect_fields(test, desc, row);
	expect_locs(test, desc, row);

	ue_desc_free(desc);
}

/* The description must not point into the command. */
static void description_does_not_use_command(struct kunit *test)
{
	const struct accepted_row *row = test->param_value;
	char *text = copy_text(test, row->command);
	size_t size = strlen(text);
	struct event_command command;
	struct event_desc *desc;

	KUNIT_ASSERT_EQ(test, 0, ue_command_split(text, &command));
	desc = ue_desc_parse(&command);
	KUNIT_ASSERT_FALSE(test, IS_ERR(desc));

	memset(text, '?', size);
	KUNIT_EXPECT_STREQ(test, desc->name, "e");
	expect_fields(test, desc, row);

	ue_desc_free(desc);
}

static void rejects_fields(struct kunit *test)
{
	const struct text_row *row = test->param_value;
	struct event_command command = {
		.name = "e",
		.args = copy_text(test, row->text),
	};
	struct event_desc *desc = ue_desc_parse(&command);

	KUNIT_EXPECT_PTR_EQ(test, desc, ERR_PTR(-EINVAL));
	if (!IS_ERR(desc))
		ue_desc_free(desc);
}

/* Parses the given number of fields of one byte. */
static struct event_desc *parse_many(struct kunit *test, u32 count)
{
	static const char field[] = "u8 a;";
	size_t len = sizeof(field) - 1;
	char *args = kvzalloc(count * len + 1, GFP_KERNEL);
	struct event_command command = { .name = "e", .args = args };
	struct event_desc *desc;
	u32 i;

	KUNIT_ASSERT_NOT_NULL(test, args);
	for (i = 0; i < count; i++)
		memcpy(args + i * len, field, len);

	desc = ue_desc_parse(&command);
	kvfree(args);

	return desc;
}

static void accepts_one_field_per_byte(struct kunit *test)
{
	u32 most = USER_EVENT_FIXED_MAX - USER_EVENT_HEADER_SIZE;
	struct event_desc *desc = parse_many(test, most);

	KUNIT_ASSERT_FALSE(test, IS_ERR(desc));
	KUNIT_EXPECT_EQ(test, desc->nr_fields, most);
	KUNIT_EXPECT_EQ(test, desc->fixed_size, USER_EVENT_FIXED_MAX);
	ue_desc_free(desc);

	KUNIT_EXPECT_PTR_EQ(test, parse_many(test, most + 1), ERR_PTR(-EINVAL));
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(splits_command, split_gen_params),
	KUNIT_CASE_PARAM(rejects_event_name, bad_name_gen_params),
	KUNIT_CASE_PARAM(accepts_command, accepted_gen_params),
	KUNIT_CASE_PARAM(description_does_not_use_command, accepted_gen_params),
	KUNIT_CASE_PARAM(rejects_fields, refused_gen_params),
	KUNIT_CASE(accepts_one_field_per_byte),
	{},
};

static struct kunit_suite parse_suite = {
	.name = "user_events_parse",
	.test_cases = cases,
};

kunit_test_suite(parse_suite);
