/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dentries of tracefs. All results have a reference.
 */
#ifndef USER_EVENTS_INTERNALS_DENTRIES_H
#define USER_EVENTS_INTERNALS_DENTRIES_H

#include <linux/time64.h>

struct dentry;

struct dentry *ue_dentry_child(struct dentry *dir, const char *name);
struct dentry *ue_dentry_event_dir(struct dentry *instance, const char *system,
				   const char *name);
struct dentry *ue_dentry_next_child(struct dentry *dir, struct dentry *child,
				    const char *name);
struct dentry *ue_dentry_next_instance(struct dentry *root,
				       struct dentry *instances,
				       struct dentry *instance);
struct timespec64 ue_dentry_last_removal(struct dentry *root);

#endif /* USER_EVENTS_INTERNALS_DENTRIES_H */
