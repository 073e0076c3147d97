/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_REFCOUNT_H
#define USER_EVENTS_TESTS_LINUX_REFCOUNT_H

typedef struct {
	int refs;
} refcount_t;

#endif /* USER_EVENTS_TESTS_LINUX_REFCOUNT_H */
