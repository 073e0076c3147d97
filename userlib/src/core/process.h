/* SPDX-License-Identifier: MIT */
/*
 * What a process has once: the lock, and the kernel's user_events.
 */
#ifndef USEREVENTS_CORE_PROCESS_H
#define USEREVENTS_CORE_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/kernel.h"

/*
 * The lock of everything that is not said to do without. It is held over system
 * calls, but no other lock is taken while it is, and it is free in the child of
 * a fork().
 */
void uev_lock(void);
void uev_unlock(void);

/* For writers, which may have interrupted whoever holds it. */
bool uev_trylock(void);

/* What follows is to be called with the lock held. */

/* What user_events is; its abi is UEV_ABI_NONE while there is none. */
const struct uev_kernel *uev_process_kernel(void);

/*
 * uev_process_locate() - looks for user_events, unless it is open
 *
 * Nothing is looked for again within a second: the last error is the answer.
 *
 * Return: 0 if it is open, or why it is not.
 */
int uev_process_locate(void);

/* uev_process_error() - what uev_process_locate() has returned last */
int uev_process_error(void);

/*
 * uev_process_retry_allowed() - whether a second has passed since it last
 * returned true
 */
bool uev_process_retry_allowed(void);

/*
 * uev_process_is_closed() - whether user_events was open, and the program has
 * closed it behind the library's back
 */
bool uev_process_is_closed(void);

/*
 * uev_process_reopen() - opens again what the program has closed
 *
 * At most once a second.
 *
 * Return: 0 if it is open anew, and everything has to be registered anew.
 */
int uev_process_reopen(void);

/* Where to look from now on, or which files to use; -EBUSY if it is open. */
int uev_process_set_path(const char *path);
int uev_process_set_files(int data, int status);

/* Gives everything back. */
void uev_process_release(void);

#endif
