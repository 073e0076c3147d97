/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes with enablers, identified by their mm_struct: threads share it, a
 * child gets its own, and an entry exists until its memory is freed.
 */
#ifndef USER_EVENTS_ENABLER_MM_H
#define USER_EVENTS_ENABLER_MM_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>

struct enabler_set;
struct mm_struct;
struct task_struct;

/**
 * struct mm_owner - the processes of one user
 * @node: entry in the table of owners
 * @uid: the user, as the initial user namespace knows it
 * @processes: number of processes that refer to it
 * @active: number of these with a queued or running @sync
 * @waiting: processes that wait for a turn, linked by @sync_node
 *
 * All under mms_lock.
 */
struct mm_owner {
	struct hlist_node node;
	kuid_t uid;
	unsigned int processes;
	unsigned int active;
	struct list_head waiting;
};

/**
 * struct user_event_mm - a process that has or had enablers
 * @node: entry in the table of processes, under mms_lock
 * @all: entry in the list of processes, under mms_lock
 * @mm: its memory: the entry keeps the mm_struct, but not the pages
 * @pid: the process when it was published; constant, with a reference
 * @users: references: one each of the table, of the background while it has
 *	   work for the process, and of system calls
 * @change: held by the thread that changes the enablers of the process
 * @set: its enablers; replaced under event_mutex and mms_lock; NULL if the
 *	 process is dead
 * @set_node: entry in the list of processes that have @set
 * @owner: the user whose turn @sync needs
 * @sync: work item that writes the words in the background
 * @sync_node: entry in the list of processes that wait for a turn, under
 *	       mms_lock
 * @sync_is_active: @sync is queued or running; under mms_lock
 * @sync_again: @sync was requested while active and must run again; under
 *		mms_lock
 * @pool: entries for children, see fork.c; under mms_lock
 * @pool_count: number of entries in @pool
 * @refill_parent: task work of the parent that refills @pool
 * @refill_child: task work of the child that refills @pool
 */
struct user_event_mm {
	struct hlist_node node;
	struct list_head all;
	struct mm_struct *mm;
	struct pid *pid;
	refcount_t users;
	struct mutex change;
	struct enabler_set *set;
	struct list_head set_node;
	struct mm_owner *owner;
	struct work_struct sync;
	struct list_head sync_node;
	bool sync_is_active;
	bool sync_again;
#ifdef CONFIG_PREEMPT_RT
	struct list_head pool;
	unsigned int pool_count;
	struct callback_head refill_parent;
	struct callback_head refill_child;
#endif
};

/*
 * A fork adds a process, and it cannot wait for event_mutex. So this spinlock
 * protects the table of processes and the data that a fork uses. It is taken
 * inside event_mutex; locks of workqueues are taken inside it.
 */
extern raw_spinlock_t mms_lock;

/* Number of processes in the table; read without the lock as a quick check. */
extern unsigned int mms_count;

struct user_event_mm *ue_mm_alloc(gfp_t gfp);
struct mm_owner *ue_mm_owner_get(void);
void ue_mm_owner_put(struct mm_owner *owner);

struct user_event_mm *ue_mm_find(struct mm_struct *mm);
struct user_event_mm *ue_mm_get(struct mm_struct *mm);
void ue_mm_put(struct user_event_mm *entry);
void ue_mm_publish(struct user_event_mm *entry, struct task_struct *task,
		   struct enabler_set *set, struct mm_owner *owner);
void ue_mm_unpublish(struct user_event_mm *entry);
struct enabler_set *ue_mm_replace_set(struct user_event_mm *entry,
				      struct enabler_set *set);
bool ue_mm_is_dead(const struct user_event_mm *entry);
void ue_mms_walk(void (*visit)(struct user_event_mm *entry, void *data),
		 void *data);

#endif /* USER_EVENTS_ENABLER_MM_H */
