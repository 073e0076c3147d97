// SPDX-License-Identifier: GPL-2.0-only
#include "format/print_fmt.h"
#include "helpers.h"
#include "limits.h"
#include "tables/grammar.h"

static void accepted_name(const struct accepted_row *row, char *name)
{
	case_name(name, row->command);
}

KUNIT_ARRAY_PARAM(accepted, accepted, accepted_name);

static void formats_print_fmt(struct kunit *test)
{
	const struct accepted_row *row = test->param_value;
	struct event_desc *desc = parse(test, row->command);
	char *print_fmt = format_text(ue_desc_print_fmt, desc);

	KUNIT_ASSERT_NOT_NULL(test, print_fmt);
	KUNIT_EXPECT_STREQ(test, print_fmt, row->print_fmt);

	kfree(print_fmt);
	ue_desc_free(desc);
}

static void formats_fields(struct kunit *test)
{
	const struct accepted_row *row = test->param_value;
	struct event_desc *desc = parse(test, row->command);
	char *text = format_text(ue_desc_text, desc);

	KUNIT_ASSERT_NOT_NULL(test, text);
	KUNIT_EXPECT_STREQ(test, text, row->text);

	kfree(text);
	ue_desc_free(desc);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(formats_print_fmt, accepted_gen_params),
	KUNIT_CASE_PARAM(formats_fields, accepted_gen_params),
	{},
};

static struct kunit_suite print_fmt_suite = {
	.name = "user_events_print_fmt",
	.test_cases = cases,
};

kunit_test_suite(print_fmt_suite);
