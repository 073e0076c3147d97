/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The processes that have enablers, told apart by their memory: threads share
 * them, a child gets its own, and they end with the memory.
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

/**
 * struct mm_owner - the processes of one user
 * @node: in the table of owners
 * @uid: the user, as the initial namespace knows it
 * @processes: number of processes that refer to it
 * @active: number of them whose words are being written in the background
 * @waiting: those that wait for a turn, by @sync_node
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
 * struct user_event_mm - a process that has, or had, enablers
 * @node: in the table of processes, under mms_lock
 * @all: in the list of processes, under mms_lock
 * @mm: its memory: the structure stays, what it describes may be gone
 * @users: the table of processes, the background while it has something to do,
 *	   and system calls
 * @change: held by the thread that changes the enablers of the process
 * @set: its enablers; replaced under the tracing mutex and mms_lock; NULL once
 *	 the process is dead
 * @set_node: in the list of processes that have @set
 * @owner: the user that waits for a turn
 * @sync: writes the words in the background
 * @sync_node: in the list of those that wait for a turn, under mms_lock
 * @sync_is_active: @sync is queued or runs; under mms_lock
 * @sync_again: @sync must run again, since it was asked for while it was active;
 *		under mms_lock
 * @pool: entries for children, see enabler/fork.c; under mms_lock
 * @pool_count: number of them
 * @refill_parent: has the parent allocate new spares before it runs again
 * @refill_child: the same for the child
 */
struct user_event_mm {
	struct hlist_node node;
	struct list_head all;
	struct mm_struct *mm;
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
 * Processes come by fork, which cannot wait for the tracing mutex. The spinlock
 * protects the table of processes and what forks have in common with the rest.
 * It is taken inside the tracing mutex; workqueues' own locks are taken inside
 * it.
 */
extern raw_spinlock_t mms_lock;

/* Processes in the table; read without the lock to see whether there are any. */
extern unsigned int mms_count;

struct user_event_mm *ue_mm_alloc(gfp_t gfp);
struct mm_owner *ue_mm_owner_get(void);
void ue_mm_owner_put(struct mm_owner *owner);

struct user_event_mm *ue_mm_find(struct mm_struct *mm);
struct user_event_mm *ue_mm_get(struct mm_struct *mm);
void ue_mm_put(struct user_event_mm *entry);
void ue_mm_publish(struct user_event_mm *entry, struct mm_struct *mm,
		   struct enabler_set *set, struct mm_owner *owner);
void ue_mm_unpublish(struct user_event_mm *entry);
struct enabler_set *ue_mm_replace_set(struct user_event_mm *entry,
				      struct enabler_set *set);
bool ue_mm_is_dead(const struct user_event_mm *entry);
void ue_mms_walk(void (*visit)(struct user_event_mm *entry, void *data),
		 void *data);

#endif /* USER_EVENTS_ENABLER_MM_H */
