/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * <linux/unaligned.h>, which was <asm/unaligned.h> before Linux 6.12 (commit
 * 5f60d5f6bbc1, "move asm/unaligned.h to linux/unaligned.h").
 */
#ifndef USER_EVENTS_COMPAT_UNALIGNED_H
#define USER_EVENTS_COMPAT_UNALIGNED_H

#ifdef HAVE_LINUX_UNALIGNED
#include <linux/unaligned.h>
#else
#include <asm/unaligned.h>
#endif

#endif /* USER_EVENTS_COMPAT_UNALIGNED_H */
