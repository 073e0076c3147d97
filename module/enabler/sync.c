// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the words of enablers when an event is enabled or disabled.
 *
 * The words are written under event_mutex, so updates take effect in order. All
 * of tracing waits meanwhile. So writing does not wait, and the number of words
 * is bounded. The background does the rest: a work item of the process faults
 * in its pages without holding a lock, because that can take as long as the
 * process chooses.
 */
#include "enabler/sync.h"

#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/workqueue.h>

#include "compat/compiler.h"
#include "enabler/mm.h"
#include "enabler/set.h"
#include "enabler/word.h"
#include "event/user_event.h"
#include "internals/call.h"

/*
 * Words that are written in one hold of event_mutex, for all events together.
 */
#define MAX_WORDS_PER_HOLD 4096

/*
 * A word in another page than the word before counts as this many: finding the
 * page of a process takes most of the time.
 */
#define WORDS_PER_PAGE 5

/* Pages shared since a fork that are copied in one hold of event_mutex. */
#define MAX_PAGE_COPIES_PER_HOLD 8

/* Enablers that the background checks in one hold of event_mutex. */
#define SYNC_BATCH_ENABLERS 16

/*
 * Processes of one user with a queued or running work item; others wait for a
 * turn. The workqueue bounds the number for all users together.
 */
#define MAX_SYNCS_PER_OWNER 16

/* Runs the work items of processes. A process can make its work item wait. */
static struct workqueue_struct *sync_queue;

/*
 * Taken by work items of processes before event_mutex, so that only one of them
 * waits for event_mutex. Waiters get that mutex in the order of their arrival:
 * without this, others would wait for a turn of each work item.
 */
static DEFINE_MUTEX(turn_mutex);

/*
 * Number of words that may still be written in this hold of event_mutex; less
 * than half only if refill_work is queued. That work item resets it: when it
 * gets event_mutex, the task that enabled or disabled events has released it.
 */
static void refill_words(struct work_struct *work);
static DECLARE_WORK(refill_work, refill_words);
static unsigned int words_left = MAX_WORDS_PER_HOLD;
static unsigned int copies_left = MAX_PAGE_COPIES_PER_HOLD;

/* Time in jiffies when words were last skipped; under mms_lock. */
static unsigned long overflow_time;
static bool has_overflowed;

/*
 * Upper bound of the time from when a fork copies the memory of a process to
 * when the kernel calls the tracepoint.
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

static void background_lock(void)
{
	mutex_lock(&turn_mutex);
	event_mutex_lock();
}

static void background_unlock(void)
{
	event_mutex_unlock();
	mutex_unlock(&turn_mutex);
}

/* Passes the background's reference to the process on. */
static void start_or_wait(struct user_event_mm *entry)
{
	lockdep_assert_held(&mms_lock);

	if (sync_may_start(entry))
		queue_work(sync_queue, &entry->sync);
	else
		list_add_tail(&entry->sync_node, &entry->owner->waiting);
}

/**
 * ue_mm_queue_sync_locked - Queues an update of all words of a process
 * @entry: the process
 *
 * Context: Under mms_lock.
 */
void ue_mm_queue_sync_locked(struct user_event_mm *entry)
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

/*
 * Gives the turn to the next process. Returns whether the process waits for
 * another turn.
 */
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

/* Returns false if the word is stale and must not be written. */
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
 * struct page_sync - progress in a page
 * @page: the page
 * @end: last address in the page
 * @may_write: whether the page may be written
 * @address: address of the next enabler
 * @bit: bit number of the next enabler
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

/* Returns false if a word is stale and must not be written. */
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
		background_lock();
		state = sync_batch(entry, &sync);
		if (may_write)
			ue_enabler_page_set_dirty(page);
		background_unlock();
		cond_resched();
	} while (state == PAGE_MORE);

	return state == PAGE_DONE;
}

/*
 * A page that is shared since a fork can stay shared if its words are up to
 * date. So the page is read before it is faulted in for writing.
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

/* Finds the page of the first enabler at or above an address. */
static bool find_page(struct user_event_mm *entry, unsigned long *address)
{
	struct enabler *enabler = NULL;

	background_lock();
	if (entry->set)
		enabler = ue_enabler_set_first(entry->set, *address, 0);
	if (enabler)
		*address = enabler->bit.address & PAGE_MASK;
	background_unlock();

	return enabler;
}

