/* SPDX-License-Identifier: MIT */
/*
 * user-events: signals, as something to look at.
 *
 * Whoever waits does so for a fraction of a second, and looks again: one that
 * comes between the look and the wait is seen after it.
 */
#ifndef USER_EVENTS_CAPTURE_SIGNALS_H
#define USER_EVENTS_CAPTURE_SIGNALS_H

#include <signal.h>

/*
 * struct capture_signals - what came since it was last looked at
 * @stop_requests: how many that ask for the end: INT, TERM, HUP, QUIT
 * @stop_signal: the first of them
 * @stop_was_sent: by a process and not by the terminal, which sends it to all
 * @snapshot: USR2
 * @child: CHLD
 * @pause: TSTP
 *
 * Whoever has seen one of the others sets it to 0.
 */
struct capture_signals {
	volatile sig_atomic_t stop_requests;
	volatile sig_atomic_t stop_signal;
	volatile sig_atomic_t stop_was_sent;
	volatile sig_atomic_t snapshot;
	volatile sig_atomic_t child;
	volatile sig_atomic_t pause;
};

extern struct capture_signals capture_signals;

/* From now on those are noted that ask for the end. */
void capture_signals_catch(void);

/* Notes another one, too. A write goes on after it. */
void capture_signals_add(int number);

#endif
