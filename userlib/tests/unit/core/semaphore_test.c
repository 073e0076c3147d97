// SPDX-License-Identifier: MIT
/* Semaphores of probes are nonzero while the event is enabled. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>

static unsigned short sem_semaphores[4] __attribute__((__aligned__(8)));
#define sem_place_semaphore sem_semaphores[1]
#define _SDT_HAS_SEMAPHORES
#include <userevents/sdt.h>

#include "lib/fake_sys.h"
#include "lib/runner.h"

#define A_SECOND 1000

/* The first and the last one are not of a probe. */
static unsigned short semaphores[4] __attribute__((__aligned__(8)));

static struct uev_probe_event probe, other;

static void init(struct uev_probe_event *event, const char *command,
		 unsigned short *semaphore)
{
	*event = (struct uev_probe_event)UEV_PROBE_EVENT_INIT(command,
							      semaphore);
}

static void set_up(void)
{
	size_t i;

	fake_reset(FAKE_BOTH);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	for (i = 0; i < 4; i++)
		semaphores[i] = 0;
	sem_place_semaphore = 0;
	init(&probe, "probe u32 a", &semaphores[1]);
	init(&other, "other u32 a", &semaphores[2]);
}

static void tear_down(void)
{
	uev_event_unregister(&probe.event);
	uev_event_unregister(&other.event);
}

TEST_FIXTURE(set_up, tear_down);

/* Words and semaphores besides those of place() */
static unsigned int enablers(void)
{
	return fake_enablers() - 2;
}

static void expect(bool probe_is_raised, bool other_is_raised)
{
	ck_assert_uint_eq(semaphores[0], 0);
	ck_assert_int_eq(!!semaphores[1], probe_is_raised);
	ck_assert_int_eq(!!semaphores[2], other_is_raised);
	ck_assert_uint_eq(semaphores[3], 0);
}

/* Enables both events, one after the other. */
static void expect_followed(void)
{
	expect(false, false);
	fake_enable("probe", true);
	expect(true, false);
	fake_enable("other", true);
	expect(true, true);
	fake_enable("probe", false);
	expect(false, true);
	fake_enable("other", false);
	expect(false, false);
}

static const enum fake_abi abis[] = { FAKE_ENABLER, FAKE_BOTH,
				      FAKE_OLD_MODULE };

TEST_LOOP(follows_one_event, 3)
{
	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other.event, 0), 0);
	ck_assert_uint_eq(enablers(), 4);
	expect_followed();
	fake_enable("probe", true);
	ck_assert_int_eq(uev_event_unregister(&probe.event), 0);
	ck_assert_int_eq(uev_event_unregister(&other.event), 0);
	expect(false, false);
	ck_assert_uint_eq(enablers(), 0);
}

TEST_LOOP(follows_several_events, 3)
{
	struct uev_event *events[] = { &probe.event, NULL, &other.event };

	fake_reset(abis[_i]);
	ck_assert_int_eq(uev_events_register(events, events + 3), 0);
	ck_assert_uint_eq(enablers(), 4);
	expect_followed();
	fake_enable("other", true);
	uev_events_unregister(events, events + 3);
	expect(false, false);
	ck_assert_uint_eq(enablers(), 0);
}

/* With a list for the words, and one for the semaphores. */
TEST(needs_two_calls)
{
	struct uev_event *events[] = { &probe.event, &other.event };
	unsigned int before;

	uev_register_pending();
	before = fake_calls(FAKE_IOCTL);
	ck_assert_int_eq(uev_events_register(events, events + 2), 0);
	ck_assert_uint_eq(fake_calls(FAKE_IOCTL) - before, 2);
	before = fake_calls(FAKE_IOCTL);
	uev_events_unregister(events, events + 2);
	ck_assert_uint_eq(fake_calls(FAKE_IOCTL) - before, 2);
}

/* An object can be unloaded although the kernel cannot be reached. */
TEST_LOOP(leaves_later, 2)
{
	struct uev_event *event = &probe.event;

	ck_assert_int_eq(uev_event_register(event, 0), 0);
	/* Of the semaphore, or of the word */
	fake_fail(FAKE_IOCTL, (unsigned int)_i, 1, -EPERM);
	uev_events_unregister(&event, &event + 1);
	ck_assert_uint_gt(enablers(), 0);
	ck_assert_int_eq(uev_event_register(&other.event, 0), 0);
	ck_assert_int_eq(uev_event_unregister(&other.event), 0);
	ck_assert_uint_eq(enablers(), 0);
}

TEST(keeps_count_of_tracers)
{
	semaphores[1] = 3;
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	fake_enable("probe", true);
	ck_assert_uint_gt(semaphores[1], 3);
	/* Negative for the kernel */
	ck_assert_uint_lt(semaphores[1], 0x8000);
	fake_enable("probe", false);
	ck_assert_uint_eq(semaphores[1], 3);
}

/* Places of a probe share a semaphore. */
TEST(several_places)
{
	init(&other, "probe u32 a", &semaphores[1]);
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other.event, 0), 0);
	ck_assert_uint_eq(enablers(), 3);
	fake_enable("probe", true);
	expect(true, false);
	fake_enable("probe", false);
	expect(false, false);
}

/* So do its forms. */
TEST_LOOP(several_forms, 2)
{
	struct uev_event *events[] = { &probe.event, &other.event };

	init(&other, "probe u64 b", &semaphores[1]);
	if (_i) {
		ck_assert_int_eq(uev_events_register(events, events + 2), 0);
	} else {
		uev_event_register(&probe.event, UEV_SHARE_NAME);
		uev_event_register(&other.event, UEV_SHARE_NAME);
	}
	ck_assert_uint_eq(enablers(), 4);
	fake_enable("probe", true);
	fake_enable("probe.0", true);
	expect(true, false);
	fake_enable("probe", false);
	expect(true, false);
	fake_enable("probe.0", false);
	expect(false, false);
}

