/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kvfree_rcu() is new in Linux 5.9 (commit 1835f475e351, "rcu: Introduce
 * 2 arg kvfree_rcu() interface"). Before, memory of vmalloc() can only be freed
 * by a function of the module, or after waiting.
 */
#ifndef USER_EVENTS_COMPAT_RCU_H
#define USER_EVENTS_COMPAT_RCU_H

#include <linux/mm.h>
#include <linux/rcupdate.h>

/* Sleeps for memory of vmalloc(). */
#ifndef kvfree_rcu
#define kvfree_rcu(pointer, member)                 \
	do {                                        \
		if (is_vmalloc_addr(pointer)) {     \
			synchronize_rcu();          \
			kvfree(pointer);            \
		} else {                            \
			kfree_rcu(pointer, member); \
		}                                   \
	} while (0)
#endif

#endif /* USER_EVENTS_COMPAT_RCU_H */
