/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files in the root of tracefs.
 */
#ifndef USER_EVENTS_TRACEFS_FILES_H
#define USER_EVENTS_TRACEFS_FILES_H

#include <linux/fs.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct dentry;
struct user_event_group;

/* Of data.c, status.c and enablers.c. The inodes have the registry. */
extern const struct file_operations data_file_fops;
extern const struct file_operations status_file_fops;
extern const struct file_operations profile_file_fops;
extern const struct file_operations enablers_file_fops;

/**
 * struct files_access - permissions and owner of the files
 * @data_mode: permission bits of user_events_data
 * @status_mode: permission bits of user_events_status; its read bits are also
 *		 used for user_events_profile
 * @uid: owner of all files
 * @gid: group of all files
 */
struct files_access {
	umode_t data_mode;
	umode_t status_mode;
	kuid_t uid;
	kgid_t gid;
};

int ue_files_create(struct user_event_group *group,
		    const struct files_access *access);
struct dentry *ue_files_root(void);
void ue_files_publish(void);
void ue_files_remove(void);

#endif /* USER_EVENTS_TRACEFS_FILES_H */
