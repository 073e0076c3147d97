/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_INTERNALS_TRACEFS_H
#define USER_EVENTS_INTERNALS_TRACEFS_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct dentry;
struct file_operations;

/**
 * struct tracefs_file - a file of the module
 * @name: its name
 * @fops: its operations
 * @data: private data of the inode
 * @mode: permission bits
 * @uid: owner
 * @gid: group
 * @dentry: the file, or NULL
 */
struct tracefs_file {
	const char *name;
	const struct file_operations *fops;
	void *data;
	umode_t mode;
	kuid_t uid;
	kgid_t gid;
	struct dentry *dentry;
};

int ue_tracefs_file_create(struct tracefs_file *file);
void ue_tracefs_file_publish(struct tracefs_file *file);
void ue_tracefs_file_unpublish(struct tracefs_file *file);
void ue_tracefs_wait_for_openers(void);
void ue_tracefs_file_remove(struct tracefs_file *file);
void ue_tracefs_set_fops(struct dentry *dentry,
			 const struct file_operations *fops);

#endif /* USER_EVENTS_INTERNALS_TRACEFS_H */
