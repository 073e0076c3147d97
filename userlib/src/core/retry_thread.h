/* SPDX-License-Identifier: MIT */
/*
 * A thread that calls a function again and again while something is pending.
 * It knows of nothing else in the library.
 */
#ifndef USEREVENTS_CORE_RETRY_THREAD_H
#define USEREVENTS_CORE_RETRY_THREAD_H

#include <stdbool.h>

/*
 * uev_retry_thread_start() - starts the thread, or changes its interval
 * @retry: what it calls; the same in every call. It calls
 *	   uev_retry_thread_wake() if something is still pending
 * @seconds: how long the thread sleeps between two calls, more than 0
 *
 * Return: 0, or a negative errno if there can be no more threads.
 */
int uev_retry_thread_start(void (*retry)(void), unsigned int seconds);

/* Waits for the thread to end, and so for @retry to return. */
void uev_retry_thread_stop(void);

/*
 * uev_retry_thread_wake() - something is pending
 *
 * Context: the lock of the process may be held.
 */
void uev_retry_thread_wake(void);

/* Around a fork(), after which the child has no such thread. */
void uev_retry_thread_before_fork(void);
void uev_retry_thread_after_fork(bool is_child);

#endif
