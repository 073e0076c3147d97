/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_KERNEL_H
#define USER_EVENTS_TESTS_LINUX_KERNEL_H

#include <stdarg.h>
#include <stdio.h>
#include <linux/compiler.h>
#include <linux/types.h>

#define U32_MAX UINT32_MAX
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define ALIGN(size, to) (((size) + (to)-1) / (to) * (to))
#define BIT(number) (1UL << (number))

int kstrtouint(const char *text, unsigned int base, unsigned int *result);

#define kstrtou32(text, base, result) kstrtouint(text, base, result)

#endif /* USER_EVENTS_TESTS_LINUX_KERNEL_H */
