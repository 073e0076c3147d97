/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_TESTS_UAPI_LINUX_BTF_H
#define USER_EVENTS_TESTS_UAPI_LINUX_BTF_H

/* The user-space header has all that is needed. */
#include <linux/types.h>
#include <linux/btf.h>

#endif /* USER_EVENTS_TESTS_UAPI_LINUX_BTF_H */
