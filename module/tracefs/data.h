/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_events_data. The inode has the registry.
 */
#ifndef USER_EVENTS_TRACEFS_DATA_H
#define USER_EVENTS_TRACEFS_DATA_H

#include <linux/fs.h>

extern const struct file_operations data_file_fops;

#endif /* USER_EVENTS_TRACEFS_DATA_H */
