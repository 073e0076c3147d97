/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data_race() is new in Linux 5.8 (commit c48981eeb0d5, "include/linux/compiler.h:
 * Introduce data_race(expr) macro"). Before, there is no KCSAN.
 *
 * __uninitialized is new in Linux 6.9 and in stable kernels, such as 5.4.286 and
 * 6.1.192 ("Compiler Attributes: Add __uninitialized macro"). It is for variables
 * that kernels with CONFIG_INIT_STACK_ALL_ZERO need not clear.
 */
#ifndef USER_EVENTS_COMPAT_COMPILER_H
#define USER_EVENTS_COMPAT_COMPILER_H

#include <linux/compiler.h>

#ifndef data_race
#define data_race(expression) (expression)
#endif

#ifndef __uninitialized
#if __has_attribute(__uninitialized__)
#define __uninitialized __attribute__((__uninitialized__))
#else
#define __uninitialized
#endif
#endif

#endif /* USER_EVENTS_COMPAT_COMPILER_H */
