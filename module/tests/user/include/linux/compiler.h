/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_COMPILER_H
#define USER_EVENTS_TESTS_LINUX_COMPILER_H

#define READ_ONCE(var) (*(const volatile __typeof__(var) *)&(var))
#define WRITE_ONCE(var, value) (*(volatile __typeof__(var) *)&(var) = (value))

#define __percpu

#define __printf(format, first) \
	__attribute__((__format__(__printf__, format, first)))

#endif /* USER_EVENTS_TESTS_LINUX_COMPILER_H */
