/* SPDX-License-Identifier: MIT */
/*
 * user-events: collecting what happens now, for the commands that do so.
 *
 *	live_begin(), live_start(), while (live_wait()) { ... }, live_stop(),
 *	live_totals(), live_end()
 *
 * What fails is said in one line on standard error, and is an exit status.
 */
#ifndef USER_EVENTS_LIVE_H
#define USER_EVENTS_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

#include "capture/options.h"
#include "capture/workload.h"

/*
 * struct live - a session and when it ends
 * @options: the caller's
 * @session: what collects
 * @workload: the command, if one is to be run
 * @is_passive: nobody takes records while it goes on, so that full buffers are
 *	no reason to wake up; the caller's to set
 * @input: another descriptor that wakes it up when it can be read, or -1; the
 *	caller's to set
 * @next_scan: when to look for new events again, in milliseconds
 * @scan_error: what that failed with when it was last said; 0
 * @ends_seen: signals that were acted on
 * @told_lost: losses that live_new_losses() has told
 */
struct live {
	const struct live_options *options;
	struct uev_session *session;
	struct live_workload workload;
	bool is_passive;
	int input;
	uint64_t next_scan;
	int scan_error;
	int ends_seen;
	uint64_t told_lost;
};

/*
 * struct live_totals - what became of all that happened
 * @hits: how often the events happened
 * @lost: for how many of these there was no room
 * @read: how many records were read
 * @bytes: of these
 * @corrupt: records that were not what they should be
 */
struct live_totals {
	uint64_t hits;
	uint64_t lost;
	uint64_t read;
	uint64_t bytes;
	uint64_t corrupt;
};

/*
 * live_begin() - has everything ready: session, events, and the command, which
 * waits
 * Return: an exit status; after another than TOOL_OK there is nothing to end
 */
int live_begin(struct live *live, const struct live_options *options);

/*
 * live_start() - collects from now on, and lets the command go
 * Return: an exit status, which for a command that cannot be run is 126 or 127
 */
int live_start(struct live *live);

/*
 * live_wait() - waits until there may be something to do, and looks for events
 * that are new
 * @timeout: at most so many milliseconds; less than a second if records are
 *	taken
 * Return: whether to go on: false once a signal has come, or the command or the
 * processes of --pid have ended
 */
bool live_wait(struct live *live, int timeout);

/*
 * live_read() - uev_session_read()
 * Return: how many records are ready, or -1, having said why
 */
ssize_t live_read(struct live *live, unsigned int flags);

/* Return: an exit status. What is in the buffers can still be read. */
int live_stop(struct live *live);

/*
 * live_new_losses() - what was lost that was not told yet, as far as the kernel
 * has said so
 */
uint64_t live_new_losses(struct live *live);

/* live_last_losses() - the rest of it, once all was read. */
uint64_t live_last_losses(struct live *live, const struct live_totals *totals);

/*
 * live_totals() - as the kernel counts, since live_start()
 * Return: an exit status
 */
int live_totals(const struct live *live, struct live_totals *totals);

/*
 * live_missing() - says which events nobody has registered
 * Return: TOOL_NOT_FOUND if a pattern of the command line stands for none
 */
int live_missing(const struct live *live);

/*
 * live_status() - the exit status of the tool
 * @status: of what the command did so far
 * Return: the worst: that of the workload comes first if it is not 0
 */
int live_status(const struct live *live, int status);

void live_end(struct live *live);

/* Milliseconds of a clock that does not jump. */
uint64_t live_now(void);

#endif
