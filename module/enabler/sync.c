// SPDX-License-Identifier: GPL-2.0-only
/*
 * When an event is enabled or disabled, the words of its enablers are written
 * under the tracing mutex, so that updates take effect in order. All of tracing
 * waits meanwhile, so nothing is waited for and the number of words is bounded.
 * The rest is left to the background: a work item of the process that faults its
 * pages in, which takes as long as the process likes, while nothing is held.
 */
#include "enabler/sync.h"

#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>

#include "enabler/mm.h"
#include "enabler/set.h"
#include "enabler/word.h"
#include "event/user_event.h"
#include "internals/call.h"

/*
 * Words that are written at once, of all events that are switched in one hold
 * of the tracing mutex together.
 */
#define MAX_WORDS_PER_HOLD 4096

/* Pages that are copied for that, since they are shared since a fork. */
#define MAX_PAGE_COPIES_PER_HOLD 32

/* Enablers that the background looks at in one hold of the tracing mutex. */
#define SYNC_BATCH_ENABLERS 64

/*
 * Processes of one user whose words are written in the background at a time:
 * others wait for a turn. All users together can have as many as the workqueue
 * runs at a time.
 */
#define MAX_SYNCS_PER_OWNER 16

/* Writes words of processes; a process can make a work item wait. */
static struct workqueue_struct *sync_queue;

/*
 * How many words may still be written at once, at least half of them unless
 * refill_work is queued. It has them all written again when it gets the tracing
 * mutex: the task that switched events has released it then.
 */
static void refill_words(struct work_struct *work);
static DECLARE_WORK(refill_work, refill_words);
static unsigned int words_left = MAX_WORDS_PER_HOLD;
static unsigned int copies_left = MAX_PAGE_COPIES_PER_HOLD;

/* When there were none left for the last time, in jiffies; under mms_lock. */
static unsigned long overflow_time;
static bool has_overflowed;

/*
 * Longer than it takes from when a fork copies the memory of a process to when
 * the kernel tells of the child.
 */
#define MAX_FORK_JIFFIES (60 * HZ)

/* --- the background: one process ------------------------------------------ */

static bool sync_may_start(struct user_event_mm *entry)
{
	if (entry->owner->active >= MAX_SYNCS_PER_OWNER)
		return false;

	entry->owner->active++;
	entry->sync_is_active = true;
	return true;
}

/* The reference that the background has of the process is the caller's. */
static void start_or_wait(struct user_event_mm *entry)
{
	lockdep_assert_held(&mms_lock);

	if (sync_may_start(entry))
		queue_work(sync_queue, &entry->sync);
	else
		list_add_tail(&entry->sync_node, &entry->owner->waiting);
}

static void queue_sync_locked(struct user_event_mm *entry)
{
	lockdep_assert_held(&mms_lock);

	if (entry->sync_is_active) {
		entry->sync_again = true;
	} else if (list_empty(&entry->sync_node)) {
		refcount_inc(&entry->users);
		start_or_wait(entry);
	}
}

static void sync_start(struct user_event_mm *entry)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry->sync_again = false;
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/* Hands the turn on. Returns whether the process has to wait for another one. */
static bool sync_finish(struct user_event_mm *entry)
{
	struct mm_owner *owner = entry->owner;
	struct user_event_mm *next;
	unsigned long flags;
	bool again;

	raw_spin_lock_irqsave(&mms_lock, flags);
	owner->active--;
	entry->sync_is_active = false;
	again = entry->sync_again;
	if (again)
		list_add_tail(&entry->sync_node, &owner->waiting);

	next = list_first_entry_or_null(&owner->waiting, struct user_event_mm,
					sync_node);
	if (next) {
		list_del_init(&next->sync_node);
		start_or_wait(next);
	}
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return again;
}

/* Returns false if a word is not as it should be and may not be written. */
static bool sync_word(const struct enabler *enabler, struct page *page,
		      bool may_write)
{
	struct enabler_word word = ue_enabler_word(&enabler->bit);
	bool on = user_event_is_enabled(enabler->event);

	if (ue_enabler_word_matches(&word, page, on))
		return true;

	if (!may_write)
		return false;

	ue_enabler_word_write(&word, page, on);
	ue_enabler_set_mark_written(enabler->set);
	return true;
}

/**
 * struct page_sync - how far the words of a page are up to date
 * @page: the page
 * @end: last address in it
 * @may_write: whether the page may be written to
 * @address: address of the next enabler
 * @bit: its bit
 */
