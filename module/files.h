/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files in tracefs. Each is created with the registry as its data.
 */
#ifndef USER_EVENTS_FILES_H
#define USER_EVENTS_FILES_H

#include <linux/fs.h>

extern const struct file_operations data_file_fops;
extern const struct file_operations status_file_fops;
extern const struct file_operations profile_file_fops;

#endif /* USER_EVENTS_FILES_H */
