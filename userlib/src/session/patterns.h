/* SPDX-License-Identifier: MIT */
/* Patterns and filters of a session. */
#ifndef USEREVENTS_SESSION_PATTERNS_H
#define USEREVENTS_SESSION_PATTERNS_H

#include "session/state.h"

void uev_session_free_patterns(struct uev_session *session);

#endif
