/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the kernel declares what may be too large for the slab. */
#include <linux/slab.h>