/* There are bits for seven. */
TEST(many_forms)
{
	static char commands[10][20];
	struct uev_probe_event events[10];
	int i;

	for (i = 0; i < 10; i++) {
		snprintf(commands[i], sizeof(commands[i]), "probe u8 a%d", i);
		init(&events[i], commands[i], &semaphores[1]);
		ck_assert_int_eq(uev_event_register(&events[i].event,
						    UEV_SHARE_NAME),
				 0);
		expect(i >= 7, false);
	}
	for (i = 0; i < 10; i++)
		ck_assert_int_eq(uev_event_unregister(&events[i].event), 0);
}

/* The program prepares its arguments always where the kernel cannot tell it. */
TEST(status_page)
{
	struct uev_event *events[] = { &probe.event, &other.event };

	fake_reset(FAKE_STATUS);
	ck_assert_int_eq(uev_events_register(events, events + 2), 0);
	expect(true, true);
}

TEST(too_many_enablers)
{
	uev_register_pending();
	fake_fail(FAKE_IOCTL, 1, 1, -EMFILE);
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	ck_assert_uint_eq(enablers(), 1);
	expect(true, false);
}

/* The limit counts once, and only as long as it is reached. */
TEST(enablers_are_free_again)
{
	uev_register_pending();
	semaphores[1] = 100;
	fake_fail(FAKE_IOCTL, 1, 1, -EMFILE);
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	ck_assert_uint_eq(semaphores[1], 101);
	ck_assert_int_eq(uev_event_unregister(&probe.event), 0);
	ck_assert_uint_eq(semaphores[1], 100);
}

/* One place has the semaphore for all. */
TEST_LOOP(another_place_follows, 2)
{
	struct uev_probe_event *first = _i ? &probe : &other;
	struct uev_probe_event *second = _i ? &other : &probe;

	init(&other, "probe u32 a", &semaphores[1]);
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other.event, 0), 0);
	fake_enable("probe", true);
	ck_assert_int_eq(uev_event_unregister(&first->event), 0);
	expect(true, false);
	fake_enable("probe", false);
	expect(false, false);
	ck_assert_int_eq(uev_event_unregister(&second->event), 0);
	ck_assert_uint_eq(enablers(), 0);
}

/* The word cannot be unregistered although the semaphore was. */
TEST(event_stays_registered)
{
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	fake_enable("probe", true);
	fake_fail(FAKE_IOCTL, 1, 1, -ENOMEM);
	ck_assert_int_eq(uev_event_unregister(&probe.event), -ENOMEM);
	expect(true, false);
	fake_enable("probe", false);
	expect(false, false);
}

/* After the program has closed the file, one of several calls fails. */
TEST_LOOP(place_is_not_registered_again, 8)
{
	init(&other, "probe u32 a", &semaphores[1]);
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other.event, 0), 0);
	fake_close_all();
	fake_fail(FAKE_IOCTL, (unsigned int)_i, 1, -ENOMEM);
	uev_register_pending();
	fake_enable("probe", true);
	ck_assert_int_eq(!!semaphores[1], uev_enabled(&probe.event) ||
						  uev_enabled(&other.event));
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	expect(true, false);
	ck_assert(uev_enabled(&probe.event) && uev_enabled(&other.event));
}

/* Members that a later version adds are no semaphores. */
TEST(larger_event)
{
	struct {
		struct uev_event event;
		void *more[4];
	} larger = { .event = UEV_EVENT_INIT("larger u32 a") };

	larger.event.size = sizeof(larger);
	larger.more[0] = (void *)1;
	ck_assert_int_eq(uev_event_register(&larger.event, 0), 0);
	ck_assert_int_eq(uev_event_unregister(&larger.event), 0);
}

TEST(user_events_appear_later)
{
	fake_load(false);
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	expect(false, false);
	fake_load(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	fake_enable("probe", true);
	expect(true, false);
}

/* Records that are missed while the module is replaced are counted. */
TEST(replaced_module)
{
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other.event, 0), 0);
	fake_enable("probe", true);
	fake_ask(true);
	ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
	ck_assert_uint_eq(fake_enablers(), 0);
	expect(true, false);
	fake_load(false);
	fake_enable("probe", false);
	fake_ask(false);
	fake_load(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	expect(false, false);
	fake_enable("probe", true);
	expect(true, false);
}

TEST(unregistered_while_replaced)
{
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	fake_enable("probe", true);
	fake_ask(true);
	ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
	expect(true, false);
	ck_assert_int_eq(uev_event_unregister(&probe.event), 0);
	expect(false, false);
}

TEST(file_closed_by_program)
{
	ck_assert_int_eq(uev_event_register(&probe.event, 0), 0);
	fake_enable("probe", true);
	fake_close_all();
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_uint_eq(enablers(), 2);
	expect(true, false);
	fake_enable("probe", false);
	expect(false, false);
}

static int prepared;

static void place(int number)
{
	if (sem_place_semaphore) {
		prepared++;
		DTRACE_PROBE1(sem, place, number);
	}
}

TEST(probe_of_the_header)
{
	prepared = 0;
	place(1);
	fake_enable("sem_place", true);
	place(2);
	fake_enable("sem_place", false);
	place(3);
	ck_assert_int_eq(prepared, 1);
	ck_assert_uint_eq(fake_records(), 1);
}