struct page_sync {
	struct page *page;
	unsigned long end;
	bool may_write;
	unsigned long address;
	unsigned int bit;
};

enum page_state {
	PAGE_MORE,
	PAGE_DONE,
	PAGE_WRONG
};

static enum page_state sync_batch(struct user_event_mm *entry,
				  struct page_sync *sync)
{
	struct enabler *enabler;
	unsigned int i;

	event_mutex_assert_held();

	if (!entry->set)
		return PAGE_DONE;

	enabler = ue_enabler_set_first(entry->set, sync->address, sync->bit);
	for (i = 0; i < SYNC_BATCH_ENABLERS; i++) {
		if (!enabler || enabler->bit.address > sync->end)
			return PAGE_DONE;

		if (!sync_word(enabler, sync->page, sync->may_write))
			return PAGE_WRONG;

		sync->address = enabler->bit.address;
		sync->bit = enabler->bit.bit + 1;
		enabler = ue_enabler_set_next(enabler);
	}

	return PAGE_MORE;
}

/* Returns false if a word is not as it should be and may not be written. */
static bool sync_words(struct user_event_mm *entry, struct page *page,
		       unsigned long start, bool may_write)
{
	struct page_sync sync = {
		.page = page,
		.end = start + PAGE_SIZE - 1,
		.may_write = may_write,
		.address = start,
	};
	enum page_state state;

	do {
		event_mutex_lock();
		state = sync_batch(entry, &sync);
		event_mutex_unlock();
		cond_resched();
	} while (state == PAGE_MORE);

	return state == PAGE_DONE;
}

/*
 * A page that is shared since a fork can stay so if its words are as they should
 * be. So the page is read before it is faulted in to be written.
 */
static void sync_page(struct user_event_mm *entry, unsigned long start)
{
	struct page *page = ue_enabler_page_get(entry->mm, start);
	bool is_right;

	if (page) {
		is_right = sync_words(entry, page, start, false);
		put_page(page);
		if (is_right)
			return;
	}

	page = ue_enabler_page_fault_in(entry->mm, start);
	if (page) {
		sync_words(entry, page, start, true);
		ue_enabler_page_unpin(page);
	}
}

/* Finds the page of the first enabler from an address on. */
static bool find_page(struct user_event_mm *entry, unsigned long *address)
{
	struct enabler *enabler = NULL;

	event_mutex_lock();
	if (entry->set)
		enabler = ue_enabler_set_first(entry->set, *address, 0);
	if (enabler)
		*address = enabler->bit.address & PAGE_MASK;
	event_mutex_unlock();

	return enabler;
}

/*
 * Brings all words of a process up to date, however long that takes. That the
 * module is in use meanwhile is better than to have rmmod wait.
 */
static void sync_pages(struct user_event_mm *entry)
{
	unsigned long address = 0;

	/* No task reads the words when this is the only user of the memory. */
	while (atomic_read(&entry->mm->mm_users) > 1 &&
	       find_page(entry, &address)) {
		sync_page(entry, address);
		address += PAGE_SIZE;
		if (!address)
			return;
	}
}

/**
 * ue_mm_sync_work - Brings all words of a process up to date
 * @work: the work item of the process
 *
 * Grows with the enablers of the process, and waits for the process.
 */
void ue_mm_sync_work(struct work_struct *work)
{
	struct user_event_mm *entry =
		container_of(work, struct user_event_mm, sync);

	sync_start(entry);
	if (try_module_get(THIS_MODULE)) {
		if (mmget_not_zero(entry->mm)) {
			sync_pages(entry);
			mmput(entry->mm);
		}
		module_put(THIS_MODULE);
	}

	if (!sync_finish(entry))
		ue_mm_put(entry);
}

/**
 * ue_mm_queue_sync - Has the words of a process brought up to date
 * @entry: the process
 *
 * Context: Any, also with preemption off. Does not wait.
 */
void ue_mm_queue_sync(struct user_event_mm *entry)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	queue_sync_locked(entry);
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/* --- switching an event --------------------------------------------------- */

static void queue_if_enablers(struct user_event_mm *entry, void *unused)
{
	if (entry->set && entry->set->count)
		queue_sync_locked(entry);
}

/* Words that were left out are those of any process. */
static void refill_words(struct work_struct *work)
{
	bool has_skipped_words;

	event_mutex_lock();
	words_left = MAX_WORDS_PER_HOLD;
	copies_left = MAX_PAGE_COPIES_PER_HOLD;
	has_skipped_words = has_overflowed;
	has_overflowed = false;
	event_mutex_unlock();

	if (has_skipped_words)
		ue_mms_walk(queue_if_enablers, NULL);
}

