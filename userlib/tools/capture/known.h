/* SPDX-License-Identifier: MIT */
/*
 * user-events: events that a command will register.
 *
 * They are registered before the command runs, so that its first record is
 * collected.
 */
#ifndef USER_EVENTS_CAPTURE_KNOWN_H
#define USER_EVENTS_CAPTURE_KNOWN_H

#include <stddef.h>

#include "capture/options.h"

/* @count registered events at @events; zeros are none */
struct capture_known {
	struct uev_event *events;
	size_t count;
};

/*
 * capture_known_register() - Registers the events in the file of a command
 * @options: the command, and the patterns of wanted events
 *
 * A command whose file cannot be read, such as a script, has none. Events that
 * the kernel rejects are left to the command.
 */
void capture_known_register(struct capture_known *known,
			    const struct capture_options *options);

/* capture_known_release() - Unregisters the events. */
void capture_known_release(struct capture_known *known);

#endif
