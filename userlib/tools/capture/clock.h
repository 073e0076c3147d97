/* SPDX-License-Identifier: MIT */
/*
 * user-events: clocks by the names that perf has for them.
 */
#ifndef USER_EVENTS_CAPTURE_CLOCK_H
#define USER_EVENTS_CAPTURE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * capture_clock_parse() - "monotonic", "monotonic_raw", also with "CLOCK_" in
 * front and in capitals, and "perf" for perf's own
 *
 * The others that perf has names for the kernel refuses for tracepoints.
 *
 * Return: whether it is one
 */
bool capture_clock_parse(const char *name, int32_t *clockid);

#endif
