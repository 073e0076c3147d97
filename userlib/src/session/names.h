/* SPDX-License-Identifier: MIT */
/*
 * Names of threads, for a session with UEV_SESSION_COMMS; without it these
 * functions do nothing.
 */
#ifndef USEREVENTS_SESSION_NAMES_H
#define USEREVENTS_SESSION_NAMES_H

#include "session/state.h"

/*
 * Takes what is in the rings, gives up those of processors that are offline, and
 * makes some for those that have none. Where the kernel does not allow it, there
 * is none at all: who hears of some processors only has names of before.
 *
 * Return: 0 or a negative errno
 */
int uev_session_make_name_rings(struct uev_session *session);
void uev_session_free_names(struct uev_session *session);

/*
 * Starts to collect names, and looks up those of the threads that exist.
 *
 * Return: 0 or a negative errno
 */
int uev_session_start_names(struct uev_session *session);
void uev_session_stop_names(struct uev_session *session);

/* Takes what is in the rings. Return: 0 or a negative errno */
int uev_session_read_names(struct uev_session *session);

#endif
