/* SPDX-License-Identifier: MIT */
/*
 * user-events: making events that stay, and deleting events.
 *
 * What fails returns a negative errno.
 */
#ifndef USER_EVENTS_EVENTS_ADMIN_H
#define USER_EVENTS_EVENTS_ADMIN_H

#include <stdbool.h>

/* Whether there is an event of a name, of one format, or may be. */
bool event_admin_has(const char *tracefs, const char *name);

/*
 * event_admin_add() - makes an event that stays without a process
 * @tracefs: NULL where the caller may not see it
 * @command: a definition as the kernel takes it
 *
 * Through dynamic_events; where that is not open to the caller, or the kernel
 * makes no events there (6.4 to 6.6), through user_events_data.
 */
int event_admin_add(const char *tracefs, const char *command);

/*
 * event_admin_delete() - deletes all events of a name
 *
 * Through user_events_data, which leaves the buffers of ftrace as they are;
 * where that is not open to the caller, through dynamic_events.
 *
 * Return: 0, -ENOENT if there is none, -EBUSY, -EPERM, ...
 */
int event_admin_delete(const char *tracefs, const char *name);

#endif
