// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lets each allocation fail once. The error must be returned, nothing may leak
 * (the runner counts), and the next attempt must succeed.
 */
#include <linux/errno.h>

#include "helpers.h"
#include "limits.h"
#include "tables/grammar.h"

static void accepted_name(const struct accepted_row *row, char *name)
{
	case_name(name, row->command);
}

KUNIT_ARRAY_PARAM(accepted, accepted, accepted_name);

static void desc_parse(struct kunit *test)
{
	const struct accepted_row *row = test->param_value;
	unsigned long live = alloc_live();
	struct event_desc *desc;
	unsigned int n;

	for (n = 1;; n++) {
		alloc_fail_nth(n);
		desc = try_parse(test, row->command);
		alloc_fail_nth(0);
		if (!IS_ERR(desc))
			break;

		KUNIT_ASSERT_EQ(test, PTR_ERR(desc), -ENOMEM);
		KUNIT_ASSERT_EQ(test, alloc_live(), live);
	}

	KUNIT_EXPECT_TRUE(test, n > 1);
	ue_desc_free(desc);
}

static struct kunit_case cases[] = {
	KUNIT_CASE_PARAM(desc_parse, accepted_gen_params),
	{},
};

static struct kunit_suite alloc_suite = {
	.name = "user_events_alloc",
	.test_cases = cases,
};

kunit_test_suite(alloc_suite);
