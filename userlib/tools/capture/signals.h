/* SPDX-License-Identifier: MIT */
/*
 * user-events: signals, as something to look at.
 *
 * Whoever waits does so for a fraction of a second, and looks again: one that
 * comes between the look and the wait is seen after it.
 */
#ifndef USER_EVENTS_LIVE_SIGNALS_H
#define USER_EVENTS_LIVE_SIGNALS_H

#include <signal.h>

/*
 * struct live_signals - what came since it was last looked at
 * @ends: how many that ask for the end: INT, TERM, HUP, QUIT
 * @end: the first of them
 * @end_was_sent: by a process and not by the terminal, which sends it to all
 * @snapshot: USR2
 * @child: CHLD
 * @pause: TSTP
 *
 * Whoever has seen one of the others sets it to 0.
 */
struct live_signals {
	volatile sig_atomic_t ends;
	volatile sig_atomic_t end;
	volatile sig_atomic_t end_was_sent;
	volatile sig_atomic_t snapshot;
	volatile sig_atomic_t child;
	volatile sig_atomic_t pause;
};

extern struct live_signals live_signals;

/* From now on those are noted that ask for the end. */
void live_signals_begin(void);

/* Notes another one, too. A write goes on after it. */
void live_signals_add(int number);

#endif
