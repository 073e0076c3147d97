// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "core/retry_thread.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "util/alloc.h"

/* It keeps a wake() that precedes the wait, unlike a condition variable. */
#ifdef __GLIBC_PREREQ
#if __GLIBC_PREREQ(2, 30)
#define WAIT_CLOCK CLOCK_MONOTONIC
#define SEM_WAIT_UNTIL(wake, until) sem_clockwait(wake, CLOCK_MONOTONIC, until)
#endif
#endif
#ifndef WAIT_CLOCK
#define WAIT_CLOCK CLOCK_REALTIME
#define SEM_WAIT_UNTIL(wake, until) sem_timedwait(wake, until)
#endif

/* Lock order: the lock of the process, then this one. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * struct worker - a thread, which frees it
 * @thread: the thread
 * @wake: posted, with the lock, when the thread must check its state; its own,
 *        since one that was told to end can still run beside the next one
 */
struct worker {
	pthread_t thread;
	sem_t wake;
};

/*
 * Protected by the lock.
 * @retry: function that the thread calls
 * @worker: the thread, or NULL; any other one exits
 * @seconds: interval of retries
 * @is_pending: events might be pending
 * @is_asleep: the thread waits although no event is pending
 */
static struct {
	void (*retry)(void);
	struct worker *worker;
	unsigned int seconds;
	bool is_pending;
	bool is_asleep;
} retry_thread;

/*
 * Keeps the memory of the parent's thread, for tests that search for leaks. The
 * compiler would remove it, since nothing reads it.
 */
__attribute__((__used__)) static struct worker *before_fork;

static void wake(void)
{
	int before = errno;

	if (retry_thread.worker)
		(void)sem_post(&retry_thread.worker->wake);
	errno = before;
}

/*
 * Waits for the next retry or for a pending event, without the lock. A wake()
 * since the state was read ends the wait. Without pending events, a retry tests
 * whether to let go of the module: a program that can only write the file has
 * no way to be notified of that.
 */
static void wait_for_retry(struct worker *worker, unsigned int seconds)
{
	struct timespec until;

	clock_gettime(WAIT_CLOCK, &until);
	until.tv_sec += seconds;
	(void)SEM_WAIT_UNTIL(&worker->wake, &until);
}

static void *work(void *data)
{
	struct worker *worker = data;
	void (*retry)(void);
	unsigned int seconds;

	pthread_mutex_lock(&lock);
	while (retry_thread.worker == worker) {
		retry_thread.is_pending = false;
		retry = retry_thread.retry;
		pthread_mutex_unlock(&lock);
		retry();
		pthread_mutex_lock(&lock);
		retry_thread.is_asleep = !retry_thread.is_pending;
		seconds = retry_thread.seconds;
		pthread_mutex_unlock(&lock);
		wait_for_retry(worker, seconds);
		pthread_mutex_lock(&lock);
	}
	pthread_mutex_unlock(&lock);
	(void)sem_destroy(&worker->wake);
	free(worker);

	return NULL;
}

/* Return: 0, or a negative errno */
static int create_thread(void)
{
	struct worker *worker = uev_calloc(1, sizeof(*worker));
	sigset_t all, before;
	int errno_before = errno;
	int err;

	if (!worker)
		return -EAGAIN;
	(void)sem_init(&worker->wake, 0, 0);

	/* The program's own threads handle signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&worker->thread, NULL, work, worker);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = errno_before;
	if (err)
		free(worker);
	else
		retry_thread.worker = worker;

	return -err;
}

void uev_retry_thread_stop(void)
{
	pthread_t thread = pthread_self();
	bool was_running;
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&lock);
	was_running = retry_thread.worker;
	if (was_running)
		thread = retry_thread.worker->thread;
	wake();
	retry_thread.worker = NULL;
	pthread_mutex_unlock(&lock);

	/* A failure handler that the thread calls can stop it. */
	if (was_running && pthread_equal(thread, pthread_self()))
		pthread_detach(thread);
	else if (was_running)
		pthread_join(thread, NULL);
	pthread_setcancelstate(state, &state);
}

int uev_retry_thread_start(void (*retry)(void), unsigned int seconds)
{
	int err = 0;

	pthread_mutex_lock(&lock);
	retry_thread.retry = retry;
	retry_thread.seconds = seconds;
	if (retry_thread.worker)
		wake();
	else
		err = create_thread();
	pthread_mutex_unlock(&lock);

	return err;
}

void uev_retry_thread_wake(void)
{
	pthread_mutex_lock(&lock);
	retry_thread.is_pending = true;
	if (retry_thread.is_asleep)
		wake();
	retry_thread.is_asleep = false;
	pthread_mutex_unlock(&lock);
}

void uev_retry_thread_before_fork(void)
{
	pthread_mutex_lock(&lock);
}

void uev_retry_thread_after_fork(bool is_child)
{
	if (is_child) {
		/* Not freed: the thread is there, too, if it has called fork(). */
		before_fork = retry_thread.worker;
		retry_thread.worker = NULL;
	}
	pthread_mutex_unlock(&lock);
}
