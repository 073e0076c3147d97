/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_INTERNALS_OPEN_FILES_H
#define USER_EVENTS_INTERNALS_OPEN_FILES_H

#include <linux/types.h>

struct dentry;
struct trace_event_call;

/*
 * Not needed with a reference count, and with eventfs, which is newer than the
 * reference count in the kernels that HAVE_EVENTFS detects.
 */
#if !defined(HAVE_EVENTFS) && !defined(HAVE_EVENT_FILE_REF)
void ue_open_files_init(void);
bool ue_open_files_are_known(const struct trace_event_call *call);
int ue_open_files_suspend(const struct trace_event_call *call);
void ue_open_files_disconnected(const struct trace_event_call *call);
void ue_open_files_removed(const struct trace_event_call *call,
			   bool is_removed);
#else
static inline void ue_open_files_init(void)
{
}

static inline bool ue_open_files_are_known(const struct trace_event_call *call)
{
	return true;
}

static inline int ue_open_files_suspend(const struct trace_event_call *call)
{
	return 0;
}

static inline void
ue_open_files_disconnected(const struct trace_event_call *call)
{
}

static inline void ue_open_files_removed(const struct trace_event_call *call,
					 bool is_removed)
{
}
#endif

#endif /* USER_EVENTS_INTERNALS_OPEN_FILES_H */
