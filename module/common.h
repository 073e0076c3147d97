/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every file of the module shares.
 */
#ifndef USER_EVENTS_COMMON_H
#define USER_EVENTS_COMMON_H

#ifdef pr_fmt
#undef pr_fmt
#endif
#define pr_fmt(fmt) "user_events: " fmt

#include <linux/printk.h>

/*
 * By its path: <linux/user_events.h> is another file in most kernel trees, and
 * holds something else in each.
 */
#include "../uapi/linux/user_events.h"

#endif /* USER_EVENTS_COMMON_H */
