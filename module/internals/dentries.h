/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Dentries of tracefs. Returned dentries have a reference.
 */
#ifndef USER_EVENTS_INTERNALS_DENTRIES_H
#define USER_EVENTS_INTERNALS_DENTRIES_H

#include <linux/types.h>

struct dentry;

void ue_dentries_init(struct dentry *tracefs_root);
struct dentry *ue_dentry_child(struct dentry *dir, const char *name);
struct dentry *ue_dentry_of_event(struct dentry *instance, const char *system,
				  const char *name);
struct dentry *ue_dentry_next_child(struct dentry *dir, struct dentry *child,
				    const char *name);
unsigned int ue_dentry_count(struct dentry *dir);
struct dentry *ue_dentry_next_instance(struct dentry *instance);
void ue_dentry_clear_files(struct dentry *dir, const char *const *names,
			   size_t count);
void ue_dentry_clear_unhashed(struct dentry *instance, const char *system,
			      const char *event, const char *const *names,
			      size_t count);

#endif /* USER_EVENTS_INTERNALS_DENTRIES_H */
