/* SPDX-License-Identifier: MIT */
/* Tests of UEV_PREFIX in C and C++. */
#ifndef PREFIX_TESTS_H
#define PREFIX_TESTS_H

#define UEV_PREFIX prefixed
#include <userevents/tracepoint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "lib/fake_sys.h"
#include "lib/runner.h"
#ifdef __cplusplus
}
#endif

static void trace_request(int number)
{
	UEV_TRACE(request, number, number);
	UEV_TRACE(nothing);
}

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
}

START_TEST(names_have_the_prefix)
{
	trace_request(1);
	ck_assert_str_eq(fake_command("prefixed_request"),
			 "prefixed_request s32 number");
	ck_assert_str_eq(fake_command("prefixed_nothing"), "prefixed_nothing");
	fake_enable("prefixed_request", true);
	trace_request(2);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_str_eq(fake_record()->name, "prefixed_request");
}
END_TEST

START_TEST(status_uses_the_prefix)
{
	ck_assert_int_eq(UEV_TRACE_STATUS(request), 0);
	ck_assert_int_eq(uev_name_status("prefixed_request"), 0);
	ck_assert_int_eq(uev_name_status("request"), -ENOTCONN);
	ck_assert_int_eq(UEV_TRACE_STATUS(prefixed_request), -ENOTCONN);
}
END_TEST

static int run_prefix_tests(const char *name)
{
	Suite *suite = suite_create(name);
	TCase *tests = tcase_create(name);

	tcase_add_checked_fixture(tests, set_up, NULL);
	tcase_add_test(tests, names_have_the_prefix);
	tcase_add_test(tests, status_uses_the_prefix);
	suite_add_tcase(suite, tests);

	return run_suite(suite);
}

#endif
