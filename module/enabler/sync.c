// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes the words of enablers when an event is enabled or disabled.
 *
 * The words are written under event_mutex, so updates take effect in order. All
 * of tracing waits meanwhile. So writing does not wait, and the number of words
 * is bounded. Processes write the rest themselves, see resume.c.
 */
#include "enabler/sync.h"

#include <linux/atomic.h>
#include <linux/rculist.h>
#include <linux/workqueue.h>

#include "compat/compiler.h"
#include "enabler/mm.h"
#include "enabler/resume.h"
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

/*
 * Number of words that may still be written in this hold of event_mutex; less
 * than half only if refill_work is queued. That work item resets it: when it
 * gets event_mutex, the task that enabled or disabled events has released it.
 */
static void refill_words(struct work_struct *work);
static DECLARE_WORK(refill_work, refill_words);
static unsigned int words_left = MAX_WORDS_PER_HOLD;

/*
 * Number of times words were skipped, and of those after which all processes were
 * asked to check theirs; under event_mutex.
 */
static unsigned int overflows, handled_overflows;

static void request_if_enablers(struct user_event_mm *entry, void *unused)
{
	/* The enablers of a dead process are removed without mms_lock. */
	if (entry->set && data_race(entry->set->count))
		ue_mm_request_check_locked(entry);
}

/* The skipped words can belong to any process. */
static void refill_words(struct work_struct *work)
{
	bool has_skipped_words;
	unsigned int count;

	event_mutex_lock();
	words_left = MAX_WORDS_PER_HOLD;
	count = overflows;
	has_skipped_words = count != handled_overflows;
	event_mutex_unlock();

	if (!has_skipped_words)
		return;

	ue_mms_walk(request_if_enablers, NULL);
	event_mutex_lock();
	handled_overflows = count;
	if (overflows == count)
		ue_mms_update_end();
	event_mutex_unlock();
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

static void update_process(struct user_event_mm *entry,
			   const struct enabler *enabler,
			   struct enabler_update *update)
{
	struct enabler_word word = ue_enabler_word(&enabler->bit);

	if (ue_enabler_update_start(update, entry->mm, &word))
		ue_enabler_word_write(&word, update->page,
				      user_event_is_enabled(enabler->event));
	else
		ue_mm_request_check(entry);
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
 * they are in different pages. A process writes words itself whose page is not
 * present and writable, or if its mmap_lock is held. If words are skipped because
 * of the limit, all processes check their words.
 *
 * Context: Under event_mutex. Does not wait.
 */
void ue_enablers_update(struct user_event *event)
{
	struct enabler_update update = {};
	struct enabler *enabler;

	event_mutex_assert_held();

	/* The new state before the words. */
	ue_mms_update_start();
	list_for_each_entry(enabler, &event->enablers, event_node)
		if (!update_enabler(enabler, &update)) {
			overflows++;
			break;
		}
	ue_enabler_update_finish(&update);
	/* Otherwise refill_work ends it. */
	if (overflows == handled_overflows)
		ue_mms_update_end();
}

/**
 * ue_mm_sync_exit - Waits for the work item; no event exists any more
 */
void ue_mm_sync_exit(void)
{
	cancel_work_sync(&refill_work);
}
