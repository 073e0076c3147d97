/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In Linux 6.8 and RHEL 9.5, but not yet in Linux 6.6 and RHEL 9.4,
 * for_each_thread() is also for the holders of tasklist_lock. With
 * CONFIG_PROVE_RCU_LIST, it refers to that lock, which is not exported. The module
 * is always a reader of RCU.
 */
#ifndef USER_EVENTS_COMPAT_THREAD_H
#define USER_EVENTS_COMPAT_THREAD_H

#include <linux/rculist.h>
#include <linux/sched/signal.h>

#undef for_each_thread
#define for_each_thread(process, thread)                                 \
	list_for_each_entry_rcu(thread, &(process)->signal->thread_head, \
				thread_node)

#endif /* USER_EVENTS_COMPAT_THREAD_H */
