/* SPDX-License-Identifier: MIT */
/* Conversion of the buffers of a session to ordered records. */
#ifndef USEREVENTS_SESSION_RECORDS_H
#define USEREVENTS_SESSION_RECORDS_H

#include "session/state.h"

/* Reads one buffer into the queue. Return: 0 or a negative errno */
int uev_session_read_buffer(struct uev_session *session,
			    struct uev_session_buffer *buffer);

#endif
