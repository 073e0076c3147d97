/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User-space versions of the kernel's headers for the pure files of the module
 * and their tests. They behave as the kernel's, and have only what is used.
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
typedef unsigned short umode_t;

#endif /* USER_EVENTS_TESTS_LINUX_TYPES_H */
