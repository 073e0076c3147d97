/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_events_status. The inode has the registry.
 */
#ifndef USER_EVENTS_TRACEFS_STATUS_H
#define USER_EVENTS_TRACEFS_STATUS_H

#include <linux/fs.h>

extern const struct file_operations status_file_fops;

#endif /* USER_EVENTS_TRACEFS_STATUS_H */
