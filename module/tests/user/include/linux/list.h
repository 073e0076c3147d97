/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_LIST_H
#define USER_EVENTS_TESTS_LINUX_LIST_H

#include <linux/types.h>

#define container_of(ptr, type, member) \
	((type *)((char *)(ptr)-offsetof(type, member)))

struct list_head {
	struct list_head *next, *prev;
};

#endif /* USER_EVENTS_TESTS_LINUX_LIST_H */
