/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TRACEFS_ENABLERS_H
#define USER_EVENTS_TRACEFS_ENABLERS_H

#include <linux/fs.h>

extern const struct file_operations enablers_file_fops;

#endif /* USER_EVENTS_TRACEFS_ENABLERS_H */
