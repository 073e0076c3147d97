// SPDX-License-Identifier: MIT
/*
 * Threads that register, write and unregister at the same time, the thread that
 * tries again, and children. Made to be run with TSan as well.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <userevents/userevents.h>

#include "core/retry_thread.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"

#define WRITERS 3
#define ROUNDS 300
#define A_SECOND 1000

static const enum fake_abi abis[] = { FAKE_ENABLER, FAKE_STATUS };

static struct uev_event event;
static struct uev_event other;
static bool is_over;

static int write_number(struct uev_event *to)
{
	uint32_t number = 1;
	const struct iovec payload = { &number, sizeof(number) };

	return uev_event_writev(to, &payload, 1);
}

static void begin(enum fake_abi abi)
{
	fake_reset(abi);
	uev_event_init(&event, "n u32 a");
	uev_event_init(&other, "other u32 a");
	is_over = false;
}

static void *write_all_the_time(void *result)
{
	int *err = result;

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED) && !*err)
		if (uev_enabled(&event))
			*err = write_number(&event);

	return NULL;
}

/* Writers find the event registered or not. */
TEST_LOOP(unregistering_while_writing, 2)
{
	pthread_t writers[WRITERS];
	int errors[WRITERS] = { 0 };
	struct uev_stats stats;
	int i;

	begin(abis[_i]);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	for (i = 0; i < WRITERS; i++)
		pthread_create(&writers[i], NULL, write_all_the_time,
			       &errors[i]);
	for (i = 0; i < ROUNDS; i++) {
		ck_assert_int_eq(uev_event_register(&event, 0), 0);
		fake_enable("n", true);
		ck_assert(uev_enabled(&event));
		ck_assert_int_eq(write_number(&event), 0);
		if (i % 2)
			fake_enable("n", false);
		ck_assert_int_eq(uev_event_unregister(&event), 0);
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (i = 0; i < WRITERS; i++) {
		pthread_join(writers[i], NULL);
		ck_assert_int_eq(errors[i], 0);
	}
	uev_process_stats(&stats, sizeof(stats));
	ck_assert_uint_eq(stats.written, fake_records());
	ck_assert_uint_ge(stats.written, ROUNDS);
	ck_assert_uint_eq(stats.failed, 0);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

static void *register_own(void *command)
{
	struct uev_event own;
	struct uev_stats stats;
	int i;

	uev_event_init(&own, command);
	for (i = 0; i < ROUNDS; i++) {
		if (uev_event_register(&own, 0) || uev_event_status(&own) ||
		    uev_event_stats(&own, &stats, sizeof(stats)) ||
		    write_number(&own) || uev_event_unregister(&own))
			return command;
		uev_register_pending();
	}

	return NULL;
}

TEST_LOOP(registering_at_the_same_time, 2)
{
	/* Two of them share one event of the kernel. */
	static const char *const commands[] = { "a u32 x", "b u32 x",
						"a u32 x" };
	pthread_t threads[3];
	void *result;
	int i;

	begin(abis[_i]);
	for (i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, register_own,
			       (void *)commands[i]);
	for (i = 0; i < 3; i++) {
		pthread_join(threads[i], &result);
		ck_assert_ptr_null(result);
	}
	ck_assert_uint_eq(fake_enablers(), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

/*
 * All threads find at once that the program has closed everything, and one of
 * them opens the file.
 */
TEST_LOOP(closed_while_writing, 2)
{
	pthread_t writers[WRITERS];
	int errors[WRITERS] = { 0 };
	int i;

	begin(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	for (i = 0; i < WRITERS; i++)
		pthread_create(&writers[i], NULL, write_all_the_time,
			       &errors[i]);
	fake_close_all();
	while (fake_open_files() == 0)
		usleep(1000);
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	for (i = 0; i < WRITERS; i++) {
		pthread_join(writers[i], NULL);
		ck_assert(errors[i] == 0 || errors[i] == -EBADF);
	}
	ck_assert_int_eq(write_number(&event), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

/* --- Cancellation --------------------------------------------------------- */

/* Calls everything with a pending cancellation. */
static void *use_while_cancelled(void *result)
{
	int *err = result;
	int state;

	pthread_cancel(pthread_self());
	*err = uev_event_register(&event, 0);
	if (!*err)
		*err = write_number(&event);
	fake_close_all();
	if (!*err)
		*err = write_number(&event);
	fake_close_all();
	fake_mounts("t /elsewhere tracefs rw 0 0\n");
	if (!*err)
		*err = uev_register_pending();
	if (!*err)
		*err = uev_set_retry_interval(1);
	if (!*err)
		*err = uev_set_retry_interval(0);
	if (!*err)
		*err = uev_event_unregister(&event);
	if (!*err)
		*err = uev_shutdown();
	/* The end of the thread would take the cancellation. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);

	return state == PTHREAD_CANCEL_ENABLE ? result : NULL;
}

TEST(no_cancellation_points)
{
	pthread_t thread;
	void *result;
	int err = 1;

	begin(FAKE_STATUS);
	fake_mount("/elsewhere");
	fake_mounts("t /elsewhere tracefs rw 0 0\n");
	ck_assert_int_eq(
		pthread_create(&thread, NULL, use_while_cancelled, &err), 0);
	pthread_join(thread, &result);
	ck_assert_int_eq(err, 0);
	ck_assert_ptr_eq(result, &err);
}

/* --- The thread that tries again ------------------------------------------ */

TEST(retry_thread)
{
	unsigned int opens;

	begin(FAKE_ENABLER);
	fake_load(false);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	opens = fake_calls(FAKE_OPEN);
	fake_pass(A_SECOND);
	ck_assert_int_eq(uev_set_retry_interval(1), 0);
	/* Once more is the same thread. */
	ck_assert_int_eq(uev_set_retry_interval(1), 0);
	/* Until the test takes too long for libcheck. */
	while (fake_calls(FAKE_OPEN) == opens)
		usleep(1000);
	ck_assert_int_eq(uev_event_status(&event), -ENOPKG);
	fake_pass(A_SECOND);
	fake_load(true);
	while (uev_event_status(&event) != 0)
		usleep(10000);

	/* It sleeps without a timeout now, but stops at once. */
	ck_assert_int_eq(uev_set_retry_interval(0), 0);
	ck_assert_int_eq(uev_set_retry_interval(0), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

static sem_t retry_begins, retry_may_end;
static unsigned int retries;

/* The first call lasts until the test ends it. */
static void retry_slowly(void)
{
	if (__atomic_fetch_add(&retries, 1, __ATOMIC_RELAXED))
		return;
	sem_post(&retry_begins);
	sem_wait(&retry_may_end);
}

static void *stop_retry_thread(void *data)
{
	uev_retry_thread_stop();

	return data;
}

/* A thread that was told to end does so although the next one runs. */
TEST(retry_thread_ends_beside_next_one)
{
	pthread_t stops;

	sem_init(&retry_begins, 0, 0);
	sem_init(&retry_may_end, 0, 0);
	ck_assert_int_eq(uev_retry_thread_start(retry_slowly, 3600), 0);
	sem_wait(&retry_begins);
	pthread_create(&stops, NULL, stop_retry_thread, NULL);
	/* The thread is told to end, and the next one waits. */
	usleep(100000);
	ck_assert_int_eq(uev_retry_thread_start(retry_slowly, 3600), 0);
	usleep(100000);
	sem_post(&retry_may_end);
	pthread_join(stops, NULL);
	uev_retry_thread_stop();
}

static int child_status;

/* Before what the tests leave is taken for a leak. */
static void end_child(void)
{
	_exit(0);
}

/* The child has this thread only, which ends, and with it the child. */
static void retry_in_child(void)
{
	pid_t child;

	if (__atomic_fetch_add(&retries, 1, __ATOMIC_RELAXED))
		return;
	child = fork();
	if (!child) {
		atexit(end_child);
		return;
	}
	waitpid(child, &child_status, 0);
	sem_post(&retry_begins);
}

/* A failure handler, which the thread calls, can do so. */
TEST(retry_thread_forks)
{
	/* Installs the handlers of fork(). */
	begin(FAKE_ENABLER);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	sem_init(&retry_begins, 0, 0);
	child_status = -1;
	ck_assert_int_eq(uev_retry_thread_start(retry_in_child, 1), 0);
	sem_wait(&retry_begins);
	uev_retry_thread_stop();
	ck_assert_int_eq(child_status, 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST(retry_thread_with_rejected_event)
{
	struct uev_event *table[] = { &event };

	begin(FAKE_ENABLER);
	ck_assert_int_eq(uev_event_register(&other, 0), 0);
	ck_assert_int_eq(uev_set_retry_interval(1), 0);
	fake_fail(FAKE_IOCTL, 0, 1, -EMFILE);
	ck_assert_int_eq(uev_events_register(table, table + 1), 0);
	while (uev_event_status(&event) != 0) {
		fake_pass(A_SECOND);
		usleep(10000);
	}
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_event_unregister(&other), 0);
	/* A shutdown stops the thread, too. */
	ck_assert_int_eq(uev_shutdown(), 0);
	ck_assert_int_eq(uev_set_retry_interval(1), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

TEST_LOOP(thread_creation_fails, 2)
{
	begin(FAKE_ENABLER);
	fake_alloc_fail((unsigned int)_i);
	ck_assert_int_eq(uev_set_retry_interval(1), -EAGAIN);
	ck_assert(fake_alloc_end());
	ck_assert(fake_alloc_kept_errno());
	ck_assert_int_eq(uev_set_retry_interval(1), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}

/* --- Children ------------------------------------------------------------- */

static void *register_all_the_time(void *unused)
{
	struct uev_event own = UEV_EVENT_INIT("own");

	while (!__atomic_load_n(&is_over, __ATOMIC_RELAXED)) {
		uev_event_register(&own, 0);
		uev_event_unregister(&own);
	}

	return unused;
}

/* The parent's thread is not there, but may be again. */
static int have_thread(struct uev_event *new)
{
	struct uev_event *table[] = { new };

#ifdef __SANITIZE_THREAD__
	/* It does not follow the children of processes with threads. */
	return table[0] != new;
#endif
	fake_fail(FAKE_IOCTL, 0, 1, -EMFILE);
	if (uev_set_retry_interval(1) || uev_events_register(table, table + 1))
		return 1;
	while (uev_event_status(new) != 0) {
		fake_pass(A_SECOND);
		usleep(1000);
	}

	return uev_set_retry_interval(0) || uev_event_unregister(new);
}

/* Runs in a child; returns 0 on success. */
static int live_as_child(void)
{
	struct uev_event new = UEV_EVENT_INIT("new u32 a");

	/* It keeps its events and can register more. */
	if (uev_event_status(&event) || write_number(&event))
		return 1;
	if (uev_event_register(&new, 0) || uev_event_unregister(&new))
		return 2;
	if (uev_event_unregister(&event))
		return 3;
	if (have_thread(&new))
		return 4;

	return 0;
}

/*
 * If another thread allocates memory during fork(), AddressSanitizer's allocator
 * stays locked in the child; the C library's does not.
 */
#ifdef __SANITIZE_ADDRESS__
#define HAS_THREADS false
#else
#define HAS_THREADS true
#endif

TEST_LOOP(children, 2)
{
	pthread_t thread;
	int i, status;
	pid_t child;

	begin(abis[_i]);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("n", true);
	if (HAS_THREADS) {
		ck_assert_int_eq(uev_set_retry_interval(1), 0);
		pthread_create(&thread, NULL, register_all_the_time, NULL);
	}
	for (i = 0; i < 20; i++) {
		child = fork();
		if (!child)
			_exit(live_as_child());
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert(WIFEXITED(status));
		ck_assert_int_eq(WEXITSTATUS(status), 0);
	}
	__atomic_store_n(&is_over, true, __ATOMIC_RELAXED);
	if (HAS_THREADS)
		pthread_join(thread, NULL);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
	ck_assert_int_eq(uev_shutdown(), 0);
}
