/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_INTERNALS_TRACEFS_H
#define USER_EVENTS_INTERNALS_TRACEFS_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct dentry;
struct file_operations;

/**
 * struct tracefs_access - permissions and owner of a file
 * @mode: permission bits
 * @uid: owner
 * @gid: group
 */
struct tracefs_access {
	umode_t mode;
	kuid_t uid;
	kgid_t gid;
};

struct dentry *ue_tracefs_file_create(const char *name,
				      const struct tracefs_access *access,
				      void *data);
void ue_tracefs_file_publish(struct dentry *file,
			     const struct file_operations *fops);
void ue_tracefs_file_unpublish(struct dentry *file);
void ue_tracefs_wait_for_openers(void);
void ue_tracefs_file_remove(struct dentry *file);

#endif /* USER_EVENTS_INTERNALS_TRACEFS_H */
