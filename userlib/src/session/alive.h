/* SPDX-License-Identifier: MIT */
/*
 * Finds events that the kernel has removed from their processor.
 *
 * An event of all processes does not survive when its processor goes offline, as
 * all but one do while the machine is suspended. It stays open, and counts
 * nothing when the processor is online again. There is no other sign than the
 * time for which it was enabled, which stands still.
 */
#ifndef USEREVENTS_SESSION_ALIVE_H
#define USEREVENTS_SESSION_ALIVE_H

#include "session/state.h"

/* What the events of @uev_session_buffer.fd return to read(2) */
#define UEV_SESSION_WATCHED PERF_FORMAT_TOTAL_TIME_ENABLED

/*
 * Begins to watch an event that was enabled.
 *
 * Return: 0 or a negative errno
 */
int uev_session_watch(struct uev_session_buffer *buffer);

/*
 * Looks at all events that are watched, at most ten times per second, and marks
 * those that were removed as offline.
 *
 * Return: 0 or a negative errno
 */
int uev_session_find_dead(struct uev_session *session);

/*
 * Counts the buffers whose events were removed since the last look.
 *
 * Return: 0 or a negative errno
 */
int uev_session_count_dead(struct uev_session *session);

/* Tests whether the events of the buffers are of all processes. */
bool uev_session_is_of_all(const struct uev_session *session);

#endif
