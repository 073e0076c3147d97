/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_COMPAT_EVENT_FILES_H
#define USER_EVENTS_COMPAT_EVENT_FILES_H

#include <linux/time64.h>
#include <linux/types.h>

struct dentry;
struct trace_event_call;

void event_files_init(struct dentry *tracefs_root);
bool event_files_exist(const char *system, const char *name);
struct timespec64 event_files_last_removal(void);
void event_files_disconnect(const struct trace_event_call *call,
			    const struct timespec64 *last_removal);

#endif /* USER_EVENTS_COMPAT_EVENT_FILES_H */
