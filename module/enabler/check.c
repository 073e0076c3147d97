// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process checks its own words, and writes those that are wrong.
 *
 * Only its change lock is held, neither event_mutex nor a lock that another
 * process needs. So the process can take as long as it likes.
 */
#include "enabler/check.h"

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "enabler/mm.h"
#include "enabler/set.h"
#include "enabler/word.h"
#include "event/user_event.h"

/*
 * The event can be switched meanwhile. Either the new state is seen here after
 * the write, or the write precedes that of ue_enablers_update() for the new
 * state. Preemption would leave a wrong bit in between.
 */
static void write_word(const struct enabler *enabler, struct page *page)
{
	struct enabler_word word = ue_enabler_word(&enabler->bit);
	bool on;

	preempt_disable();
	do {
		on = user_event_is_enabled(enabler->event);
		ue_enabler_word_write(&word, page, on);
		/* Pairs with ue_enablers_update(). */
		smp_mb();
	} while (on != user_event_is_enabled(enabler->event));
	preempt_enable();
}

static bool word_is_right(const struct enabler *enabler, struct page *page)
{
	struct enabler_word word = ue_enabler_word(&enabler->bit);

	return ue_enabler_word_matches(&word, page,
				       user_event_is_enabled(enabler->event));
}

/* Returns false if a word is wrong and must not be written. */
static bool check_words(struct user_event_mm *entry, struct page *page,
			unsigned long start, bool may_write)
{
	const unsigned long end = start + PAGE_SIZE - 1;
	struct enabler *enabler;
	bool is_right = true;

	mutex_lock(&entry->change);
	enabler = ue_enabler_set_first(entry->set, start, 0);
	while (is_right && enabler && enabler->bit.address <= end) {
		if (!word_is_right(enabler, page)) {
			is_right = may_write;
			if (may_write)
				write_word(enabler, page);
		}
		enabler = ue_enabler_set_next(enabler);
		cond_resched();
	}
	mutex_unlock(&entry->change);

	return is_right;
}

/*
 * A page that is shared since a fork can stay shared if its words are right. So
 * the page is read before it is faulted in for writing.
 */
static int check_page(struct user_event_mm *entry, unsigned long start)
{
	struct page *page = ue_enabler_page_get(start);
	bool is_right;

	if (page) {
		is_right = check_words(entry, page, start, false);
		put_page(page);
		if (is_right)
			return 0;
	}

	page = ue_enabler_page_fault_in(start);
	if (IS_ERR(page))
		return PTR_ERR(page);

	check_words(entry, page, start, true);
	ue_enabler_page_unpin(page);
	return 0;
}

/* Finds the page of the first enabler at or above an address. */
static bool find_page(struct user_event_mm *entry, unsigned long *address)
{
	const struct enabler *enabler;

	mutex_lock(&entry->change);
	enabler = ue_enabler_set_first(entry->set, *address, 0);
	if (enabler)
		*address = enabler->bit.address & PAGE_MASK;
	mutex_unlock(&entry->change);

	return enabler;
}

/**
 * ue_mm_check_words - Writes all words of the calling process that are wrong
 * @entry: the process
 *
 * The cost grows with the enablers of the process. Words that the process cannot
 * write to stay as they are, and the others are still checked.
 *
 * Context: Sleeps, possibly for as long as the process chooses. The caller holds
 *	    no lock.
 * Return: 0;
 *	   -EAGAIN: some words are to be checked again later;
 *	   -EINTR: the task was killed before all words were checked;
 *	   another error: the process cannot write to some words.
 */
int ue_mm_check_words(struct user_event_mm *entry)
{
	unsigned long address = 0;
	int ret = 0, page_ret;

	while (find_page(entry, &address)) {
		page_ret = check_page(entry, address);
		if (page_ret == -EINTR)
			return page_ret;
		if (page_ret == -EAGAIN || !ret)
			ret = page_ret;

		address += PAGE_SIZE;
	}

	return ret;
}
