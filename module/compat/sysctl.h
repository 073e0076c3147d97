/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Until Linux 6.11 an empty entry ends a table of settings. Since then the
 * number of entries is an argument of register_sysctl_sz().
 */
#ifndef USER_EVENTS_COMPAT_SYSCTL_H
#define USER_EVENTS_COMPAT_SYSCTL_H

#include <linux/sysctl.h>

/**
 * sysctl_register - Registers a setting
 * @path: its directory
 * @table: the setting, and an empty entry
 *
 * Return: argument of unregister_sysctl_table(), or NULL.
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
