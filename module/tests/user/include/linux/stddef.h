/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_STDDEF_H
#define USER_EVENTS_TESTS_LINUX_STDDEF_H

#include_next <linux/stddef.h>
#include <stddef.h>

#define sizeof_field(type, member) sizeof(((type *)NULL)->member)

#endif /* USER_EVENTS_TESTS_LINUX_STDDEF_H */
