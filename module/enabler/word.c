// SPDX-License-Identifier: GPL-2.0-only
#include "enabler/word.h"

#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/mmap_lock.h>
#include <linux/pagemap.h>

#include "compat/gup.h"
#include "enabler/remote.h"
#include "internals/call.h"

/*
 * How often a page is faulted in only to be gone again when it is pinned. The
 * bits of a process that does this stay as they are until their events are
 * switched again.
 */
#define FAULT_MAX_RETRIES 10

/**
 * enabler_word - Finds the word that a bit is in
 * @bit: the bit
 *
 * The word has 4 bytes whatever the size of the value, so that nothing beside
 * the value is ever touched.
 */
struct enabler_word ue_enabler_word(const struct enabler_bit *bit)
{
	unsigned int half = bit->bit / 32;

	/* The low half of a value comes second there. */
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) && bit->size == sizeof(u64))
		half ^= 1;

	return (struct enabler_word){
		.address = bit->address + half * sizeof(u32),
		.mask = 1U << (bit->bit % 32),
	};
}

/**
 * ue_enabler_word_pin - Pins the page of a word of the calling process
 * @word: the word
 *
 * Context: Faults the page in, which takes as long as the process likes. The
 *	    caller holds no lock that another process needs.
 * Return: the page, to be released with ue_enabler_page_unpin(), or as ERR_PTR
 *	   -ENOMEM;
 *	   -EFAULT: the process may not write there.
 */
struct page *ue_enabler_word_pin(const struct enabler_word *word)
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
 * ue_enabler_word_write - Sets or clears the bit, and touches no other
 * @word: the word
 * @page: its page, pinned
 * @on: whether to set it
 */
void ue_enabler_word_write(const struct enabler_word *word, struct page *page,
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

/**
 * ue_enabler_word_matches - Compares the bit with what it should be
 * @word: the word
 * @page: its page, with a reference
 * @on: what the bit should be
 */
bool ue_enabler_word_matches(const struct enabler_word *word, struct page *page,
			     bool on)
{
	void *map = kmap_local_page(page);
	atomic_t *at = map + offset_in_page(word->address);
	bool is_set = atomic_read(at) & word->mask;

	kunmap_local(map);
	return is_set == on;
}

static struct page *pin_now(struct enabler_update *update, struct mm_struct *mm,
			    unsigned long start)
{
	struct page *page;

	if (remote_page_may_wait(mm, start))
		return NULL;

	page = remote_page_pin(mm, start);
	if (page || !update->copies)
		return page;

	update->copies--;
	return remote_page_pin_copied(mm, start);
}

/* Without waiting, as the page lock is. Returns NULL if that is not possible. */
static struct page *try_to_pin(struct enabler_update *update,
			       struct mm_struct *mm, unsigned long start)
{
	struct page *page;

	if (!mmap_read_trylock(mm))
		return NULL;

	page = pin_now(update, mm, start);
	mmap_read_unlock(mm);
	if (page && !trylock_page(page)) {
		unpin_user_page(page);
		page = NULL;
	}

	return page;
}

/**
 * ue_enabler_update_start - Gets at the page of a word of any process
 * @update: where to begin; zeroed but for @copies before the first word
 * @mm: the memory of the process
 * @word: the word, to be written with ue_enabler_word_write() then
 *
 * Finds the page if it is present and writable, or anonymous and only shared
 * since a fork, and mmap_lock and the page lock can be had at once. Nothing is
 * read, reclaimed for or waited for. The page of the word before is used again if
 * it is the same: an event often has many words in one page.
 *
 * The page is locked, so that writeback does not clean it between the write and
 * the mark. Another task may hold that lock while it waits for a process that
 * serves the file, so it is only tried.
 *
 * Context: Under the tracing mutex, so that updates take effect in order.
 * Return: false if the word is left to the background, which has it done by
 *	   ue_enabler_page_fault_in().
 */
bool ue_enabler_update_start(struct enabler_update *update,
			     struct mm_struct *mm,
			     const struct enabler_word *word)
{
	unsigned long start = word->address & PAGE_MASK;

	event_mutex_assert_held();

	if (update->page && update->mm == mm && update->start == start)
		return true;

	ue_enabler_update_finish(update);
	if (!mmget_not_zero(mm))
		return false;

	update->page = try_to_pin(update, mm, start);
	update->mm = mm;
	update->start = start;
	if (update->page)
		return true;

	mmput_async(mm);
	return false;
}

/**
 * ue_enabler_update_finish - Releases the page, if there is one
 * @update: the page
 */
void ue_enabler_update_finish(struct enabler_update *update)
{
	struct page *page = update->page;

	if (!page)
		return;

	if (!PageDirty(page))
		set_page_dirty(page);
	unlock_page(page);
	unpin_user_page(page);
	/* The memory of the last user is not released under the mutex. */
	mmput_async(update->mm);
	update->page = NULL;
}

/**
 * ue_enabler_page_get - Gets a page of any process to read it
 * @mm: the memory of the process, with a user
 * @address: an address in the page
 *
 * Unlike pinning, this does not unshare a page that is shared since a fork.
 *
 * Context: Waits for mmap_lock, so as ue_enabler_page_fault_in().
 * Return: the page, to be released with put_page(), or NULL if it is not
 *	   present.
 */
struct page *ue_enabler_page_get(struct mm_struct *mm, unsigned long address)
{
	struct page *page = NULL;

	mmap_read_lock(mm);
	if (!remote_page_may_wait(mm, address))
		page = remote_page_get(mm, address);
	mmap_read_unlock(mm);

	return page;
}

/**
 * ue_enabler_page_fault_in - Faults in and pins a page of any process
 * @mm: the memory of the process, with a user
 * @address: an address in the page
 *
 * Context: Takes as long as the process likes. The caller holds no lock.
 * Return: the page, to be released with ue_enabler_page_unpin(), or NULL if the
 *	   process may not write there, or without memory.
 */
struct page *ue_enabler_page_fault_in(struct mm_struct *mm,
				      unsigned long address)
{
	struct page *page = NULL;
	int tries, ret = 0;

	for (tries = 0; !page && !ret && tries < FAULT_MAX_RETRIES; tries++) {
		bool unlocked = false;

		mmap_read_lock(mm);
		ret = fixup_user_fault(mm, address,
				       FAULT_FLAG_WRITE | FAULT_FLAG_REMOTE,
				       &unlocked);
		if (!ret)
			page = remote_page_pin(mm, address);
		mmap_read_unlock(mm);

		/* Memory may be freed in a moment. */
		if (ret == -ENOMEM) {
			msleep(tries);
			ret = 0;
		}
		cond_resched();
	}

	return page;
}

/**
 * ue_enabler_page_unpin - Releases a page that has been pinned and written to
 * @page: the page
 */
void ue_enabler_page_unpin(struct page *page)
{
	unpin_user_pages_dirty_lock(&page, 1, true);
}
