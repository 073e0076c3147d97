/* SPDX-License-Identifier: MIT */
/*
 * user-events: clocks by the names that perf has for them.
 */
#ifndef USER_EVENTS_LIVE_CLOCK_H
#define USER_EVENTS_LIVE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * live_clock() - "monotonic", "monotonic_raw", also with "CLOCK_" in front and
 * in capitals, and "perf" for perf's own
 *
 * The others that perf has names for the kernel refuses for tracepoints.
 *
 * Return: whether it is one
 */
bool live_clock(const char *name, int32_t *clockid);

#endif
