// SPDX-License-Identifier: MIT
/* Names that are unique in their output. */
#include "lib/runner.h"
#include "query/names.h"

/* Programs with OpenTelemetry drop an attribute whose key is empty. */
TEST(an_empty_name_gets_a_character)
{
	struct query_names names = { 0 };

	ck_assert_str_eq(query_names_add(&names, "", 0), "_");
	ck_assert_str_eq(query_names_add(&names, "_", 1), "_#2");
	ck_assert_str_eq(query_names_add(&names, "", 0), "_#3");
	query_names_clear(&names);
}
