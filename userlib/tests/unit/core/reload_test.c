// SPDX-License-Identifier: MIT
/*
 * The administrator replaces the module: the program releases it, counts the
 * records that it misses, and comes back.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <userevents/userevents.h>

#include "core/sys.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"

#define A_SECOND 1000

static struct uev_event event;
static struct uev_event other;

static void set_up(void)
{
	fake_reset(FAKE_BOTH);
	uev_event_init(&event, "n u32 a");
	uev_event_init(&other, "other u32 a");
}

static void tear_down(void)
{
	uev_event_unregister(&event);
	uev_event_unregister(&other);
	ck_assert_int_eq(uev_shutdown(), 0);
	ck_assert_uint_eq(fake_open_files(), 0);
	ck_assert_uint_eq(fake_enablers(), 0);
}

TEST_FIXTURE(set_up, tear_down);

static int write_number(struct uev_event *to)
{
	uint32_t number = 1;
	const struct iovec payload = { &number, sizeof(number) };

	return uev_event_writev(to, &payload, 1);
}

static struct uev_stats stats_of(const struct uev_event *of)
{
	struct uev_stats stats;

	ck_assert_int_eq(uev_event_stats(of, &stats, sizeof(stats)), 0);

	return stats;
}

/* Registers two events, of which one is enabled, and lets go. */
static void let_go(void)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event), 0);
	fake_ask(true);
	ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
}

/* The old module is unloaded, and the new one loaded. */
static void replace(void)
{
	fake_load(false);
	fake_ask(false);
	fake_load(true);
	fake_pass(A_SECOND);
}

TEST(lets_go)
{
	let_go();
	ck_assert_uint_eq(fake_open_files(), 0);
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert_int_eq(uev_event_status(&event), -ESHUTDOWN);
	ck_assert_int_eq(uev_event_status(&other), -ESHUTDOWN);
	ck_assert_uint_eq(stats_of(&event).pending, 1);
	ck_assert_uint_eq(stats_of(&event).registered, 0);
	ck_assert_str_eq(uev_strerror(-ESHUTDOWN),
			 "user_events is about to be replaced");
}

/* The program closes the file before the events are unregistered. */
TEST(lets_go_of_all_words)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_ask(true);
	fake_fail(FAKE_IOCTL, 0, 1, -EBADF);
	ck_assert_int_lt(uev_register_pending(), 0);
	fake_close_all();
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
	ck_assert_uint_eq(fake_enablers(), 0);
}

/* Those of events whose memory is freed, too. */
TEST(lets_go_of_words_without_events)
{
	struct uev_event *freed = &other;

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	fake_fail(FAKE_IOCTL, 0, 1, -ENOMEM);
	uev_events_unregister(&freed, &freed + 1);
	ck_assert_int_eq(uev_event_status(&other), -ENOTCONN);
	ck_assert_uint_eq(fake_enablers(), 2);
	fake_ask(true);
	/* The first call is for the other word. */
	fake_fail(FAKE_IOCTL, 1, 1, -ENOMEM);
	ck_assert_int_eq(uev_register_pending(), -EBADF);
	ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
	ck_assert_uint_eq(fake_enablers(), 0);
}

/* Records of the enabled event count as missed, those of the other do not. */
TEST(counts_missed_records)
{
	struct uev_stats stats;

	let_go();
	ck_assert(uev_enabled(&event));
	ck_assert(!uev_enabled(&other));
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_int_eq(write_number(&other), 0);
	stats = stats_of(&event);
	ck_assert_uint_eq(stats.missed, 2);
	ck_assert_uint_eq(stats.written, 1);
	ck_assert_uint_eq(stats.skipped, 0);
	stats = stats_of(&other);
	ck_assert_uint_eq(stats.missed, 0);
	ck_assert_uint_eq(stats.skipped, 1);
	ck_assert_uint_eq(fake_records(), 1);
}

TEST(comes_back)
{
	let_go();
	replace();
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_uint_eq(stats_of(&event).registered, 1);
	ck_assert_uint_eq(fake_enablers(), 2);
	ck_assert(!uev_enabled(&other));
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_uint_eq(stats_of(&event).written, 2);
	ck_assert_uint_eq(stats_of(&event).missed, 0);
	/* Disabled records are skipped again. */
	fake_enable("n", false);
	ck_assert(!uev_enabled(&event));
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_uint_eq(stats_of(&event).skipped, 1);
}

