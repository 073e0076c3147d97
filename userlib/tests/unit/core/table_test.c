// SPDX-License-Identifier: MIT
/*
 * Events that come with the program that they are linked into.
 */
#include <errno.h>
#include <stdlib.h>
#include <userevents/table.h>

#include "lib/fake_sys.h"
#include "lib/runner.h"

static struct uev_event event = UEV_EVENT_INIT("event u8 a");
static struct uev_event other = UEV_EVENT_INIT("other");

UEV_TABLE_ENTRY(event_entry, &event);
UEV_TABLE_ENTRY(other_entry, &other);
/* As if several files knew the event. */
UEV_TABLE_ENTRY(second_entry, &event);

static struct uev_event *event_of_a_function(void)
{
	static struct uev_event local = UEV_EVENT_INIT("local");

	UEV_TABLE_ENTRY(local_entry, &local);

	return &local;
}

/* They were registered before main(), without user_events. */
TEST(registered_before_main)
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));
	ck_assert_uint_eq(stats.pending, 3);
	ck_assert_int_eq(uev_event_status(&event), -ENXIO);
	ck_assert_int_eq(uev_event_status(&other), -ENXIO);
	ck_assert_int_eq(uev_event_status(event_of_a_function()), -ENXIO);

	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_event_status(event_of_a_function()), 0);
}

/* Each file of a program calls the constructor and the destructor. */
TEST(registered_once)
{
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	uev_table_register();
	ck_assert_int_eq(uev_event_status(&event), -ENOTCONN);

	uev_table_unregister();
	ck_assert_int_eq(uev_event_status(&other), -ENOTCONN);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	uev_table_unregister();
	ck_assert_int_eq(uev_event_status(&event), -ENXIO);
}

/* After main() they are unregistered. */
static bool was_registered;

__attribute__((__destructor__(101))) static void last_of_all(void)
{
	if (was_registered && (uev_event_status(&event) != -ENOTCONN ||
			       fake_enablers() || uev_shutdown()))
		_Exit(EXIT_FAILURE);
}

TEST(unregistered_after_main)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	ck_assert_uint_eq(fake_enablers(), 3);
	was_registered = true;
	/* The exit of this process is the test. */
}
