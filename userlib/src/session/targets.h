/* SPDX-License-Identifier: MIT */
/* The threads or the cgroup that a session collects from. */
#ifndef USEREVENTS_SESSION_TARGETS_H
#define USEREVENTS_SESSION_TARGETS_H

#include "session/state.h"

/* Finds the threads to collect. Return: 0 or a negative errno */
int uev_session_find_targets(struct uev_session *session,
			     const struct uev_session_options *options);

#endif
