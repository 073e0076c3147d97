/* SPDX-License-Identifier: MIT */
/*
 * user-events: signals as flags to poll.
 *
 * Waits take only a fraction of a second, so a signal between a test and a wait
 * is noticed after the wait.
 */
#ifndef USER_EVENTS_CAPTURE_SIGNALS_H
#define USER_EVENTS_CAPTURE_SIGNALS_H

#include <signal.h>

/*
 * struct capture_signals - Signals since the last test
 * @stop_requests: number of stop signals: INT, TERM, HUP, QUIT
 * @stop_signal: the first of them
 * @stop_was_sent: by a process and not by the terminal, which sends it to the
 *        whole group
 * @snapshot: USR2
 * @pause: TSTP
 *
 * The reader resets the last two to 0. CHLD only interrupts waits.
 */
struct capture_signals {
	volatile sig_atomic_t stop_requests;
	volatile sig_atomic_t stop_signal;
	volatile sig_atomic_t stop_was_sent;
	volatile sig_atomic_t snapshot;
	volatile sig_atomic_t pause;
};

extern struct capture_signals capture_signals;

/* Starts to catch the stop signals. */
void capture_signals_catch(void);

/* Catches another signal, too. Interrupted writes are restarted. */
void capture_signals_add(int number);

#endif
