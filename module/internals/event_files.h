/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_INTERNALS_EVENT_FILES_H
#define USER_EVENTS_INTERNALS_EVENT_FILES_H

#include <linux/time64.h>
#include <linux/types.h>

struct dentry;
struct trace_event_call;

/*
 * Since Linux 6.6 (commit 27152bceea1d, "eventfs: Move tracing/events to
 * eventfs") and its fixes, most files of an event have no pointer to it without
 * a reference. Detected by struct eventfs_inode, which is new in Linux 6.7
 * (commit 5790b1fb3d67, "eventfs: Remove eventfs_file and just use
 * eventfs_inode").
 */
#ifndef HAVE_EVENTFS
void ue_event_files_init(struct dentry *tracefs_root);
bool ue_event_files_are_whole(const struct trace_event_call *call);
struct timespec64 ue_event_files_last_removal(void);
void ue_event_files_disconnect(const struct trace_event_call *call,
			       const struct timespec64 *last_removal);
void ue_event_files_removed(bool is_removed);
void ue_event_files_exit(void);
#else
static inline bool ue_event_files_are_whole(const struct trace_event_call *call)
{
	return true;
}

static inline struct timespec64 ue_event_files_last_removal(void)
{
	return (struct timespec64){};
}

static inline void
ue_event_files_disconnect(const struct trace_event_call *call,
			  const struct timespec64 *last_removal)
{
}

static inline void ue_event_files_init(struct dentry *tracefs_root)
{
}

static inline void ue_event_files_removed(bool is_removed)
{
}

static inline void ue_event_files_exit(void)
{
}
#endif

#endif /* USER_EVENTS_INTERNALS_EVENT_FILES_H */
