/* SPDX-License-Identifier: MIT */
/* user-events: events that were asked for and do not exist. */
#ifndef USER_EVENTS_CAPTURE_MISSING_H
#define USER_EVENTS_CAPTURE_MISSING_H

#include <userevents/session.h>

#include "capture/options.h"

/*
 * capture_missing_at_start() - Prints what the session waits for
 *
 * Patterns of events are not printed with a command, which registers its events
 * later.
 */
void capture_missing_at_start(const struct capture_options *options,
			      const struct uev_session *session);

/*
 * capture_missing_at_end() - Prints the patterns that matched no event
 * Return: TOOL_OK; TOOL_NOT_FOUND if there are any
 */
int capture_missing_at_end(const struct capture_options *options,
			   const struct uev_session *session);

#endif
