/* SPDX-License-Identifier: MIT */
/*
 * The ring buffers of a session, one for each processor.
 */
#ifndef USEREVENTS_SESSION_BUFFERS_H
#define USEREVENTS_SESSION_BUFFERS_H

#include "session/state.h"

/*
 * Makes the buffers of processors that are online and have none; those of
 * processors that were offline are made anew, with all events.
 *
 * Return: 0 or a negative errno
 */
int uev_session_make_buffers(struct uev_session *session);
void uev_session_free_buffers(struct uev_session *session);

#endif
