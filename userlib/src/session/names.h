/* SPDX-License-Identifier: MIT */
/*
 * Names of threads, for a session with UEV_SESSION_COMMS. Without it these
 * functions do nothing.
 */
#ifndef USEREVENTS_SESSION_NAMES_H
#define USEREVENTS_SESSION_NAMES_H

#include "session/state.h"

/*
 * Reads the rings, removes those of offline processors and adds those of new
 * ones. If the kernel denies one, all are removed, because names of some
 * processors only would be outdated.
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

/* Reads the rings. Return: 0 or a negative errno */
int uev_session_read_names(struct uev_session *session);

#endif
