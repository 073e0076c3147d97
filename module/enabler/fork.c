// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child inherits the enablers of its parent. It checks its words before it
 * runs, unless those of its parent were right during the fork.
 *
 * The kernel calls the tracepoint of a fork with preemption disabled.
 * PREEMPT_RT cannot allocate memory there, so each process has a pool of
 * entries for its next children, one for each task that shares its memory.
 * Parent and child refill the pools before they run again, charged to their own
 * memory cgroups.
 */
#include "enabler/fork.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "common.h"
#include "compat/gup.h"
#include "enabler/mm.h"
#include "enabler/resume.h"
#include "enabler/set.h"
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
 * The words of a child are those of its parent at the time the memory was
 * copied. A word may have been written since, or is yet to be written in the
 * parent. The parent must check its words, too, if the fork can take a page that
 * is being written.
 */
static void publish_child(struct user_event_mm *entry,
			  struct user_event_mm *from, struct task_struct *child)
{
	lockdep_assert_held(&mms_lock);

	ue_mm_publish(entry, child, from->set);
	if (ue_mm_is_settled_locked(from)) {
		entry->settled = from->settled;
		return;
	}

	entry->is_stale = true;
	if (FORK_CAN_TAKE_PAGES)
		ue_mm_request_check_locked(from);
}

/* If the task is exiting, it does not need it. */
static void queue_work_of(struct task_struct *task, struct user_event_mm *child,
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

#ifdef CONFIG_PREEMPT_RT
#define FORK_USES_POOL true

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

/* Returns NULL if the pool is empty. */
static struct user_event_mm *child_take(struct user_event_mm *from,
					struct user_event_mm *fresh)
{
	struct user_event_mm *pooled;

	lockdep_assert_held(&mms_lock);

	pooled = list_first_entry_or_null(&from->pool, struct user_event_mm,
					  all);
	if (pooled) {
		list_del(&pooled->all);
		from->pool_count--;
	}

	return pooled;
}
#else
#define FORK_USES_POOL false

int ue_mm_prepare_fork(struct user_event_mm *entry)
{
	return 0;
}

static struct user_event_mm *child_take(struct user_event_mm *from,
					struct user_event_mm *fresh)
{
	return fresh;
}
#endif

/*
 * Atomic allocations are charged even if the cgroup is at its limit. So a child
 * does not lose its enablers because of that limit.
 */
static struct user_event_mm *child_alloc(void)
{
	if (FORK_USES_POOL)
		return NULL;

	return ue_mm_alloc(GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
}

/* Prepares the calling process, and its words, for forks. */
static void prepare_current(void)
{
	struct user_event_mm *entry = current->mm ? ue_mm_get(current->mm)
						  : NULL;

	if (entry) {
		ue_mm_prepare_fork(entry);
		ue_mm_check(entry);
		ue_mm_put(entry);
	}
}

static void finish_work(struct user_event_mm *child)
{
	prepare_current();
	ue_mm_put(child);
	/* ue_files_remove() waits until the task work has returned. */
	module_put(THIS_MODULE);
}

static void run_first_work(struct callback_head *head)
{
	finish_work(container_of(head, struct user_event_mm, first_work));
}

static void run_parent_work(struct callback_head *head)
{
	finish_work(container_of(head, struct user_event_mm, parent_work));
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
	struct user_event_mm *from, *fresh, *entry = NULL;
	bool has_work = FORK_USES_POOL;
	unsigned long flags;

	if (!has_enablers(parent))
		return true;

	fresh = child_alloc();
	raw_spin_lock_irqsave(&mms_lock, flags);
	from = find_parent(parent);
	if (from)
		entry = child_take(from, fresh);
	if (entry) {
		publish_child(entry, from, child);
		has_work |= entry->is_stale;
	}
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	if (!entry) {
		kfree(fresh);
		return !from;
	}

	if (!has_work)
		return true;

	/* The child has not run, so its memory and the entry exist. */
	queue_work_of(child, entry, &entry->first_work, run_first_work);
	queue_work_of(parent, entry, &entry->parent_work, run_parent_work);
	return true;
}

/**
 * ue_mm_fork - Copies the enablers of a parent to its child
 * @parent: the calling task
 * @child: a task with memory of its own, which has not run yet
 *
 * The cost does not depend on the number of enablers, except for the check of
 * the words by the child.
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

/**
 * ue_mm_clone - Handles a new task that shares the memory of its parent
 * @parent: the calling task
 *
 * Context: Preemption is disabled. The new task has not run yet.
 */
void ue_mm_clone(struct task_struct *parent)
{
	struct user_event_mm *entry;
	unsigned long flags;

	if (!READ_ONCE(mms_count))
		return;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry = ue_mm_find(parent->mm);
	if (entry)
		ue_mm_task_added_locked(entry);
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}
