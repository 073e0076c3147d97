/* SPDX-License-Identifier: MIT */
/* Tests of UEV_SLICE_BEGIN() and UEV_COUNTER() in C and C++. */
#ifndef SLICE_TESTS_H
#define SLICE_TESTS_H

#include <userevents/tracepoint.h>

#ifdef __cplusplus
extern "C" {
#endif
#include "lib/fake_sys.h"
#include "lib/runner.h"
#ifdef __cplusplus
}
#endif

static int evaluated;

static const char *name_of(const char *name)
{
	evaluated++;

	return name;
}

static void trace_slice(const char *name)
{
	UEV_SLICE_BEGIN(name_of(name));
	UEV_INSTANT("middle");
	UEV_SLICE_END();
}

static void trace_counter(short value)
{
	UEV_COUNTER("queue", value);
}

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	evaluated = 0;
}

TEST_FIXTURE(set_up, NULL);

/* The names are those that Perfetto looks for, and its text is __data_loc. */
TEST(fields_are_those_of_perfetto)
{
	ck_assert_str_eq(
		fake_command("track_slice"),
		"track_slice s32 track_event_type; __data_loc char[] slice_name");
	ck_assert_str_eq(
		fake_command("track_counter"),
		"track_counter s64 counter_value; __data_loc char[] track_name");
}

TEST(nothing_is_evaluated_while_disabled)
{
	trace_slice("work");
	ck_assert_int_eq(evaluated, 0);
	ck_assert_uint_eq(fake_records(), 0);
}

TEST(slices)
{
	int32_t type;

	fake_enable("track_slice", true);
	trace_slice("work");
	ck_assert_int_eq(evaluated, 1);
	ck_assert_uint_eq(fake_records(), 3);
	/* The last one is the end, which has no name. */
	ck_assert_uint_eq(fake_record()->size, 4 + 4 + 1);
	memcpy(&type, fake_record()->payload, sizeof(type));
	ck_assert_int_eq(type, 'E');
	UEV_SLICE_BEGIN("begin");
	memcpy(&type, fake_record()->payload, sizeof(type));
	ck_assert_int_eq(type, 'B');
	ck_assert_mem_eq(fake_record()->payload + 8, "begin", 6);
	UEV_INSTANT("now");
	memcpy(&type, fake_record()->payload, sizeof(type));
	ck_assert_int_eq(type, 'I');
	ck_assert_mem_eq(fake_record()->payload + 8, "now", 4);
}

TEST(counters)
{
	int64_t value;

	fake_enable("track_counter", true);
	trace_counter(-3);
	ck_assert_uint_eq(fake_records(), 1);
	memcpy(&value, fake_record()->payload, sizeof(value));
	ck_assert_int_eq(value, -3);
	ck_assert_mem_eq(fake_record()->payload + 12, "queue", 6);
}

#endif
