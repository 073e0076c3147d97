/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dentries of tracefs. All results have a reference.
 */
#ifndef USER_EVENTS_INTERNALS_DENTRIES_H
#define USER_EVENTS_INTERNALS_DENTRIES_H

struct dentry;

struct dentry *ue_dentry_child(struct dentry *dir, const char *name);
struct dentry *ue_dentry_event_dir(struct dentry *instance, const char *system,
				   const char *name);
struct dentry *ue_dentry_next_instance(struct dentry *root,
				       struct dentry *instances,
				       struct dentry *instance);

#endif /* USER_EVENTS_INTERNALS_DENTRIES_H */
