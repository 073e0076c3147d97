// SPDX-License-Identifier: GPL-2.0-only
/*
 * A child has the enablers of its parent.
 *
 * The kernel tells of a child while preemption is off. PREEMPT_RT gives out no
 * memory there, so a process keeps entries for its next children, as many as
 * tasks share its memory. Parent and child allocate new ones before they run
 * again, in their own memory cgroup.
 */
#include "enabler/fork.h"

#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "common.h"
#include "enabler/mm.h"
#include "enabler/set.h"
#include "enabler/sync.h"
#include "internals/call.h"

/*
 * The process whose enablers a child gets. A process without any has none to
 * give.
 */
static struct user_event_mm *find_parent(struct task_struct *parent)
{
	struct user_event_mm *entry = ue_mm_find(parent->mm);

	lockdep_assert_held(&mms_lock);

	return entry && entry->set->count ? entry : NULL;
}

/* Returns whether the words of the child must be looked at. */
static bool publish_child(struct user_event_mm *entry,
			  struct user_event_mm *from, struct mm_struct *child)
{
	lockdep_assert_held(&mms_lock);

	INIT_WORK(&entry->sync, ue_mm_sync_work);
	from->owner->processes++;
	ue_mm_publish(entry, child, from->set, from->owner);
	return ue_mm_child_may_be_stale(from);
}

#ifdef CONFIG_PREEMPT_RT
/* What fork() itself and other threads may take before new ones are there. */
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

	/* ue_files_remove() waits for what is left of this function. */
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

/* A task that is about to exit needs no spares. */
static void queue_refill(struct user_event_mm *child, struct task_struct *task,
			 struct callback_head *head, task_work_func_t function)
{
	/* The child has an event, and that has the module. */
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
		/* Until the work items are queued. */
		refcount_inc(&pooled->users);
	}

	return pooled;
}

/* Returns false if there is nothing to give, or no entry for the child. */
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
		is_stale = publish_child(entry, from, child->mm);
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

/* Returns false if there is no entry for the child. */
static bool inherit_enablers(struct task_struct *parent,
			     struct task_struct *child)
{
	struct user_event_mm *entry, *from;
	bool is_stale = false;
	unsigned long flags;

	if (!has_enablers(parent))
		return true;

	/*
	 * What is atomic is charged in any case: a cgroup at its limit is no
	 * reason for a child to lose its enablers.
	 */
	entry = ue_mm_alloc(GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT);
	if (!entry)
		return false;

	raw_spin_lock_irqsave(&mms_lock, flags);
	from = find_parent(parent);
	if (from)
		is_stale = publish_child(entry, from, child->mm);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	if (!from)
		kfree(entry);
	else if (is_stale)
		/* A child that has not run keeps its memory, and so the entry. */
		ue_mm_queue_sync(entry);
	return true;
}
#endif

/**
 * ue_mm_fork - Gives a child the enablers of its parent
 * @parent: the calling task
 * @child: a task with memory of its own, which has not run yet
 *
 * Takes the same time however many enablers there are.
 *
 * Context: Preemption is off.
 */
void ue_mm_fork(struct task_struct *parent, struct task_struct *child)
{
	if (!READ_ONCE(mms_count))
		return;

	if (!inherit_enablers(parent, child))
		pr_warn_ratelimited(
			"out of memory: enablers not copied to child process\n");
}
