/* SPDX-License-Identifier: MIT */
/*
 * The thread that tries pending events again, for programs that want one.
 */
#ifndef USEREVENTS_WATCH_H
#define USEREVENTS_WATCH_H

#include <stdbool.h>

/* uev_watch_wake() - something is pending; the lock of the process may be held */
void uev_watch_wake(void);

/* Around a fork(), after whose end the child has no such thread. */
void uev_watch_before_fork(void);
void uev_watch_after_fork(bool is_child);

#endif
