/* SPDX-License-Identifier: MIT */
/* Executable mappings of processes that exist when a session starts. */
#ifndef USEREVENTS_SESSION_MAPS_H
#define USEREVENTS_SESSION_MAPS_H

#include "session/state.h"

/*
 * Reads them from /proc: those of the targets of the session and their
 * children, or of all processes. Changes that were queued before are applied
 * later, which repeats them.
 *
 * Return: 0 or -ENOMEM
 */
int uev_session_read_maps(struct uev_session *session);

#endif
