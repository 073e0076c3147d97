// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel has no notification for the release of a process's memory. So
 * after an exit or exec, a work item searches the table for memory without
 * users.
 */
#include "enabler/reap.h"

#include <linux/errno.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "common.h"
#include "enabler/mm.h"
#include "enabler/resume.h"
#include "enabler/set.h"
#include "enabler/sync.h"
#include "event/user_event.h"
#include "internals/call.h"

/*
 * Memory is released shortly after its last task has exited. The search runs
 * after REAP_FIRST_JIFFIES, then after twice as long, and so on for REAP_ROUNDS
 * rounds, and every REAP_LATER_JIFFIES after that.
 */
#define REAP_FIRST_JIFFIES 1
#define REAP_ROUNDS 8
#define REAP_LATER_JIFFIES (5 * HZ)

/* Time between two walks as a multiple of the duration of a walk. */
#define REAP_PAUSE_FACTOR 8

/* Enablers of an event that are released in one hold of event_mutex. */
#define MAX_REAPED_ENABLERS 4096

static struct delayed_work reap_work;
static unsigned int reap_round;
static int reap_is_scheduled;

/* Duration of the last walk over all processes, in jiffies. */
static unsigned long walk_duration;

/* Limits the share of time that walks take if many tasks exit. */
static unsigned long reap_first(void)
{
	return REAP_FIRST_JIFFIES +
	       REAP_PAUSE_FACTOR * READ_ONCE(walk_duration);
}

static void collect_if_dead(struct user_event_mm *entry, void *data)
{
	struct list_head *dead = data;

	if (!ue_mm_is_dead(entry))
		return;

	ue_mm_unpublish(entry);
	list_add_tail(&entry->all, dead);
}

/* Events may be freed with the process. */
static void release(struct user_event_mm *entry)
{
	struct enabler_set *set;

	event_mutex_lock();
	set = ue_mm_replace_set(entry, NULL);
	event_mutex_unlock();

	ue_enabler_set_free(set);
	ue_mm_forget_notices(entry);
	ue_mm_put(entry);
}

/* The cost grows with the number of processes. No lock is held for long. */
static void reap_dead(void)
{
	unsigned long start = jiffies;
	struct user_event_mm *entry, *next;
	LIST_HEAD(dead);

	ue_mms_walk(collect_if_dead, &dead);
	WRITE_ONCE(walk_duration, jiffies - start);
	list_for_each_entry_safe(entry, next, &dead, all)
		release(entry);
}

/* Repeats the search for memory that is about to be released. */
static void reap(struct work_struct *work)
{
	unsigned int round;

	xchg(&reap_is_scheduled, 0);
	reap_dead();
	if (!READ_ONCE(mms_count))
		return;

	round = READ_ONCE(reap_round);
	WRITE_ONCE(reap_round, round + 1);
	queue_delayed_work(ue_mms_queue, &reap_work,
			   round < REAP_ROUNDS ? reap_first() << round
					       : REAP_LATER_JIFFIES);
}

/**
 * ue_mms_schedule_reap - Starts a search for dead processes
 *
 * Called after an exit or exec.
 *
 * Context: Any, also with preemption disabled.
 */
void ue_mms_schedule_reap(void)
{
	if (!READ_ONCE(mms_count))
		return;

	WRITE_ONCE(reap_round, 0);
	/* Do not postpone a search that is scheduled. */
	if (!xchg(&reap_is_scheduled, 1))
		mod_delayed_work(ue_mms_queue, &reap_work, reap_first());
}

/*
 * Tells whether all processes of a set are dead. A copy that is not published
 * yet has no process, but is in use.
 */
static bool is_dead(struct enabler_set *set)
{
	struct user_event_mm *entry;

	if (set->is_dead)
		return true;

	if (list_empty(&set->processes))
		return false;

	list_for_each_entry_rcu(entry, &set->processes, set_node,
				true /* removed under event_mutex */) {
		if (!ue_mm_is_dead(entry))
			return false;

		/* Order the check before the read of its children. */
		smp_rmb();
	}

	/* Only a live process can add another one by fork. */
	set->is_dead = true;
	return true;
}

/**
 * ue_mms_reap_event - Releases enablers that only dead processes have
 * @event: the event
 *
 * If a process sees that the last user of an event has exited, it then finds
 * the event unused. Stops at the first enabler of a live process, and after
 * MAX_REAPED_ENABLERS enablers.
 *
 * Context: Under event_mutex. Does not free the event.
 */
void ue_mms_reap_event(struct user_event *event)
{
	unsigned int left = MAX_REAPED_ENABLERS;
	struct enabler *enabler;

	event_mutex_assert_held();

	while (left-- && !list_empty(&event->enablers)) {
		enabler = list_first_entry(&event->enablers, struct enabler,
					   event_node);
		if (!is_dead(enabler->set))
			return;

		ue_enabler_set_remove(enabler);
		ue_enabler_free_keep_event(enabler);
	}
}

/**
 * ue_mms_init - Initializes the table of processes
 *
 * Return: 0 or -ENOMEM. ue_mms_exit() undoes it.
 */
int ue_mms_init(void)
{
	int ret = ue_enablers_init();

	if (ret)
		return ret;

	INIT_DELAYED_WORK(&reap_work, reap);
	ue_mms_queue = alloc_workqueue("user_events", WQ_UNBOUND, 0);
	if (ue_mms_queue)
		return 0;

	ue_enablers_exit();
	return -ENOMEM;
}

static void collect(struct user_event_mm *entry, void *data)
{
	ue_mm_unpublish(entry);
	list_add_tail(&entry->all, data);
}

/**
 * ue_mms_exit - Undoes ue_mms_init()
 *
 * Processes in the table have no enablers: each would have an event, which
 * would hold a reference to the module. The hooks are detached, so no process
 * is added.
 */
void ue_mms_exit(void)
{
	struct user_event_mm *entry, *next;
	LIST_HEAD(left);

	cancel_delayed_work_sync(&reap_work);
	ue_mm_sync_exit();
	ue_mm_resume_exit();

	ue_mms_walk(collect, &left);
	list_for_each_entry_safe(entry, next, &left, all) {
		WARN_ON_ONCE(entry->set->count);
		release(entry);
	}

	destroy_workqueue(ue_mms_queue);
	ue_enablers_exit();
}
