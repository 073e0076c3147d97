/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_INTERNALS_EVENT_FILES_H
#define USER_EVENTS_INTERNALS_EVENT_FILES_H

#include <linux/types.h>

struct dentry;
struct trace_event_call;

/*
 * event_files.c is for kernels without eventfs (before Linux 6.6). eventfs is
 * detected by struct eventfs_inode, which is new in Linux 6.7 and Linux 6.6.y of
 * February 2024 (commit 5790b1fb3d67, "eventfs: Remove eventfs_file and just use
 * eventfs_inode").
 */
#ifndef HAVE_EVENTFS
bool ue_event_files_are_whole(const struct trace_event_call *call);
bool ue_event_files_are_opened(const struct trace_event_call *call);
int ue_event_files_close(const struct trace_event_call *call);
void ue_event_files_exit(void);
#else
static inline bool ue_event_files_are_whole(const struct trace_event_call *call)
{
	return true;
}

static inline bool
ue_event_files_are_opened(const struct trace_event_call *call)
{
	return false;
}

static inline int ue_event_files_close(const struct trace_event_call *call)
{
	return 0;
}

static inline void ue_event_files_exit(void)
{
}
#endif

/*
 * eventfs_files.c is for the others before Linux 6.11. It is not built without
 * lookup_one_len_unlocked(), which was renamed in Linux 6.16.
 */
#if !defined(HAVE_EVENTFS) || defined(HAVE_LOOKUP_ONE_LEN)
void ue_event_files_init(struct dentry *root);
void ue_event_files_removed(const struct trace_event_call *call,
			    bool is_removed);
#else
static inline void ue_event_files_init(struct dentry *root)
{
}

static inline void ue_event_files_removed(const struct trace_event_call *call,
					  bool is_removed)
{
}
#endif

#endif /* USER_EVENTS_INTERNALS_EVENT_FILES_H */
