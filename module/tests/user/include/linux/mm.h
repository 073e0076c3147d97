/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel declares kvmalloc() here. */
#include <linux/slab.h>
