/* SPDX-License-Identifier: MIT */
/* user-events: the end of a session with many events. */
#ifndef USER_EVENTS_CAPTURE_CLOSE_H
#define USER_EVENTS_CAPTURE_CLOSE_H

#include <userevents/session.h>

/*
 * capture_close_session() - Closes a session
 *
 * The kernel waits for an RCU grace period for each event that perf no longer
 * uses, one after another with event_mutex held, so threads do not help. If that
 * takes longer than a second, a process in the background continues, and a
 * message says so.
 */
void capture_close_session(struct uev_session *session);

#endif
