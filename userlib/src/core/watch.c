// SPDX-License-Identifier: MIT
#include "core/watch.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <userevents/userevents.h>

/* May be taken while that of the process is held, but not the other way. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * All under the lock.
 * @is_running: there is a thread, and @wake may be signalled
 * @thread: the thread
 * @number: which thread it is; one that has another number ends
 * @seconds: how long it sleeps while something is pending
 * @is_pending: something may be
 */
static struct {
	bool is_running;
	pthread_t thread;
	pthread_cond_t wake;
	uintptr_t number;
	unsigned int seconds;
	bool is_pending;
} watch;

/* Until it is time to look, or there is something to look at. */
static void wait_a_while(void)
{
	struct timespec until;

	if (!watch.is_pending) {
		pthread_cond_wait(&watch.wake, &lock);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += watch.seconds;
	pthread_cond_timedwait(&watch.wake, &lock, &until);
}

static void *work(void *number)
{
	pthread_mutex_lock(&lock);
	while (watch.number == (uintptr_t)number) {
		watch.is_pending = false;
		pthread_mutex_unlock(&lock);
		/* Says so if anything is still pending. */
		(void)uev_retry();
		pthread_mutex_lock(&lock);
		if (watch.number == (uintptr_t)number)
			wait_a_while();
	}
	pthread_mutex_unlock(&lock);

	return NULL;
}

/* Return: 0, or a positive errno as from the functions for threads. */
static int start(void)
{
	sigset_t all, before;
	pthread_condattr_t attributes;
	int err;

	err = pthread_condattr_init(&attributes);
	if (err)
		return err;
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	err = pthread_cond_init(&watch.wake, &attributes);
	pthread_condattr_destroy(&attributes);
	if (err)
		return err;

	/* Signals are for the program's own threads. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&watch.thread, NULL, work, (void *)watch.number);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		pthread_cond_destroy(&watch.wake);
	else
		watch.is_running = true;

	return err;
}

static void stop(void)
{
	pthread_t thread;
	bool was_running;

	pthread_mutex_lock(&lock);
	was_running = watch.is_running;
	thread = watch.thread;
	watch.is_running = false;
	watch.number++;
	if (was_running)
		pthread_cond_signal(&watch.wake);
	pthread_mutex_unlock(&lock);

	if (was_running)
		pthread_join(thread, NULL);
}

int uev_retry_every(unsigned int seconds)
{
	int err = 0;

	if (!seconds) {
		stop();
		return 0;
	}
	pthread_mutex_lock(&lock);
	watch.seconds = seconds;
	if (watch.is_running)
		pthread_cond_signal(&watch.wake);
	else
		err = start();
	pthread_mutex_unlock(&lock);

	return -err;
}

void uev_watch_wake(void)
{
	pthread_mutex_lock(&lock);
	watch.is_pending = true;
	if (watch.is_running)
		pthread_cond_signal(&watch.wake);
	pthread_mutex_unlock(&lock);
}

void uev_watch_before_fork(void)
{
	pthread_mutex_lock(&lock);
}

void uev_watch_after_fork(bool is_child)
{
	if (is_child) {
		watch.is_running = false;
		watch.number++;
	}
	pthread_mutex_unlock(&lock);
}
