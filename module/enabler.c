// SPDX-License-Identifier: GPL-2.0-only
#include "enabler.h"

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/pagemap.h>

#include "compat/call.h"
#include "compat/remote.h"

/* For how long at a time, in microseconds, a process's locked memory is left. */
#define LOCK_PAUSE 200

/*
 * How often a page is brought in only to be gone again when it is looked at. A
 * process that does that goes without until the event is switched again.
 */
#define FAULT_TRIES 10

/**
 * enabler_word - Tells which bit of which word an enabler is
 * @enabler: the enabler
 *
 * The word has 4 bytes whatever the size of the value, so that nothing beside
 * the value is ever touched.
 */
struct enabler_word enabler_word(const struct enabler *enabler)
{
	unsigned int half = enabler->bit / 32;

	/* The low half of a value comes second there. */
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) && enabler->size == sizeof(u64))
		half ^= 1;

	return (struct enabler_word){
		.address = enabler->address + half * sizeof(u32),
		.mask = 1U << (enabler->bit % 32),
	};
}

/**
 * enabler_word_pin - Gets hold of a word of the calling process
 * @word: the word
 *
 * Brings its page in, so nothing may be locked.
 *
 * Return: the page, to be released with enabler_word_unpin(), or as ERR_PTR
 *	   -ENOMEM;
 *	   -EFAULT: the process may not write there.
 */
struct page *enabler_word_pin(const struct enabler_word *word)
{
	struct page *page;
	int pinned;

	pinned = pin_user_pages_fast(word->address & PAGE_MASK, 1, FOLL_WRITE,
				     &page);
	if (pinned == 1)
		return page;

	return ERR_PTR(pinned == -ENOMEM ? -ENOMEM : -EFAULT);
}

/**
 * enabler_word_write - Sets or clears the bit, and touches no other
 * @word: the word
 * @page: its page, pinned
 * @on: set it?
 */
void enabler_word_write(const struct enabler_word *word, struct page *page,
			bool on)
{
	void *map = kmap_local_page(page);
	atomic_t *at = map + offset_in_page(word->address);

	if (on)
		atomic_or(word->mask, at);
	else
		atomic_andnot(word->mask, at);

	kunmap_local(map);
}

static bool word_is(const struct enabler_word *word, struct page *page, bool on)
{
	void *map = kmap_local_page(page);
	atomic_t *at = map + offset_in_page(word->address);
	bool is_on = atomic_read(at) & word->mask;

	kunmap_local(map);
	return is_on == on;
}

/**
 * enabler_word_unpin - Undoes enabler_word_pin()
 * @page: what it returned; has been written to
 */
void enabler_word_unpin(struct page *page)
{
	unpin_user_pages_dirty_lock(&page, 1, true);
}

/**
 * enabler_lock_memory - Keeps the memory of any process as it is
 * @mm: the process's memory, with a user
 * @patience: how many times to wait a moment if the process does not let go of
 *	      its memory; what is left is given back
 *
 * Return: false if the patience was not enough.
 */
bool enabler_lock_memory(struct mm_struct *mm, unsigned int *patience)
{
	while (!mmap_read_trylock(mm)) {
		if (!*patience)
			return false;

		--*patience;
		usleep_range(LOCK_PAUSE, 2 * LOCK_PAUSE);
	}

	return true;
}

/**
 * enabler_unlock_memory - Undoes enabler_lock_memory()
 * @mm: the process's memory
 */
void enabler_unlock_memory(struct mm_struct *mm)
{
	mmap_read_unlock(mm);
}

/*
 * Somebody may hold the page's lock while waiting for a process that serves the
 * file, so it is not waited for.
 */
static bool try_to_mark_dirty(struct page *page)
{
	if (PageDirty(page))
		return true;

	if (!trylock_page(page))
		return false;

	set_page_dirty(page);
	unlock_page(page);
	return true;
}

/**
 * enabler_word_update - Sets or clears the bit in any process, without waiting
 * @word: the word
 * @mm: the process's memory, locked with enabler_lock_memory()
 * @on: set it?
 * @copies: how many pages may be copied or made; what is left is given back
 *
 * Under the tracing mutex, so that the last to be told is the last to be true.
 *
 * A page that may not be written to just now is shared with somebody since a
 * fork, or is not there. Where the bit is as it should be, that can stay so.
 *
 * Return: 0, or -EFAULT if it must be done by enabler_word_bring_in().
 */
int enabler_word_update(const struct enabler_word *word, struct mm_struct *mm,
			bool on, unsigned int *copies)
{
	struct page *page, *shown;
	bool is_right, is_done;

	tracing_assert_held();

	page = remote_page_pin(mm, word->address);
	if (!page) {
		shown = remote_page_get(mm, word->address);
		is_right = shown && word_is(word, shown, on);
		if (!is_right && *copies) {
			--*copies;
			page = remote_page_pin_private(mm, word->address,
						       shown);
		}
		if (shown)
			put_page(shown);
		if (is_right)
			return 0;
	}
	if (!page)
		return -EFAULT;

	enabler_word_write(word, page, on);
	is_done = try_to_mark_dirty(page);
	unpin_user_page(page);

	return is_done ? 0 : -EFAULT;
}

/**
 * enabler_word_bring_in - Gets hold of a word of any process
 * @word: the word
 * @mm: the process's memory, with a user
 *
 * May wait for as long as the process wants, so nothing may be locked.
 *
 * Return: the page, to be released with enabler_word_unpin(), or NULL if the
 *	   process may not write there, or there is no memory.
 */
struct page *enabler_word_bring_in(const struct enabler_word *word,
				   struct mm_struct *mm)
{
	struct page *page = NULL;
	int tries, ret = 0;

	for (tries = 0; !page && !ret && tries < FAULT_TRIES; tries++) {
		bool unlocked = false;

		mmap_read_lock(mm);
		ret = fixup_user_fault(mm, word->address & PAGE_MASK,
				       FAULT_FLAG_WRITE | FAULT_FLAG_REMOTE,
				       &unlocked);
		if (!ret)
			page = remote_page_pin(mm, word->address);
		mmap_read_unlock(mm);

		/* There may be some in a moment. */
		if (ret == -ENOMEM) {
			msleep(tries);
			ret = 0;
		}
		cond_resched();
	}

	return page;
}
