/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CAP_PERFMON is new in Linux 5.8 (commit 980737282232, "capabilities: Introduce
 * CAP_PERFMON to kernel and user space"). Before, CAP_SYS_ADMIN is required.
 */
#ifndef USER_EVENTS_COMPAT_CAPABILITY_H
#define USER_EVENTS_COMPAT_CAPABILITY_H

#include <linux/capability.h>

#ifndef CAP_PERFMON
#define CAP_PERFMON CAP_SYS_ADMIN
#endif

#ifndef HAVE_PERFMON_CAPABLE
static inline bool perfmon_capable(void)
{
	return capable(CAP_SYS_ADMIN);
}
#endif

#endif /* USER_EVENTS_COMPAT_CAPABILITY_H */