/* The file of the module that is about to be removed is not opened again. */
TEST(stays_away_while_asked)
{
	let_go();
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
	ck_assert_uint_eq(fake_open_files(), 0);
	ck_assert(uev_enabled(&event));
	fake_load(false);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), -ENOPKG);
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_uint_eq(stats_of(&event).missed, 1);
}

/* The replacement has failed, and the bit is cleared. */
TEST(comes_back_to_old_module)
{
	let_go();
	fake_ask(false);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
}

/* The same before the kernel has unregistered all events. */
TEST(comes_back_before_letting_go)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	fake_enable("n", true);
	fake_ask(true);
	fake_fail(FAKE_IOCTL, 0, 1, -ENOMEM);
	ck_assert_int_eq(uev_register_pending(), -EBADF);
	ck_assert_int_eq(uev_event_status(&event), 0);
	ck_assert_int_eq(uev_event_status(&other), -ESHUTDOWN);
	fake_ask(false);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(uev_event_status(&other), 0);
	ck_assert(uev_enabled(&event));
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(stats_of(&event).skipped, 0);
	ck_assert_uint_eq(fake_enablers(), 2);
}

/* The new module has an event of that name with other fields. */
TEST(new_module_rejects_event)
{
	let_go();
	replace();
	fake_fail(FAKE_IOCTL, 1, 2, -EADDRINUSE);
	ck_assert_int_eq(uev_register_pending(), -EADDRINUSE);
	ck_assert(!uev_enabled(&event));
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_uint_eq(stats_of(&event).missed, 0);
	ck_assert_uint_eq(stats_of(&event).skipped, 1);
}

/* Events of one command are registered one after the other. */
TEST(new_module_rejects_same_events)
{
	struct uev_event same = UEV_EVENT_INIT("n u32 a");

	ck_assert_int_eq(uev_event_register(&same, 0), 0);
	let_go();
	ck_assert(uev_enabled(&event));
	ck_assert(uev_enabled(&same));
	replace();
	fake_fail(FAKE_IOCTL, 1, 3, -EADDRINUSE);
	ck_assert_int_eq(uev_register_pending(), -EADDRINUSE);
	ck_assert(!uev_enabled(&event));
	ck_assert(!uev_enabled(&same));
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_int_eq(write_number(&same), 0);
	ck_assert_uint_eq(stats_of(&event).missed, 0);
	ck_assert_uint_eq(stats_of(&event).skipped, 2);
	ck_assert_int_eq(uev_event_unregister(&same), 0);
}

TEST(registers_and_unregisters_while_asked)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_ask(true);
	/* Either call finds out. */
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_uint_eq(fake_open_files(), 0);
	ck_assert_int_eq(uev_event_status(&other), -ESHUTDOWN);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_status(&event), -ESHUTDOWN);
}

TEST(unregistering_lets_go)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	fake_enable("n", true);
	fake_ask(true);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert(!uev_enabled(&event));
	ck_assert_uint_eq(fake_open_files(), 0);
	ck_assert_int_eq(uev_event_status(&other), -ESHUTDOWN);
}

/* A daemon closes all files, and another file gets the number. */
static void replace_file(void)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event), 0);
	fake_close_all();
	fake_open_other(fake_record()->fd);
}

TEST(unregistering_uses_no_other_file)
{
	replace_file();
	fake_ask(true);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert_uint_eq(fake_open_files(), 1);
	fake_close_all();
}

