/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What trace events have on some kernels only.
 *
 * Since Linux 5.15 (commit 1d18538e6a09, "tracing: Have dynamic events have a
 * ref counter") the tracing core counts who uses a dynamic event. Before, what
 * uses an event without listening to it, such as an event probe, does not exist.
 *
 * Since Linux 5.17 (commit b6c7abd1c28a, "tracing: Fix TASK_COMM_LEN in trace
 * event format file") fields say how many elements they have. Before, the core
 * takes arrays from the text of their type alone.
 */
#ifndef USER_EVENTS_COMPAT_TRACE_EVENT_H
#define USER_EVENTS_COMPAT_TRACE_EVENT_H

#include <linux/atomic.h>
#include <linux/trace_events.h>

#ifdef HAVE_EVENT_REFS
static inline int trace_event_refs(const struct trace_event_call *call)
{
	return atomic_read(&call->refcnt);
}
#else
#define TRACE_EVENT_FL_DYNAMIC 0

static inline int trace_event_refs(const struct trace_event_call *call)
{
	return 0;
}
#endif

/* Initializer of the number of elements of a field. */
#ifdef HAVE_FIELD_LEN
#define FIELD_LEN(value) .len = (value),
#else
#define FIELD_LEN(value)
#endif

#endif /* USER_EVENTS_COMPAT_TRACE_EVENT_H */
