/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_PERCPU_H
#define USER_EVENTS_TESTS_LINUX_PERCPU_H

#include <linux/compiler.h>

/* There is one CPU. */
#define this_cpu_inc(counter) ((counter)++)
#define this_cpu_ptr(pointer) (pointer)

#endif /* USER_EVENTS_TESTS_LINUX_PERCPU_H */
