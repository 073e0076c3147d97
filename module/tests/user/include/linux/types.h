/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the pure files of the module and their tests need of the kernel's
 * headers, for user space. It behaves as the kernel does, and nothing is here
 * that nobody uses.
 */
#ifndef USER_EVENTS_TESTS_LINUX_TYPES_H
#define USER_EVENTS_TESTS_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef unsigned long long u64;
typedef int32_t s32;
typedef long long s64;
typedef unsigned int gfp_t;

#endif /* USER_EVENTS_TESTS_LINUX_TYPES_H */
