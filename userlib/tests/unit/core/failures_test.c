// SPDX-License-Identifier: MIT
/* The handler for events that the kernel rejects. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>
#include <userevents/userevents.h>

#include "lib/fake_sys.h"
#include "lib/runner.h"

#define A_SECOND 1000

/* Calls of the handler, and the arguments of the last one. */
static struct {
	int calls;
	int error;
	int status;
	char name[256];
	char command[512];
} seen;

static struct uev_event event, taken, other;

static void handler(const char *name, const char *command, int error,
		    void *data)
{
	ck_assert_ptr_eq(data, &seen);
	seen.calls++;
	seen.error = error;
	strcpy(seen.name, name);
	strcpy(seen.command, command);
	/* The library can be called, since no lock is held. */
	seen.status = uev_event_status(&taken);
	errno = ENOENT;
}

static void register_table(struct uev_event *one)
{
	(void)uev_events_register(&one, &one + 1);
}

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	uev_event_init(&event, "n u32 a");
	uev_event_init(&taken, "n u8 a");
	uev_event_init(&other, "other u8 a");
	memset(&seen, 0, sizeof(seen));
}

static void tear_down(void)
{
	uev_event_unregister(&event);
	uev_event_unregister(&taken);
	uev_event_unregister(&other);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST_FIXTURE(set_up, tear_down);

TEST(reports_a_conflict)
{
	uev_set_failure_handler(handler, &seen);
	register_table(&event);
	ck_assert_int_eq(seen.calls, 0);
	errno = EXDEV;
	register_table(&taken);
	ck_assert_int_eq(errno, EXDEV);
	ck_assert_int_eq(seen.calls, 1);
	ck_assert_int_eq(seen.error, -EADDRINUSE);
	ck_assert_int_eq(seen.status, -EADDRINUSE);
	ck_assert_str_eq(seen.name, "n");
	ck_assert_str_eq(seen.command, "n u8 a");
}

/* As for UEV_TRACE(), which registers before main(). */
TEST(reports_earlier_failures)
{
	register_table(&event);
	register_table(&taken);
	uev_set_failure_handler(handler, &seen);
	ck_assert_int_eq(seen.calls, 1);
	ck_assert_str_eq(seen.command, "n u8 a");
	uev_set_failure_handler(handler, &seen);
	ck_assert_int_eq(seen.calls, 1);
}

TEST(reports_each_reason_once)
{
	uev_set_failure_handler(handler, &seen);
	register_table(&event);
	register_table(&taken);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), -EADDRINUSE);
	ck_assert_int_eq(seen.calls, 1);
	fake_fail(FAKE_IOCTL, 0, 1, -EMFILE);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_register_pending(), -EMFILE);
	ck_assert_int_eq(seen.calls, 2);
	ck_assert_int_eq(seen.error, -EMFILE);
}

/* All calls that register report failures. */
static void retry_by_call(int call)
{
	char text[8];

	if (call == 0)
		(void)uev_register_pending();
	else if (call == 1)
		(void)uev_diagnose(text, sizeof(text));
	else if (call == 2)
		(void)uev_event_register(&other, 0);
	else
		(void)uev_set_path(NULL);
}

TEST_LOOP(reports_in_each_call, 4)
{
	uev_set_failure_handler(handler, &seen);
	fake_load(false);
	register_table(&event);
	register_table(&taken);
	ck_assert_int_eq(seen.calls, 0);
	fake_load(true);
	fake_pass(A_SECOND);
	retry_by_call(_i);
	ck_assert_int_eq(seen.calls, 1);
	ck_assert_int_eq(seen.error, -EADDRINUSE);
}

TEST(reports_after_reopening)
{
	uev_set_failure_handler(handler, &seen);
	register_table(&event);
	fake_close_all();
	/* After those that detect the interface and unregister. */
	fake_fail(FAKE_IOCTL, 2, 1, -EMFILE);
	(void)uev_register_pending();
	ck_assert_int_eq(seen.calls, 1);
	ck_assert_int_eq(seen.error, -EMFILE);
}

/* The caller of uev_event_register() has the error. */
TEST(skips_returned_errors)
{
	uev_set_failure_handler(handler, &seen);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_register(&taken, 0), -EADDRINUSE);
	uev_set_failure_handler(handler, &seen);
	ck_assert_int_eq(seen.calls, 0);
}

TEST(skips_missing_user_events)
{
	uev_set_failure_handler(handler, &seen);
	fake_load(false);
	register_table(&event);
	ck_assert_int_eq(uev_register_pending(), -ENOPKG);
	ck_assert_int_eq(seen.calls, 0);
}

TEST(skips_events_that_are_gone)
{
	struct uev_event third = UEV_EVENT_INIT("n u16 a");

	register_table(&event);
	register_table(&taken);
	register_table(&third);
	ck_assert_int_eq(uev_event_unregister(&taken), 0);
	uev_set_failure_handler(handler, &seen);
	ck_assert_int_eq(seen.calls, 1);
	ck_assert_str_eq(seen.command, "n u16 a");
	ck_assert_int_eq(uev_event_unregister(&third), 0);
	register_table(&taken);
	ck_assert_int_eq(seen.calls, 2);
}

TEST(can_be_removed)
{
	uev_set_failure_handler(handler, &seen);
	uev_set_failure_handler(NULL, NULL);
	register_table(&event);
	register_table(&taken);
	ck_assert_int_eq(seen.calls, 0);
}

static void registering_handler(const char *name, const char *command,
				int error, void *data)
{
	handler(name, command, error, data);
	register_table(&taken);
}

TEST(handler_can_register)
{
	struct uev_event third = UEV_EVENT_INIT("n u16 a");

	uev_set_failure_handler(registering_handler, &seen);
	register_table(&event);
	register_table(&third);
	ck_assert_int_eq(seen.calls, 2);
	ck_assert_str_eq(seen.command, "n u8 a");
	ck_assert_int_eq(uev_event_unregister(&third), 0);
}

/* 0: the retry thread has not stopped itself; 1: it is joinable; 2: detached */
static int detach_state;

static void stopping_handler(const char *name, const char *command, int error,
			     void *data)
{
	pthread_attr_t attributes;
	int state;

	(void)name;
	(void)command;
	(void)error;
	if (*(int *)data)
		(void)uev_shutdown();
	else
		(void)uev_set_retry_interval(0);
	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getdetachstate(&attributes, &state);
	pthread_attr_destroy(&attributes);
	__atomic_store_n(&detach_state, 1 + (state == PTHREAD_CREATE_DETACHED),
			 __ATOMIC_RELEASE);
}

/* Nothing could join a thread that joins itself. */
TEST_LOOP(handler_can_stop_its_thread, 2)
{
	int shuts_down = _i;

	__atomic_store_n(&detach_state, 0, __ATOMIC_RELAXED);
	fake_load(false);
	register_table(&event);
	register_table(&taken);
	uev_set_failure_handler(stopping_handler, &shuts_down);
	fake_load(true);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_set_retry_interval(1), 0);
	while (!__atomic_load_n(&detach_state, __ATOMIC_ACQUIRE))
		usleep(1000);
	ck_assert_int_eq(detach_state, 2);
	/* It can be started again. */
	ck_assert_int_eq(uev_set_retry_interval(1), 0);
	ck_assert_int_eq(uev_set_retry_interval(0), 0);
	uev_set_failure_handler(NULL, NULL);
}
