/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_UNALIGNED_H
#define USER_EVENTS_TESTS_LINUX_UNALIGNED_H

#define get_unaligned(ptr)                            \
	(((const struct { __typeof__(*(ptr)) value; } \
	   __attribute__((__packed__)) *)(ptr))       \
		 ->value)

#endif /* USER_EVENTS_TESTS_LINUX_UNALIGNED_H */
