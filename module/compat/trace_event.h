/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What trace events have on some kernels only.
 *
 * Since Linux 5.15 (commit 1d18538e6a09, "tracing: Have dynamic events have a
 * ref counter") the tracing core counts who uses a dynamic event. Before, what
 * uses an event without listening to it, as event probes do, does not exist.
 *
 * Since Linux 6.2 and 6.1.12 (commit b6c7abd1c28a, "tracing: Fix TASK_COMM_LEN
 * in trace event format file") fields say how many elements they have. Before,
 * readers see the text of their type, and nothing else.
 *
 * Since Linux 5.17 (commit 05770dd0ad11, "tracing: Support __rel_loc relative
 * dynamic data location attribute") filters know strings behind __rel_loc.
 * Before, they would compare the word that tells where the string is.
 */
#ifndef USER_EVENTS_COMPAT_TRACE_EVENT_H
#define USER_EVENTS_COMPAT_TRACE_EVENT_H

#include <linux/atomic.h>
#include <linux/kernel.h>
#include <linux/string.h>
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

/*
 * FIELD_LEN() is the initializer of the number of elements of a field.
 * FIELD_TYPE_ROOM is what field_type_text() needs to spell a type in its own
 * way, as in "unsigned char[1024]".
 */
#ifdef HAVE_FIELD_LEN
#define FIELD_LEN(value) .len = (value),
#define FIELD_TYPE_ROOM 0

static inline const char *field_type_text(const char *type, int len, char *room)
{
	return type;
}
#else
#define FIELD_LEN(value)
#define FIELD_TYPE_ROOM 24

static inline const char *field_type_text(const char *type, int len, char *room)
{
	const char *bracket = strchr(type, '[');

	if (!bracket || len <= 0)
		return type;

	snprintf(room, FIELD_TYPE_ROOM, "%.*s[%d]", (int)(bracket - type), type,
		 len);
	return room;
}
#endif

/*
 * How filters are to take a __rel_loc field: by its type, or as nothing they
 * can compare with a string.
 */
#ifdef HAVE_FILTER_RDYN_STRING
#define FILTER_REL_LOC FILTER_OTHER
#else
#define FILTER_REL_LOC FILTER_TRACE_FN
#endif

#endif /* USER_EVENTS_COMPAT_TRACE_EVENT_H */
