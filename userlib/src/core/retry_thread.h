/* SPDX-License-Identifier: MIT */
/*
 * A thread that calls a function periodically while events are pending. It is
 * independent of the rest of the library.
 */
#ifndef USEREVENTS_CORE_RETRY_THREAD_H
#define USEREVENTS_CORE_RETRY_THREAD_H

#include <stdbool.h>

/*
 * uev_retry_thread_start() - Starts the thread or changes its interval
 * @retry: function to call, the same in every call; it calls
 *        uev_retry_thread_wake() if events are still pending
 * @seconds: interval in seconds, more than 0
 *
 * Return: 0, or a negative errno if the thread cannot be created.
 */
int uev_retry_thread_start(void (*retry)(void), unsigned int seconds);

/* Stops the thread and waits until @retry has returned. */
void uev_retry_thread_stop(void);

/*
 * uev_retry_thread_wake() - Notifies the thread of a pending event
 *
 * Context: the lock of the process may be held.
 */
void uev_retry_thread_wake(void);

/* Handlers of fork(); the child does not have the thread. */
void uev_retry_thread_before_fork(void);
void uev_retry_thread_after_fork(bool is_child);

#endif
