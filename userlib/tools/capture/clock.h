/* SPDX-License-Identifier: MIT */
/* user-events: clocks by their names in perf. */
#ifndef USER_EVENTS_CAPTURE_CLOCK_H
#define USER_EVENTS_CAPTURE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

#include "tool.h"

/*
 * capture_clock_parse() - Parses "monotonic", "monotonic_raw", also in capitals
 * with the prefix "CLOCK_", and "perf" for the clock of perf
 *
 * The kernel rejects the other clocks of perf for tracepoints.
 *
 * Return: whether it is valid
 */
bool capture_clock_parse(const char *name, int32_t *clockid);

/* The value of an option, an int32_t: one of these */
#define CAPTURE_CLOCKS "monotonic monotonic_raw perf"
int capture_take_clock(void *clockid, const struct tool_argument *argument);

/*
 * Returns nanoseconds of a clock in the initial time namespace, as in records; 0
 * if it cannot be read.
 */
uint64_t capture_clock_time(int32_t clockid);

/*
 * capture_clock_follow() - Corrects a moment on two clocks if the wall clock was
 * set, or the machine suspended, since it was read
 */
void capture_clock_follow(struct uev_clock *clock);

#endif
