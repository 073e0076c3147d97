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

struct enabler_set;
struct mm_notice;
struct mm_struct;
struct task_struct;
struct workqueue_struct;

/**
 * struct user_event_mm - a process that has or had enablers
 * @node: entry in the table of processes, under mms_lock
 * @all: entry in the list of processes, under mms_lock
 * @mm: its memory: the entry keeps the mm_struct, but not the pages
 * @pid: the process when it was published; constant, with a reference
 * @users: references: one each of the table, of the list that has @stale_node,
 *	   of each part of a notice, of task works of a fork, and of system
 *	   calls
 * @change: held by the thread that changes the enablers of the process, or
 *	    reads them to check the words
 * @set: its enablers; replaced under event_mutex and mms_lock; NULL if the
 *	 process is dead
 * @set_node: entry in the list of processes that have @set
 * @is_stale: a word may be wrong. Unless @is_checking is true, each task has a
 *	      task work for it, or @stale_node is in a list, or a work item has
 *	      just taken it out of one; under mms_lock
 * @is_checking: a thread is checking the words; under mms_lock
 * @must_retry: it is to be stale again when it leaves the list; under mms_lock
 * @has_wrong: the last check has left words as they are; under mms_lock
 * @settled: number of updates, see resume.c, up to which all words are right and
 *	     were so before any fork that has not ended; or 0; under mms_lock
 * @notice: the first of its notices, see resume.c; under mms_lock
 * @walk_notice: the task works that a walk over all tasks queues, or NULL; under
 *		 mms_lock
 * @stale_node: entry in a list of resume.c, under mms_lock
 * @queue: that list, or the one from which it was taken together with all others;
 *	   under mms_lock
 * @is_added: a new task has put it into the list; under mms_lock
 * @first_work: task work of a child before it runs
 * @parent_work: task work of the parent when its fork has ended
 * @pool: entries for children, see fork.c; under mms_lock
 * @pool_count: number of entries in @pool
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
	bool is_stale;
	bool is_checking;
	bool must_retry;
	bool has_wrong;
	unsigned long settled;
	struct mm_notice *notice;
	struct mm_notice *walk_notice;
	struct list_head stale_node;
	struct list_head *queue;
	bool is_added;
	struct callback_head first_work;
	struct callback_head parent_work;
#ifdef CONFIG_PREEMPT_RT
	struct list_head pool;
	unsigned int pool_count;
#endif
};

/*
 * A fork adds a process, and it cannot wait for event_mutex. So this spinlock
 * protects the table of processes and the data that a fork uses. It is taken
 * inside event_mutex; locks of workqueues are taken inside it.
 */
extern raw_spinlock_t mms_lock;

/* For work items, each of which runs once at a time and may run beside others. */
extern struct workqueue_struct *ue_mms_queue;

/* Number of processes in the table; read without the lock as a quick check. */
extern unsigned int mms_count;

struct user_event_mm *ue_mm_alloc(gfp_t gfp);

struct user_event_mm *ue_mm_find(struct mm_struct *mm);
struct user_event_mm *ue_mm_get(struct mm_struct *mm);
void ue_mm_put(struct user_event_mm *entry);
void ue_mm_publish(struct user_event_mm *entry, struct task_struct *task,
		   struct enabler_set *set);
void ue_mm_unpublish(struct user_event_mm *entry);
struct enabler_set *ue_mm_replace_set(struct user_event_mm *entry,
				      struct enabler_set *set);
bool ue_mm_is_dead(const struct user_event_mm *entry);
void ue_mms_walk(void (*visit)(struct user_event_mm *entry, void *data),
		 void *data);

#endif /* USER_EVENTS_ENABLER_MM_H */
