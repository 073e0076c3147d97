/* SPDX-License-Identifier: MIT */
/* user-events: a test event that is registered, written and read back. */
#ifndef USER_EVENTS_DOCTOR_SELFTEST_H
#define USER_EVENTS_DOCTOR_SELFTEST_H

#include <stdbool.h>

#include "doctor/finding.h"

/*
 * struct selftest_verdict - What works for the caller
 * @writing: an event can be registered and, if a tracer could enable it,
 *           written
 * @ftrace: ftrace recorded the event
 * @perf: perf recorded the event
 */
struct selftest_verdict {
	bool writing;
	bool ftrace;
	bool perf;
};

/*
 * doctor_selftest() - Tests user_events on this machine and adds findings
 *
 * Reads the test event through its own instance of ftrace, and through perf.
 * Removes everything afterwards; signals that terminate the program are blocked
 * until then.
 */
struct selftest_verdict doctor_selftest(struct doctor *doctor);

#endif
