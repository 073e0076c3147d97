// SPDX-License-Identifier: MIT
#include "core/retry_thread.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>

/* Lock order: the lock of the process, then this one. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * Protected by the lock.
 * @retry: function that the thread calls
 * @is_running: the thread exists, and @wake can be signalled
 * @thread: the thread
 * @number: number of the current thread; a thread with another number exits
 * @seconds: interval while events are pending
 * @is_pending: events might be pending
 */
static struct {
	void (*retry)(void);
	bool is_running;
	pthread_t thread;
	pthread_cond_t wake;
	uintptr_t number;
	unsigned int seconds;
	bool is_pending;
} retry_thread;

/* Waits for the next retry or for a pending event. */
static void wait_for_retry(void)
{
	struct timespec until;

	if (!retry_thread.is_pending) {
		pthread_cond_wait(&retry_thread.wake, &lock);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += retry_thread.seconds;
	pthread_cond_timedwait(&retry_thread.wake, &lock, &until);
}

static void *work(void *number)
{
	void (*retry)(void);

	pthread_mutex_lock(&lock);
	while (retry_thread.number == (uintptr_t)number) {
		retry_thread.is_pending = false;
		retry = retry_thread.retry;
		pthread_mutex_unlock(&lock);
		retry();
		pthread_mutex_lock(&lock);
		if (retry_thread.number == (uintptr_t)number)
			wait_for_retry();
	}
	pthread_mutex_unlock(&lock);

	return NULL;
}

/* Return: 0, or a positive errno of the pthread functions. */
static int create_thread(void)
{
	sigset_t all, before;
	pthread_condattr_t attributes;
	int err;

	err = pthread_condattr_init(&attributes);
	if (err)
		return err;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	err = pthread_cond_init(&retry_thread.wake, &attributes);
	pthread_condattr_destroy(&attributes);
	if (err)
		return err;

	/* The program's own threads handle signals. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&retry_thread.thread, NULL, work,
			     (void *)retry_thread.number);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		pthread_cond_destroy(&retry_thread.wake);
	else
		retry_thread.is_running = true;

	return err;
}

void uev_retry_thread_stop(void)
{
	pthread_t thread;
	bool was_running;

	pthread_mutex_lock(&lock);
	was_running = retry_thread.is_running;
	thread = retry_thread.thread;
	retry_thread.is_running = false;
	retry_thread.number++;
	if (was_running)
		pthread_cond_signal(&retry_thread.wake);
	pthread_mutex_unlock(&lock);

	if (was_running)
		pthread_join(thread, NULL);
}

int uev_retry_thread_start(void (*retry)(void), unsigned int seconds)
{
	int err = 0;

	pthread_mutex_lock(&lock);
	retry_thread.retry = retry;
	retry_thread.seconds = seconds;
	if (retry_thread.is_running)
		pthread_cond_signal(&retry_thread.wake);
	else
		err = create_thread();
	pthread_mutex_unlock(&lock);

	return -err;
}

void uev_retry_thread_wake(void)
{
	pthread_mutex_lock(&lock);
	retry_thread.is_pending = true;
	if (retry_thread.is_running)
		pthread_cond_signal(&retry_thread.wake);
	pthread_mutex_unlock(&lock);
}

void uev_retry_thread_before_fork(void)
{
	pthread_mutex_lock(&lock);
}

void uev_retry_thread_after_fork(bool is_child)
{
	if (is_child) {
		retry_thread.is_running = false;
		retry_thread.number++;
	}
	pthread_mutex_unlock(&lock);
}
