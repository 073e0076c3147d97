// SPDX-License-Identifier: GPL-2.0-only
#include <linux/module.h>

MODULE_DESCRIPTION("Unit tests of user_events");
MODULE_LICENSE("GPL");
