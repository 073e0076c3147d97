// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child inherits the enablers of its parent.
 *
 * The kernel calls the tracepoint of a fork with preemption disabled.
 * PREEMPT_RT cannot allocate memory there, so each process has a pool of
 * entries for its next children, one for each task that shares its memory.
 * Parent and child refill the pools before they run again, charged to their own
 * memory cgroups.
 */
#include "enabler/fork.h"

#include <linux/errno.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "common.h"
#include "compat/gup.h"
#include "compat/minmax.h"
#include "enabler/mm.h"
#include "enabler/set.h"
#include "enabler/sync.h"
#include "internals/call.h"

/*
 * Returns the process whose enablers a child inherits, or NULL if it has none.
 */
static struct user_event_mm *find_parent(struct task_struct *parent)
{
	struct user_event_mm *entry = ue_mm_find(parent->mm);

	lockdep_assert_held(&mms_lock);

	return entry && entry->set->count ? entry : NULL;
}

/*
 * Returns whether the background must check the words of the child. It checks
 * those of the parent if the fork can take a page that is being written.
 */
static bool publish_child(struct user_event_mm *entry,
			  struct user_event_mm *from, struct task_struct *child)
{
	bool is_stale;

	lockdep_assert_held(&mms_lock);

	INIT_WORK(&entry->sync, ue_mm_sync_work);
	from->owner->processes++;
	ue_mm_publish(entry, child, from->set, from->owner);
	is_stale = ue_mm_child_may_be_stale(from);
	if (is_stale && FORK_CAN_TAKE_PAGES)
		ue_mm_queue_sync_locked(from);

	return is_stale;
}

#ifdef CONFIG_PREEMPT_RT
/* Minimum, for forks of several threads at once. */
#define MIN_POOL_ENTRIES 4

static bool pool_put(struct user_event_mm *entry, struct user_event_mm *pooled,
		     unsigned int wanted)
{
	unsigned long flags;
	bool is_added;

	raw_spin_lock_irqsave(&mms_lock, flags);
	is_added = entry->pool_count < wanted;
	if (is_added) {
		list_add(&pooled->all, &entry->pool);
		entry->pool_count++;
	}
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return is_added;
}

/**
 * ue_mm_prepare_fork - Allocates entries for the next children of a process
 * @entry: the calling process
 *
 * Return: 0 or -ENOMEM.
 */
int ue_mm_prepare_fork(struct user_event_mm *entry)
{
	unsigned int wanted = max_t(unsigned int, MIN_POOL_ENTRIES,
				    atomic_read(&current->mm->mm_users));
	struct user_event_mm *pooled;

	while (READ_ONCE(entry->pool_count) < wanted) {
		pooled = ue_mm_alloc(GFP_KERNEL_ACCOUNT);
		if (!pooled)
			return -ENOMEM;

		if (!pool_put(entry, pooled, wanted))
			kfree(pooled);
	}

	return 0;
}

static void refill(struct user_event_mm *child)
{
	struct user_event_mm *entry = current->mm ? ue_mm_get(current->mm)
						  : NULL;

	if (entry) {
		ue_mm_prepare_fork(entry);
		ue_mm_put(entry);
	}

	/* ue_files_remove() waits until this function has returned. */
	ue_mm_put(child);
	module_put(THIS_MODULE);
}

static void refill_parent(struct callback_head *head)
{
	refill(container_of(head, struct user_event_mm, refill_parent));
}

static void refill_child(struct callback_head *head)
{
	refill(container_of(head, struct user_event_mm, refill_child));
}

/* If the task is exiting, it needs no pool. */
static void queue_refill(struct user_event_mm *child, struct task_struct *task,
			 struct callback_head *head, task_work_func_t function)
{
	/* The child has an event, which holds a reference to the module. */
	__module_get(THIS_MODULE);
	refcount_inc(&child->users);
	init_task_work(head, function);
	if (!task_work_queue(task, head))
		return;

	refcount_dec(&child->users);
	module_put(THIS_MODULE);
}

static struct user_event_mm *pool_get(struct user_event_mm *from)
{
	struct user_event_mm *pooled;

	lockdep_assert_held(&mms_lock);

	pooled = list_first_entry_or_null(&from->pool, struct user_event_mm,
					  all);
	if (pooled) {
		list_del(&pooled->all);
		from->pool_count--;
		/* Until the task works are queued. */
		refcount_inc(&pooled->users);
	}

	return pooled;
}

/* Returns false if the pool is empty. */
static bool inherit_enablers(struct task_struct *parent,
			     struct task_struct *child)
{
	struct user_event_mm *from, *entry = NULL;
	bool is_stale = false;
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	from = find_parent(parent);
	if (from)
		entry = pool_get(from);
	if (entry)
		is_stale = publish_child(entry, from, child);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	if (!entry)
		return !from;

	queue_refill(entry, parent, &entry->refill_parent, refill_parent);
	queue_refill(entry, child, &entry->refill_child, refill_child);
	if (is_stale)
		ue_mm_queue_sync(entry);
	refcount_dec(&entry->users);
	return true;
}
#else
int ue_mm_prepare_fork(struct user_event_mm *entry)
{
	return 0;
}

static bool has_enablers(struct task_struct *parent)
{
	unsigned long flags;
	bool has;

	raw_spin_lock_irqsave(&mms_lock, flags);
	has = find_parent(parent);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return has;
}

/* Returns false if out of memory. */
static bool inherit_enablers(struct task_struct *parent,
			     struct task_struct *child)
{
	struct user_event_mm *entry, *from;
	bool is_stale = false;
	unsigned long flags;

	if (!has_enablers(parent))
		return true;

	/*
	 * Atomic allocations are charged even if the cgroup is at its limit. So
	 * a child does not lose its enablers because of that limit.
	 */
	entry = ue_mm_alloc(GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
	if (!entry)
		return false;

	raw_spin_lock_irqsave(&mms_lock, flags);
	from = find_parent(parent);
	if (from)
		is_stale = publish_child(entry, from, child);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	if (!from)
		kfree(entry);
	else if (is_stale)
		/* The child has not run, so its memory and the entry exist. */
		ue_mm_queue_sync(entry);
	return true;
}
#endif

/**
 * ue_mm_fork - Copies the enablers of a parent to its child
 * @parent: the calling task
 * @child: a task with memory of its own, which has not run yet
 *
 * The cost does not depend on the number of enablers.
 *
 * Context: Preemption is disabled.
 */
void ue_mm_fork(struct task_struct *parent, struct task_struct *child)
{
	if (!READ_ONCE(mms_count))
		return;

	if (!inherit_enablers(parent, child))
		pr_warn_ratelimited(
			"out of memory: enablers not copied to child process\n");
}
