/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dentries of tracefs. Returned dentries have a reference, except the root.
 */
#ifndef USER_EVENTS_INTERNALS_DENTRIES_H
#define USER_EVENTS_INTERNALS_DENTRIES_H

#include <linux/time64.h>
#include <linux/types.h>

struct dentry;

void ue_dentries_init(struct dentry *tracefs_root);
struct dentry *ue_dentries_root(void);
struct dentry *ue_dentry_child(struct dentry *dir, const char *name);
struct dentry *ue_dentry_event_dir(struct dentry *instance, const char *system,
				   const char *name);
struct dentry *ue_dentry_next_child(struct dentry *dir, struct dentry *child,
				    const char *name);
bool ue_dentry_has_children(struct dentry *dir, const char *const *names,
			    size_t count);
struct dentry *ue_dentry_next_instance(struct dentry *instance);
struct timespec64 ue_dentry_last_removal(void);

#endif /* USER_EVENTS_INTERNALS_DENTRIES_H */
