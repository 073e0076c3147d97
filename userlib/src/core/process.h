/* SPDX-License-Identifier: MIT */
/* State of the process: the lock and the kernel's user_events. */
#ifndef USEREVENTS_CORE_PROCESS_H
#define USEREVENTS_CORE_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel.h"

/*
 * The lock of all functions that are not marked lock-free. It is held across
 * system calls, and its owner cannot be cancelled. No other lock is taken while
 * it is held. In the child of a fork() it is free.
 */
void uev_lock(void);
void uev_unlock(void);

/*
 * uev_trylock() - Takes the lock if it is free
 *
 * Async-signal-safe. The owner makes only async-signal-safe calls, and its
 * signals are blocked until uev_unlock_signals().
 *
 * Return: whether the lock was taken.
 */
bool uev_trylock(sigset_t *before);
void uev_unlock_signals(const sigset_t *before);

/* Call the following with the lock held. */

/*
 * Returns the kernel's user_events; its abi is UEV_ABI_NONE if it is not open.
 */
const struct uev_kernel *uev_process_kernel(void);

/*
 * uev_process_locate() - Looks for user_events, unless it is open
 *
 * At most once a second; between searches it returns the last error.
 *
 * Return: 0 if it is open, or the reason.
 */
int uev_process_locate(void);

/* uev_process_error() - Returns the last result of uev_process_locate() */
int uev_process_error(void);

/*
 * uev_process_retry_allowed() - Limits retries to once a second
 *
 * Return: true if a second has passed since it last returned true.
 */
bool uev_process_retry_allowed(void);

/* Returns UEV_KERNEL_OPEN if user_events is not open. */
enum uev_kernel_state uev_process_state(void);

/*
 * uev_process_close() - Closes user_events because the module is about to be
 * replaced
 *
 * uev_process_locate() then fails with -ESHUTDOWN until it is.
 */
void uev_process_close(void);

/*
 * uev_process_reopen() - Opens user_events again after the program has closed
 * it
 *
 * At most once a second after a failure, whose error it returns until then.
 *
 * Return: 0 if it is open again, and all events must be registered again, or
 * unregistered if it must be closed.
 */
int uev_process_reopen(void);

/*
 * uev_process_reopen_same() - The same at the path of the closed file only
 *
 * At most once a second after a failure. Async-signal-safe.
 */
int uev_process_reopen_same(void);

/*
 * uev_process_read_environment() - Reads USER_EVENTS_SOCKET, the socket of a
 * broker
 *
 * At load; tests call it again. Programs with more privileges than their caller
 * ignore the variable.
 */
void uev_process_read_environment(void);

/* Sets the path to search or the files to use; -EBUSY if it is open. */
int uev_process_set_path(const char *path);
int uev_process_set_files(int data, int status);

/* Frees everything. */
void uev_process_release(void);

#endif
