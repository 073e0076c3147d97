/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kvfree_rcu() is new in Linux 5.9 (commit 1835f475e351, "rcu: Introduce
 * 2 arg kvfree_rcu() interface"). Before, memory of vmalloc() can only be freed
 * by a function of the module, or after waiting.
 *
 * data_race() is new in Linux 5.8 (commit c48981eeb0d5, "include/linux/compiler.h:
 * Introduce data_race(expr) macro"). Before, there is no KCSAN.
 */
#ifndef USER_EVENTS_COMPAT_RCU_H
#define USER_EVENTS_COMPAT_RCU_H

#include <linux/compiler.h>
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

#ifndef data_race
#define data_race(expression) (expression)
#endif

#endif /* USER_EVENTS_COMPAT_RCU_H */
