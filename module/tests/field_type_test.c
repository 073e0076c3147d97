// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>

#include "format/field_type.h"
#include "helpers.h"
#include "limits.h"
#include "tables/field_type.h"

static void known_name(const struct known_type_row *row, char *name)
{
	case_name(name, row->text);
}

static void unknown_name(const struct unknown_type_row *row, char *name)
{
	case_name(name, row->text);
}

static void array_name(const struct array_len_row *row, char *name)
{
	case_name(name, row->text);
}

KUNIT_ARRAY_PARAM(known, known_types, known_name);
KUNIT_ARRAY_PARAM(unknown, unknown_types, unknown_name);
KUNIT_ARRAY_PARAM(array, array_lens, array_name);

static void finds_known_type(struct kunit *test)
{
	const struct known_type_row *row = test->param_value;
	const char *text = copy_text(test, row->text);
	const struct field_type *type = ue_field_type_find(text);
	bool is_loc = row->class == FIELD_DATA_LOC ||
		      row->class == FIELD_REL_LOC;

	KUNIT_ASSERT_NOT_NULL(test, type);
	KUNIT_EXPECT_EQ(test, type->class, row->class);
	KUNIT_EXPECT_EQ(test, type->size, row->size);
	KUNIT_EXPECT_EQ(test, ue_field_type_is_signed(text), row->is_signed);
	KUNIT_EXPECT_EQ(test, ue_field_type_is_loc(type), is_loc);
	KUNIT_EXPECT_EQ(test, ue_field_type_is_dyn_string(type, text),
			row->is_string);
	KUNIT_EXPECT_STREQ(test, ue_field_type_format(type, text), row->format);
}

static void rejects_unknown_type(struct kunit *test)
{
	const struct unknown_type_row *row = test->param_value;

	KUNIT_EXPECT_NULL(test, ue_field_type_find(copy_text(test, row->text)));
}

static void parses_array_length(struct kunit *test)
{
	const struct array_len_row *row = test->param_value;

	KUNIT_EXPECT_EQ(test,
			ue_field_type_array_len(copy_text(test, row->text)),
			row->len);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(finds_known_type, known_gen_params),
	KUNIT_CASE_PARAM(rejects_unknown_type, unknown_gen_params),
	KUNIT_CASE_PARAM(parses_array_length, array_gen_params),
	{},
};

static struct kunit_suite field_type_suite = {
	.name = "user_events_field_type",
	.test_cases = cases,
};

kunit_test_suite(field_type_suite);
