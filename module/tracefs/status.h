/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_events_status and user_events_profile. The inodes have the registry.
 */
#ifndef USER_EVENTS_TRACEFS_STATUS_H
#define USER_EVENTS_TRACEFS_STATUS_H

#include <linux/fs.h>
#include <linux/types.h>

/* Both files show a user only its own events. */
extern bool ue_status_own;

extern const struct file_operations status_file_fops;
extern const struct file_operations profile_file_fops;

#endif /* USER_EVENTS_TRACEFS_STATUS_H */