/*
 * Updates all words of a process, which can take as long as the process
 * chooses. The reference to the module makes rmmod fail instead of wait.
 */
static void sync_pages(struct user_event_mm *entry)
{
	unsigned long address = 0;

	/* With one user of the memory, no task is left that reads the words. */
	while (atomic_read(&entry->mm->mm_users) > 1 &&
	       find_page(entry, &address)) {
		sync_page(entry, address);
		address += PAGE_SIZE;
		if (!address)
			return;
	}
}

/**
 * ue_mm_sync_work - Updates all words of a process
 * @work: the work item of the process
 *
 * The cost grows with the enablers of the process.
 *
 * Context: Sleeps, possibly for as long as the process chooses.
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
 * ue_mm_queue_sync - Queues an update of all words of a process
 * @entry: the process
 *
 * Context: Any, also with preemption disabled. Does not wait.
 */
void ue_mm_queue_sync(struct user_event_mm *entry)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	ue_mm_queue_sync_locked(entry);
	raw_spin_unlock_irqrestore(&mms_lock, flags);
}

/* --- switching an event --------------------------------------------------- */

static void queue_if_enablers(struct user_event_mm *entry, void *unused)
{
	/* The enablers of a dead process are removed without mms_lock. */
	if (entry->set && data_race(entry->set->count))
		ue_mm_queue_sync_locked(entry);
}

/* The skipped words can belong to any process. */
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

static bool take_words(unsigned int count)
{
	const unsigned int half = MAX_WORDS_PER_HOLD / 2;

	if (words_left < count)
		return false;

	/* Once, and not for few words: it costs more than writing them. */
	if (words_left >= half && words_left - count < half)
		schedule_work(&refill_work);

	words_left -= count;
	return true;
}

/* Returns false if the limit is reached. */
static bool take_word_of(const struct user_event_mm *entry,
			 const struct enabler *enabler,
			 const struct enabler_update *update)
{
	return take_words(ue_enabler_update_has_page(update, entry->mm,
						     enabler->bit.address)
				  ? 1
				  : WORDS_PER_PAGE);
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
 * ue_mm_child_may_be_stale - Tells whether words of a child must be checked
 * @parent: its parent
 *
 * The words of a child are those of its parent at the time the memory was
 * copied. A word may have been written since, or is yet to be written in the
 * parent.
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
 * ue_enabler_set_mark_written - Records that a word is being written
 * @set: the set, under event_mutex
 *
 * Pairs with ue_mm_child_may_be_stale(): a child that is published too late for
 * this update sees the time.
 */
void ue_enabler_set_mark_written(struct enabler_set *set)
{
	unsigned long flags, now = jiffies;

	event_mutex_assert_held();

	/* Often recorded before, for another word of the same event. */
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

/* Returns false if words were skipped. */
static bool update_enabler(const struct enabler *enabler,
			   struct enabler_update *update)
{
	struct enabler_set *set = enabler->set;
	struct user_event_mm *entry;

	/* Count it as a word: the loop must be bounded. */
	if (list_empty(&set->processes))
		return take_words(1);

	ue_enabler_set_mark_written(set);
	list_for_each_entry_rcu(entry, &set->processes, set_node,
				true /* removed under event_mutex */) {
		if (!take_word_of(entry, enabler, update))
			return false;

		update_process(entry, enabler, update);
	}

	return true;
}

/**
 * ue_enablers_update - Writes the words of all enablers of an event
 * @event: the event, which was enabled or disabled
 *
 * The cost grows with the number of words: one for each enabler in each process
 * that has it. On return up to MAX_WORDS_PER_HOLD words are written, fewer if
 * they are in different pages. The background writes words whose page is not
 * present and writable, and words of processes whose mmap_lock is held. If words
 * are skipped because of the limit, it checks the words of all processes.
 *
 * Context: Under event_mutex. Does not wait.
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
 * ue_mm_sync_init - Initializes the background
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
 * ue_mm_sync_exit - Undoes ue_mm_sync_init(); no enabler exists any more
 */
void ue_mm_sync_exit(void)
{
	cancel_work_sync(&refill_work);
	destroy_workqueue(sync_queue);
}
