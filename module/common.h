/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Included by every file that logs or uses the interface.
 */
#ifndef USER_EVENTS_COMMON_H
#define USER_EVENTS_COMMON_H

#ifdef pr_fmt
#undef pr_fmt
#endif
#define pr_fmt(fmt) "user_events: " fmt

#include <linux/printk.h>

/*
 * By its path: <linux/user_events.h> is a different file in most kernel trees,
 * with different contents in each.
 */
#include "../uapi/linux/user_events.h"

#endif /* USER_EVENTS_COMMON_H */
