/* SPDX-License-Identifier: MIT */
/* Events of a session, with descriptors for each buffer and target. */
#ifndef USEREVENTS_SESSION_EVENTS_H
#define USEREVENTS_SESSION_EVENTS_H

#include "session/state.h"

/* Closes the descriptors of events in a buffer that is removed. */
void uev_session_detach_buffer(struct uev_session *session, size_t buffer);

/* Opens all events in a new buffer. Return: 0 or a negative errno */
int uev_session_attach_buffer(struct uev_session *session, size_t buffer);

/*
 * Opens the events in a buffer again that are not of processes, and the missing
 * ones of processes, after the processor was offline.
 *
 * Return: 0 or a negative errno
 */
int uev_session_renew_late(struct uev_session *session, size_t buffer);

/* Adds the events that match. Return: 0 or a negative errno */
int uev_session_find_events(struct uev_session *session,
			    const struct uev_session_pattern *pattern);
void uev_session_free_events(struct uev_session *session);

/* Calls ioctl(2) for all events. Return: 0 or the first error */
int uev_session_control(struct uev_session *session, unsigned long request);

#endif
