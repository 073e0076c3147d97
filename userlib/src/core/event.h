/* SPDX-License-Identifier: MIT */
/* Functions of all events for other parts of the library. */
#ifndef USEREVENTS_CORE_EVENT_H
#define USEREVENTS_CORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

struct uev_event;

/* uev_events_register_as() - As uev_events_register(), with other flags */
int uev_events_register_as(struct uev_event **begin, struct uev_event **end,
			   unsigned int flags);

/*
 * uev_events_recover() - Opens user_events again for a writer that has found it
 * closed, and registers all events again
 *
 * Does nothing if another thread, or a function that is interrupted, has the
 * lock. Async-signal-safe. Call it without the lock.
 */
void uev_events_recover(void);

/* Call the following with the lock held. */

/* Numbers of events that are pending, and that the kernel has. */
uint32_t uev_events_pending(void);
uint32_t uev_events_registered(void);

/*
 * Returns the command of the first pending event and sets *@err to the reason;
 * NULL if no event is pending.
 */
const char *uev_events_first_pending(int *err);

/*
 * Returns the command of the first event that shares its name, see
 * UEV_SHARE_NAME; NULL if none does.
 */
const char *uev_events_first_shared(void);

/*
 * uev_events_register_pending() - Locates user_events and registers pending
 * events
 *
 * Return: 0 if no event is pending any more, or the reason.
 */
int uev_events_register_pending(void);

#endif
