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

TEST_FIXTURE(set_up, NULL);

TEST(names_have_the_prefix)
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

TEST(status_uses_the_prefix)
{
	ck_assert_int_eq(UEV_TRACE_STATUS(request), 0);
	ck_assert_int_eq(uev_name_status("prefixed_request"), 0);
	ck_assert_int_eq(uev_name_status("request"), -ENOTCONN);
	ck_assert_int_eq(UEV_TRACE_STATUS(prefixed_request), -ENOTCONN);
}

#endif
