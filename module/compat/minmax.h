/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * <linux/minmax.h>, which was a part of <linux/kernel.h> before Linux 5.10
 * (commit b296a6d53339, "kernel.h: split out min()/max() et al. helpers").
 */
#ifndef USER_EVENTS_COMPAT_MINMAX_H
#define USER_EVENTS_COMPAT_MINMAX_H

#ifdef HAVE_LINUX_MINMAX
#include <linux/minmax.h>
#else
#include <linux/kernel.h>
#endif

#endif /* USER_EVENTS_COMPAT_MINMAX_H */
