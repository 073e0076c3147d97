/* SPDX-License-Identifier: MIT */
/*
 * user-events: creation of persistent events, and deletion.
 *
 * On error, functions return a negative errno.
 */
#ifndef USER_EVENTS_EVENTS_ADMIN_H
#define USER_EVENTS_EVENTS_ADMIN_H

#include <stdbool.h>

#include <userevents/userevents.h>

/* Tests whether an event of a name and one format exists or could exist. */
bool event_admin_has(const char *tracefs, const char *name);

/*
 * event_admin_register() - Registers an event; one that is only pending is an
 * error, after which it is not registered
 */
int event_admin_register(struct uev_event *event, const char *command,
			 unsigned int flags);

/*
 * event_admin_add() - Creates a persistent event
 * @tracefs: NULL if it is not visible to the caller
 * @command: a definition in the form of the kernel, which can have rights
 *
 * Uses dynamic_events; without permission, or if the kernel does not support it
 * (6.4 to 6.6), uses user_events_data, which takes no rights.
 *
 * Return: 0; -ENOTSUP if the kernel does not support rights; ...
 */
int event_admin_add(const char *tracefs, const char *command);

/*
 * event_admin_delete() - Deletes all events of a name
 *
 * Uses user_events_data, which keeps the buffers of ftrace; without permission
 * uses dynamic_events.
 *
 * Return: 0, -ENOENT if there is none, -EBUSY, -EPERM, ...
 */
int event_admin_delete(const char *tracefs, const char *name);

#endif
