/* SPDX-License-Identifier: MIT */
/*
 * user-events: live collection, for the source of a session.
 *
 *	capture_open(), capture_start(), while (capture_wait()) { ... },
 *	capture_stop(), capture_totals(), capture_close()
 *
 * Functions print their errors and return an exit status.
 */
#ifndef USER_EVENTS_CAPTURE_H
#define USER_EVENTS_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

#include "capture/gaps.h"
#include "capture/known.h"
#include "capture/losses.h"
#include "capture/options.h"
#include "capture/workload.h"

/*
 * struct capture - A session and its end
 * @options: owned by the caller
 * @session: the session
 * @workload: the command, if there is one
 * @known: events that programs will register
 * @losses: records that were lost, by reason
 * @gaps: records that are missing
 * @execs: programs that the command executes; -1 if they are not known
 * @misses_program: perf does not follow one of them, which was printed
 * @has_stopped: capture_stop() was called
 * @has_drained: after that, the buffers were read
 * @is_passive: records are not read during the capture, so full buffers do not
 *        wake it up; set by the caller
 * @input: another descriptor that wakes it up when readable, or -1; set by the
 *        caller
 * @is_terminated: the command got the signal TERM
 * @until: end of --duration, in milliseconds; @is_over: it was reached
 * @next_scan: time of the next search for new events, in milliseconds
 * @scan_error: last error of a search that was printed; or 0
 * @stop_requests_seen: number of handled stop signals
 */
struct capture {
	const struct capture_options *options;
	struct uev_session *session;
	struct capture_workload workload;
	struct capture_known known;
	struct capture_losses losses;
	struct capture_gaps gaps;
	int execs;
	bool misses_program;
	bool has_stopped;
	bool has_drained;
	bool is_terminated;
	bool is_passive;
	int input;
	uint64_t until;
	bool is_over;
	uint64_t next_scan;
	int scan_error;
	int stop_requests_seen;
};

/*
 * struct capture_totals - Sums over all events
 * @hits: number of events
 * @lost: number of these that did not fit the buffers
 * @unseen: number of records that are lost without being events, such as those
 *        that are too large; without those of capture_report_gaps()
 * @read: number of records read
 * @corrupt: number of malformed records
 */
struct capture_totals {
	uint64_t hits;
	uint64_t lost;
	uint64_t unseen;
	uint64_t read;
	uint64_t corrupt;
};

/*
 * capture_open() - Prepares the session, its events and the command, which
 * waits
 * Return: an exit status; on error nothing needs to be closed
 */
int capture_open(struct capture *capture,
		 const struct capture_options *options);

/*
 * capture_start() - Starts the collection and the command
 * Return: an exit status; 126 or 127 if the command cannot be run
 */
int capture_start(struct capture *capture);

/*
 * capture_wait() - Waits for records, and adds new events
 * @timeout: maximum time in milliseconds; less than a second if records are
 *        read
 * Return: false after a signal, after --duration, which terminates the command,
 * or after the command or the processes of --pid have exited
 */
bool capture_wait(struct capture *capture, int timeout);

/*
 * capture_serve() - Does what capture_wait() does for the command, while an
 * output waits: its programs start, it gets signals, and --duration terminates it
 *
 * Return: whether the capture is to end: as capture_wait(), or after any signal.
 * Without one, after a signal.
 */
bool capture_serve(void);

/* Terminates the command before this process exits without capture_close(). */
void capture_abandon(void);

/*
 * capture_time_left() - Returns the timeout of a wait, in milliseconds
 * @last: time of the last output; @interval: time between two, 0: none
 */
int capture_time_left(uint64_t last, uint64_t interval);

/*
 * capture_read() - uev_session_read()
 * Return: number of ready records, or -1 and the error is printed
 */
ssize_t capture_read(struct capture *capture, unsigned int flags);

/*
 * capture_stop() - Stops the collection, and terminates the command, if it runs
 * Return: an exit status. The buffers can still be read.
 */
int capture_stop(struct capture *capture);

/*
 * capture_totals() - Gets the kernel's counters since capture_start()
 *
 * Return: an exit status
 */
int capture_totals(const struct capture *capture,
		   struct capture_totals *totals);

/*
 * capture_report_gaps() - Prints what was written and is missing
 *
 * Such are records that only the module has counted. With processes, events that
 * these registered after the start, and children that the kernel could not
 * report, can be missing.
 *
 * Return: TOOL_INCOMPLETE if there is something
 */
int capture_report_gaps(const struct capture *capture);

/*
 * capture_status() - Combines exit statuses
 * @status: status of the tool so far
 * Return: that of the workload if it is not 0, otherwise @status
 */
int capture_status(const struct capture *capture, int status);

void capture_close(struct capture *capture);

#endif
