/* SPDX-License-Identifier: MIT */
/* user-events: why the kernel rejects a filter. */
#ifndef USER_EVENTS_EVENTS_FILTER_H
#define USER_EVENTS_EVENTS_FILTER_H

/*
 * events_filter_explain() - Prints the event that the filter does not fit, and
 * the kernel's reason
 * @pattern: the events, "[SYSTEM:]GLOB"
 *
 * perf gives no reason. ftrace does, and is asked in a temporary instance, where
 * no other tracer has a filter. Without permission to create one, the pattern is
 * printed without a reason.
 */
void events_filter_explain(const char *pattern, const char *filter);

#endif
