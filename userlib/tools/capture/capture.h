/* SPDX-License-Identifier: MIT */
/*
 * user-events: collecting what happens now, for the commands that do so.
 *
 *	capture_open(), capture_start(), while (capture_wait()) { ... },
 *	capture_stop(), capture_totals(), capture_close()
 *
 * What fails is said in one line on standard error, and is an exit status.
 */
#ifndef USER_EVENTS_CAPTURE_H
#define USER_EVENTS_CAPTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

#include "capture/options.h"
#include "capture/workload.h"

/*
 * struct capture - a session and when it ends
 * @options: the caller's
 * @session: what collects
 * @workload: the command, if one is to be run
 * @is_passive: nobody takes records while it goes on, so that full buffers are
 *	no reason to wake up; the caller's to set
 * @input: another descriptor that wakes it up when it can be read, or -1; the
 *	caller's to set
 * @next_scan: when to look for new events again, in milliseconds
 * @scan_error: what that failed with when it was last said; 0
 * @stop_requests_seen: signals that were acted on
 * @reported_lost: losses that capture_new_losses() has told
 */
struct capture {
	const struct capture_options *options;
	struct uev_session *session;
	struct capture_workload workload;
	bool is_passive;
	int input;
	uint64_t next_scan;
	int scan_error;
	int stop_requests_seen;
	uint64_t reported_lost;
};

/*
 * struct capture_totals - what became of all that happened
 * @hits: how often the events happened
 * @lost: for how many of these there was no room
 * @read: how many records were read
 * @bytes: of these
 * @corrupt: records that were not what they should be
 */
struct capture_totals {
	uint64_t hits;
	uint64_t lost;
	uint64_t read;
	uint64_t bytes;
	uint64_t corrupt;
};

/*
 * capture_open() - has everything ready: session, events, and the command,
 * which waits
 * Return: an exit status; after another than TOOL_OK there is nothing to end
 */
int capture_open(struct capture *capture,
		 const struct capture_options *options);

/*
 * capture_start() - collects from now on, and lets the command go
 * Return: an exit status, which for a command that cannot be run is 126 or 127
 */
int capture_start(struct capture *capture);

/*
 * capture_wait() - waits until there may be something to do, and looks for
 * events that are new
 * @timeout: at most so many milliseconds; less than a second if records are
 *	taken
 * Return: whether to go on: false once a signal has come, or the command or the
 * processes of --pid have ended
 */
bool capture_wait(struct capture *capture, int timeout);

/*
 * capture_read() - uev_session_read()
 * Return: how many records are ready, or -1, having said why
 */
ssize_t capture_read(struct capture *capture, unsigned int flags);

/* Return: an exit status. What is in the buffers can still be read. */
int capture_stop(struct capture *capture);

/*
 * capture_new_losses() - what was lost that was not told yet, as far as the
 * kernel has said so
 */
uint64_t capture_new_losses(struct capture *capture);

/* capture_last_losses() - the rest of it, once all was read. */
uint64_t capture_last_losses(struct capture *capture,
			     const struct capture_totals *totals);

/*
 * capture_totals() - as the kernel counts, since capture_start()
 * Return: an exit status
 */
int capture_totals(const struct capture *capture,
		   struct capture_totals *totals);

/*
 * capture_report_missing() - says which events nobody has registered
 * Return: TOOL_NOT_FOUND if a pattern of the command line stands for none
 */
int capture_report_missing(const struct capture *capture);

/*
 * capture_status() - the exit status of the tool
 * @status: of what the command did so far
 * Return: the worst: that of the workload comes first if it is not 0
 */
int capture_status(const struct capture *capture, int status);

void capture_close(struct capture *capture);

/* Milliseconds of a clock that does not jump. */
uint64_t capture_now(void);

#endif
