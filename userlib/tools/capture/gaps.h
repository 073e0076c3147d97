/* SPDX-License-Identifier: MIT */
/*
 * user-events: records that were written and are missing in a session.
 *
 * The module counts the records of each event, and so does perf. What the module
 * counted while the session ran, and perf did not, is missing. That is known for
 * sessions of all processes and processors without a filter.
 */
#ifndef USER_EVENTS_CAPTURE_GAPS_H
#define USER_EVENTS_CAPTURE_GAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/session.h>

#include "capture/losses.h"
#include "capture/options.h"

/*
 * struct capture_gap - One source of the session
 * @is_known: the module counts its event
 * @before: its count when the event was opened; @after: at the end
 * @hits: what perf has counted
 * @missing: records that perf has not, at least, without those that were too large
 *        for it; set with @hits by capture_gaps_count()
 */
struct capture_gap {
	bool is_known;
	uint64_t before;
	uint64_t after;
	uint64_t hits;
	uint64_t missing;
};

/*
 * struct capture_gaps - All sources; initialized to zeros
 * @session, @options: set by the caller
 * @tracefs: path of tracefs; NULL if it is unknown
 * @missing: sum, set by capture_gaps_count()
 * @is_inexact: records were written while counts were read, so that some can be
 *        missing in addition; set by capture_gaps_count()
 */
struct capture_gaps {
	const struct uev_session *session;
	const struct capture_options *options;
	char *tracefs;
	struct capture_gap *gaps;
	size_t count;
	uint64_t missing;
	bool is_inexact;
};

/* capture_gaps_begin() - Reads the counts of new sources, which are enabled. */
void capture_gaps_begin(struct capture_gaps *gaps);

/* capture_gaps_end() - Reads the counts before the session stops. */
void capture_gaps_end(struct capture_gaps *gaps);

/*
 * capture_gaps_count() - Sets @missing after the session has stopped
 * @losses: what the module has explained; the rest is added
 */
void capture_gaps_count(struct capture_gaps *gaps,
			struct capture_losses *losses);

/*
 * capture_gaps_report() - Prints what is or can be missing
 * @losses: tells which sources are complete
 * Return: TOOL_INCOMPLETE if there is something
 */
int capture_gaps_report(const struct capture_gaps *gaps,
			const struct capture_losses *losses);

void capture_gaps_release(struct capture_gaps *gaps);

#endif
