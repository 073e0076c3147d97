/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_COMPAT_EVENT_FILES_H
#define USER_EVENTS_COMPAT_EVENT_FILES_H

struct dentry;

void event_files_init(struct dentry *tracefs_root);
void event_files_disconnect(const char *system, const char *name);

#endif /* USER_EVENTS_COMPAT_EVENT_FILES_H */
