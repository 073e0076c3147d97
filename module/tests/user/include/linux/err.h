/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_ERR_H
#define USER_EVENTS_TESTS_LINUX_ERR_H

#include <linux/types.h>

/* The last page of the address space is never mapped. */
#define MAX_ERRNO 4095

static inline void *ERR_PTR(long error)
{
	return (void *)error;
}

static inline long PTR_ERR(const void *ptr)
{
	return (long)ptr;
}

static inline bool IS_ERR(const void *ptr)
{
	return (uintptr_t)ptr >= (uintptr_t)-MAX_ERRNO;
}

#endif /* USER_EVENTS_TESTS_LINUX_ERR_H */
