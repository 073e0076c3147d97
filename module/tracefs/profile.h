/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_events_profile. The inode has the registry.
 */
#ifndef USER_EVENTS_TRACEFS_PROFILE_H
#define USER_EVENTS_TRACEFS_PROFILE_H

#include <linux/fs.h>

extern const struct file_operations profile_file_fops;

#endif /* USER_EVENTS_TRACEFS_PROFILE_H */
