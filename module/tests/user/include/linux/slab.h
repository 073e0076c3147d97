/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_SLAB_H
#define USER_EVENTS_TESTS_LINUX_SLAB_H

#include <linux/types.h>

#define GFP_KERNEL ((gfp_t)0)
#define GFP_KERNEL_ACCOUNT ((gfp_t)0)

/* As in the kernel, except on overflow. */
#define struct_size(ptr, member, count) \
	(sizeof(*(ptr)) + sizeof((ptr)->member[0]) * (count))

void *kmalloc(size_t size, gfp_t flags);
void kfree(const void *ptr);
void *kvmalloc(size_t size, gfp_t flags);
void *kvzalloc(size_t size, gfp_t flags);
void kvfree(const void *ptr);

/* For tests: lets the n-th allocation from now fail; 0 disables it. */
void alloc_fail_nth(unsigned int n);
/* For tests: returns the number of allocations that were not freed. */
unsigned long alloc_live(void);

#endif /* USER_EVENTS_TESTS_LINUX_SLAB_H */
