/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_LINUX_BTF_H
#define USER_EVENTS_TESTS_LINUX_BTF_H

/* The part that processes see is all there is to it. */
#include <linux/types.h>
#include_next <linux/btf.h>

#endif /* USER_EVENTS_TESTS_LINUX_BTF_H */