static bool take_word(void)
{
	/* A few words do not need it: it takes longer than they do. */
	if (words_left == MAX_WORDS_PER_HOLD / 2)
		schedule_work(&refill_work);

	if (!words_left)
		return false;

	words_left--;
	return true;
}

static void note_overflow(void)
{
	unsigned long flags;

	has_overflowed = true;
	raw_spin_lock_irqsave(&mms_lock, flags);
	overflow_time = jiffies;
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/**
 * ue_mm_child_may_be_stale - Tells whether words of a child must be looked at
 * @parent: its parent
 *
 * The words of a child are those of its parent when the memory was copied. One
 * may have been written since, or is yet to be written in the parent.
 *
 * Context: Under mms_lock, after the child was published.
 */
bool ue_mm_child_may_be_stale(const struct user_event_mm *parent)
{
	lockdep_assert_held(&mms_lock);

	return time_before(jiffies, parent->set->written + MAX_FORK_JIFFIES) ||
	       time_before(jiffies, overflow_time + MAX_FORK_JIFFIES) ||
	       parent->sync_is_active || !list_empty(&parent->sync_node);
}

/**
 * ue_enabler_set_mark_written - Notes that a word of an enabler is being written
 * @set: the set, under the tracing mutex
 *
 * Pairs with ue_mm_child_may_be_stale(): a child that is published after the walk of
 * the processes sees the note.
 */
void ue_enabler_set_mark_written(struct enabler_set *set)
{
	unsigned long flags, now = jiffies;

	event_mutex_assert_held();

	/* Noted before, for a word of the same event most often. */
	if (set->written == now)
		return;

	raw_spin_lock_irqsave(&mms_lock, flags);
	set->written = now;
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

static void update_process(struct user_event_mm *entry,
			   const struct enabler *enabler,
			   struct enabler_update *update)
{
	struct enabler_word word = ue_enabler_word(&enabler->bit);

	if (ue_enabler_update_start(update, entry->mm, &word))
		ue_enabler_word_write(&word, update->page,
				      user_event_is_enabled(enabler->event));
	else
		ue_mm_queue_sync(entry);
}

/* Returns false if not all words could be written. */
static bool update_enabler(const struct enabler *enabler,
			   struct enabler_update *update)
{
	struct enabler_set *set = enabler->set;
	struct user_event_mm *entry;

	/* A step, too, though there is nothing to write. */
	if (list_empty(&set->processes))
		return take_word();

	ue_enabler_set_mark_written(set);
	list_for_each_entry_rcu(entry, &set->processes, set_node,
				true /* removed under the tracing mutex */) {
		if (!take_word())
			return false;

		update_process(entry, enabler, update);
	}

	return true;
}

/**
 * ue_enablers_update - Tells processes that an event was enabled or disabled
 * @event: the event
 *
 * Grows with the words of the event: one for each of its enablers in each
 * process that has it. Up to MAX_WORDS_PER_HOLD of them have been written when it
 * returns, apart from those whose page is not present and writable and
 * those of a process that keeps its memory locked. The others follow in the
 * background; if words are left out, those of all processes are looked at there.
 *
 * Context: Under the tracing mutex. Waits for nothing.
 */
void ue_enablers_update(struct user_event *event)
{
	struct enabler_update update = { .copies = copies_left };
	struct enabler *enabler;

	event_mutex_assert_held();

	list_for_each_entry(enabler, &event->enablers, event_node)
		if (!update_enabler(enabler, &update)) {
			note_overflow();
			break;
		}
	ue_enabler_update_finish(&update);

	copies_left = update.copies;
	if (copies_left < MAX_PAGE_COPIES_PER_HOLD)
		schedule_work(&refill_work);
}

/**
 * ue_mm_sync_init - Prepares the background
 *
 * Return: 0 or -ENOMEM. ue_mm_sync_exit() undoes it.
 */
int ue_mm_sync_init(void)
{
	overflow_time = jiffies - MAX_JIFFY_OFFSET;
	sync_queue = alloc_workqueue("user_events_sync", WQ_UNBOUND, 0);
	return sync_queue ? 0 : -ENOMEM;
}

/**
 * ue_mm_sync_exit - Undoes ue_mm_sync_init(); no enabler is left
 */
void ue_mm_sync_exit(void)
{
	cancel_work_sync(&refill_work);
	destroy_workqueue(sync_queue);
}
