/* SPDX-License-Identifier: MIT */
/* Ring buffers of a session, one per processor. */
#ifndef USEREVENTS_SESSION_BUFFERS_H
#define USEREVENTS_SESSION_BUFFERS_H

#include "session/state.h"

/*
 * Creates the missing buffers of online processors, and recreates those of
 * processors that were offline, with all events.
 *
 * Return: 0 or a negative errno
 */
int uev_session_make_buffers(struct uev_session *session);
void uev_session_free_buffers(struct uev_session *session);

#endif