/* Events of the closed file would keep the module. */
TEST(lets_go_of_closed_file)
{
	replace_file();
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	fake_close_all();
	fake_ask(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert_uint_eq(fake_open_files(), 0);
	ck_assert_int_eq(uev_event_status(&event), -ESHUTDOWN);
	ck_assert(uev_enabled(&event));
	ck_assert(!uev_enabled(&other));
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_uint_eq(stats_of(&event).missed, 1);
	replace();
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_uint_eq(fake_enablers(), 2);
}

/* So does a writer, which misses its record. */
TEST(writer_lets_go_of_closed_file)
{
	replace_file();
	fake_ask(true);
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert_uint_eq(fake_open_files(), 1);
	ck_assert_int_eq(uev_event_status(&event), -ESHUTDOWN);
	ck_assert_uint_eq(stats_of(&event).missed, 1);
	fake_close_all();
	replace();
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_uint_eq(fake_enablers(), 1);
}

/*
 * A writer that was interrupted can still have the number of the closed file.
 * With a low limit of open files, no number is high.
 */
TEST(never_reuses_low_number)
{
	int fd;

	fake_fail(FAKE_DUPLICATE, 0, 1, -EINVAL);
	let_go();
	fd = fake_record()->fd;
	replace();
	fake_fail(FAKE_DUPLICATE, 0, 1, -EINVAL);
	ck_assert_int_eq(uev_register_pending(), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_int_gt(fake_record()->fd, fd);
	ck_assert_uint_eq(fake_open_files(), 1);
}

/* The limit is reached: events with an old number are better than none. */
TEST(reuses_number_at_limit)
{
	int data;

	let_go();
	replace();
	fake_fail(FAKE_DUPLICATE, 0, 2, -EINVAL);
	ck_assert_int_eq(uev_register_pending(), 0);
	fake_ask(true);
	ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
	replace();
	data = fake_open_data(O_WRONLY);
	fake_fail(FAKE_DUPLICATE, 0, 2, -EINVAL);
	ck_assert_int_eq(uev_set_files(data, -1), 0);
	ck_assert_int_eq(uev_sys_close(data), 0);
	ck_assert_int_eq(uev_event_status(&event), 0);
}

/* The same for a file that the program has passed, with each limit. */
TEST_LOOP(never_reuses_number_for_passed_file, 2)
{
	int gap, data, fd;

	fake_fail(FAKE_DUPLICATE, 0, _i, -EINVAL);
	let_go();
	fd = fake_record()->fd;
	replace();
	gap = fake_open_data(O_WRONLY);
	data = fake_open_data(O_WRONLY);
	ck_assert_int_eq(uev_sys_close(gap), 0);
	fake_fail(FAKE_DUPLICATE, 0, _i, -EINVAL);
	ck_assert_int_eq(uev_set_files(data, -1), 0);
	ck_assert_int_eq(uev_sys_close(data), 0);
	fake_enable("n", true);
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_int_gt(fake_record()->fd, fd);
}

/* The status page of old kernels is read without a lock, so it stays. */
TEST(status_page_stays)
{
	fake_reset(FAKE_STATUS);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_ask(true);
	ck_assert_int_eq(uev_register_pending(), 0);
	fake_enable("n", true);
	ck_assert(uev_enabled(&event));
	fake_ask(false);
}

#define WRITERS 3
#define ROUNDS 200

static bool is_over;

static void *write_all_the_time(void *result)
{
	int *err = result;

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED) && !*err)
		if (uev_enabled(&event))
			*err = write_number(&event);

	return NULL;
}

/* Writers lose no record without a count, and never see an error. */
TEST(lets_go_while_writing)
{
	pthread_t writers[WRITERS];
	int errors[WRITERS] = { 0 };
	struct uev_stats stats;
	int i;

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	for (i = 0; i < WRITERS; i++)
		pthread_create(&writers[i], NULL, write_all_the_time,
			       &errors[i]);
	for (i = 0; i < ROUNDS; i++) {
		fake_ask(true);
		ck_assert_int_eq(uev_register_pending(), -ESHUTDOWN);
		ck_assert_int_eq(write_number(&event), 0);
		fake_ask(false);
		fake_pass(A_SECOND);
		ck_assert_int_eq(uev_register_pending(), 0);
		fake_enable("n", true);
		ck_assert_int_eq(write_number(&event), 0);
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (i = 0; i < WRITERS; i++) {
		pthread_join(writers[i], NULL);
		ck_assert_int_eq(errors[i], 0);
	}
	stats = stats_of(&event);
	ck_assert_uint_eq(stats.written, fake_records());
	ck_assert_uint_ge(stats.written, ROUNDS);
	ck_assert_uint_ge(stats.missed, ROUNDS);
	ck_assert_uint_eq(stats.failed, 0);
}

/* Without a main loop, the thread does it although no event is pending. */
TEST(thread_lets_go_and_comes_back)
{
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_set_retry_interval(1), 0);
	fake_ask(true);
	while (!uev_event_status(&event))
		usleep(10000);
	ck_assert_uint_eq(fake_open_files(), 0);
	fake_ask(false);
	fake_pass(A_SECOND);
	while (uev_event_status(&event))
		usleep(10000);
	ck_assert_int_eq(uev_set_retry_interval(0), 0);
}
