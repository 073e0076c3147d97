/* SPDX-License-Identifier: MIT */
/*
 * What other parts of the library want to know of all events.
 */
#ifndef USEREVENTS_CORE_EVENT_H
#define USEREVENTS_CORE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/* What follows is to be called with the lock held. */

/* How many events are pending, and how many the kernel has. */
uint32_t uev_events_pending(void);
uint32_t uev_events_registered(void);

/*
 * uev_events_register_pending() - looks for user_events, and registers what is
 * pending
 *
 * Return: 0 if nothing is pending any more, or why it is.
 */
int uev_events_register_pending(void);

#endif
