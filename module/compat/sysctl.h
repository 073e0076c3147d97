/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A table of settings ended with an empty one until Linux 6.11 (see
 * register_sysctl_sz(), to which the number of them is given since).
 */
#ifndef USER_EVENTS_COMPAT_SYSCTL_H
#define USER_EVENTS_COMPAT_SYSCTL_H

#include <linux/sysctl.h>

/**
 * sysctl_register - Makes a setting visible
 * @path: its directory
 * @table: the setting, and an empty one
 *
 * Return: to be given to unregister_sysctl_table(), or NULL.
 */
static inline struct ctl_table_header *sysctl_register(const char *path,
						       struct ctl_table *table)
{
#ifdef HAVE_REGISTER_SYSCTL_SZ
	return register_sysctl_sz(path, table, 1);
#else
	return register_sysctl(path, table);
#endif
}

#endif /* USER_EVENTS_COMPAT_SYSCTL_H */
