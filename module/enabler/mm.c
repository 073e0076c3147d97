// SPDX-License-Identifier: GPL-2.0-only
#include "enabler/mm.h"

#include <linux/hash.h>
#include <linux/hashtable.h>
#include <linux/kernel.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "enabler/set.h"
#include "internals/call.h"

/* Bits of the hash table. */
#define MM_HASH_BITS 10

/* Processes that are visited per hold of mms_lock. */
#define WALK_BATCH_PROCESSES 16

DEFINE_RAW_SPINLOCK(mms_lock);
struct workqueue_struct *ue_mms_queue;
unsigned int mms_count;

static DEFINE_HASHTABLE(mms, MM_HASH_BITS);
static LIST_HEAD(mms_list);

/* Serializes walks: each moves the visited entries to the end of the list. */
static DEFINE_MUTEX(walk_mutex);

/**
 * ue_mm_alloc - Allocates the entry of a process
 * @gfp: allocation flags
 *
 * Return: an entry for ue_mm_publish(), or to be freed with kfree(); NULL if
 *	   out of memory.
 */
struct user_event_mm *ue_mm_alloc(gfp_t gfp)
{
	struct user_event_mm *entry = kzalloc(sizeof(*entry), gfp);

	if (!entry)
		return NULL;

	refcount_set(&entry->users, 1);
	mutex_init(&entry->change);
	INIT_LIST_HEAD(&entry->set_node);
	INIT_LIST_HEAD(&entry->stale_node);
#ifdef CONFIG_PREEMPT_RT
	INIT_LIST_HEAD(&entry->pool);
#endif
	return entry;
}

/**
 * ue_mm_find - Finds a process
 * @mm: its memory
 *
 * Context: Under mms_lock.
 * Return: the process, valid while the lock is held, or NULL.
 */
struct user_event_mm *ue_mm_find(struct mm_struct *mm)
{
	unsigned int bucket = hash_min((unsigned long)mm, MM_HASH_BITS);
	struct user_event_mm *pos;

	lockdep_assert_held(&mms_lock);

	hlist_for_each_entry(pos, &mms[bucket], node)
		if (pos->mm == mm)
			return pos;

	return NULL;
}

/**
 * ue_mm_get - Finds a process and takes a reference
 * @mm: its memory
 *
 * Return: the process, to be released with ue_mm_put(), or NULL.
 */
struct user_event_mm *ue_mm_get(struct mm_struct *mm)
{
	struct user_event_mm *entry;
	unsigned long flags;

	if (!READ_ONCE(mms_count))
		return NULL;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry = ue_mm_find(mm);
	if (entry)
		refcount_inc(&entry->users);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return entry;
}

static void free_pool(struct user_event_mm *entry)
{
#ifdef CONFIG_PREEMPT_RT
	struct user_event_mm *pooled, *next;

	list_for_each_entry_safe(pooled, next, &entry->pool, all)
		kfree(pooled);
#endif
}

/**
 * ue_mm_put - Drops a reference to a process
 * @entry: the process
 */
void ue_mm_put(struct user_event_mm *entry)
{
	if (!refcount_dec_and_test(&entry->users))
		return;

	free_pool(entry);
	put_pid(entry->pid);
	mmdrop(entry->mm);
	kfree(entry);
}

/**
 * ue_mm_publish - Adds a process to the table
 * @entry: the result of ue_mm_alloc(); the table takes over its reference
 * @task: a task of the process, the current one or one that has not run yet; no
 *	  entry of the table has its memory
 * @set: its enablers
 *
 * Context: Under mms_lock.
 */
void ue_mm_publish(struct user_event_mm *entry, struct task_struct *task,
		   struct enabler_set *set)
{
	lockdep_assert_held(&mms_lock);

	mmgrab(task->mm);
	entry->mm = task->mm;
	entry->pid = get_pid(task_tgid(task));
	entry->set = set;
	set->users++;
	/* Pairs with the walks of this list under event_mutex. */
	list_add_tail_rcu(&entry->set_node, &set->processes);
	hash_add(mms, &entry->node, (unsigned long)entry->mm);
	list_add_tail(&entry->all, &mms_list);
	WRITE_ONCE(mms_count, mms_count + 1);
}

/**
 * ue_mm_unpublish - Removes a process from the table
 * @entry: the process; the reference of the table passes to the caller, who may
 *	   use @all
 *
 * Context: Under mms_lock.
 */
void ue_mm_unpublish(struct user_event_mm *entry)
{
	lockdep_assert_held(&mms_lock);

	hash_del(&entry->node);
	list_del(&entry->all);
	WRITE_ONCE(mms_count, mms_count - 1);
}

/**
 * ue_mm_replace_set - Replaces the enablers of a process
 * @entry: the process
 * @set: a set that no process has, or NULL if the process is dead
 *
 * Context: Under event_mutex.
 * Return: the old set if no other process has it; the caller frees it with
 *	   ue_enabler_set_free() after releasing event_mutex. Else NULL.
 */
struct enabler_set *ue_mm_replace_set(struct user_event_mm *entry,
				      struct enabler_set *set)
{
	struct enabler_set *old = entry->set;
	unsigned long flags;
	bool is_last;

	event_mutex_assert_held();

	raw_spin_lock_irqsave(&mms_lock, flags);
	list_del_init(&entry->set_node);
	entry->set = set;
	is_last = !--old->users;
	if (set) {
		set->users++;
		list_add_tail(&entry->set_node, &set->processes);
	}
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	if (!is_last)
		return NULL;

	old->is_dead = true;
	return old;
}

/**
 * ue_mm_is_dead - Tells whether the memory of a process has no user any more
 * @entry: the process
 */
bool ue_mm_is_dead(const struct user_event_mm *entry)
{
	return !atomic_read(&entry->mm->mm_users);
}

/**
 * ue_mms_walk - Visits all processes, in batches
 * @visit: called for each with @data, under mms_lock; may unpublish it
 * @data: passed to @visit
 *
 * A process that is published during the walk may be skipped.
 */
void ue_mms_walk(void (*visit)(struct user_event_mm *entry, void *data),
		 void *data)
{
	struct user_event_mm *entry;
	unsigned int i, n, left;
	unsigned long flags;

	mutex_lock(&walk_mutex);
	for (left = READ_ONCE(mms_count); left; left -= n) {
		n = min_t(unsigned int, left, WALK_BATCH_PROCESSES);

		raw_spin_lock_irqsave(&mms_lock, flags);
		for (i = 0; i < n && !list_empty(&mms_list); i++) {
			entry = list_first_entry(&mms_list,
						 struct user_event_mm, all);
			list_move_tail(&entry->all, &mms_list);
			visit(entry, data);
		}
		raw_spin_unlock_irqrestore(&mms_lock, flags);
		cond_resched();
	}
	mutex_unlock(&walk_mutex);
}
