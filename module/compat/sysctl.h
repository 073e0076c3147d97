/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Since Linux 6.11 the number of entries of a table of settings is an argument of
 * register_sysctl_sz(). Before, an empty entry ends the table.
 */
#ifndef USER_EVENTS_COMPAT_SYSCTL_H
#define USER_EVENTS_COMPAT_SYSCTL_H

#include <linux/sysctl.h>

#ifndef HAVE_REGISTER_SYSCTL_SZ
#define register_sysctl_sz(path, table, count) register_sysctl(path, table)
#endif

#endif /* USER_EVENTS_COMPAT_SYSCTL_H */
