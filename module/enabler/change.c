// SPDX-License-Identifier: GPL-2.0-only
/*
 * Enablers of the calling process.
 *
 * A system call allocates, copies and faults in before it takes event_mutex,
 * because its memory cgroup or its process can make it wait for any of these.
 * The change lock of the process serializes its threads.
 */
#include "enabler/change.h"

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/slab.h>

#include "compat/compiler.h"
#include "compat/gup.h"
#include "enabler/fork.h"
#include "enabler/mm.h"
#include "enabler/resume.h"
#include "enabler/set.h"
#include "event/user_event.h"
#include "internals/call.h"

/* --- the calling process -------------------------------------------------- */

/*
 * Publishes the process unless another thread has. The caller frees what is not
 * used.
 */
static struct user_event_mm *publish(struct user_event_mm *fresh,
				     struct enabler_set *set)
{
	struct user_event_mm *entry;
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry = ue_mm_find(current->mm);
	if (!entry) {
		entry = fresh;
		ue_mm_publish(entry, current, set);
	}
	refcount_inc(&entry->users);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return entry;
}

/* Adds the calling process, which stays in the table until it exits. */
static struct user_event_mm *current_add(void)
{
	struct user_event_mm *fresh = ue_mm_alloc(GFP_KERNEL_ACCOUNT);
	struct enabler_set *set = ue_enabler_set_alloc();
	struct user_event_mm *entry = NULL;

	if (fresh && set)
		entry = publish(fresh, set);

	if (entry != fresh || !entry) {
		kfree(fresh);
		ue_enabler_set_free(set);
	}

	return entry;
}

static bool may_be_shared(const struct enabler_set *set)
{
	/*
	 * Only a hint: processes can start or stop sharing the set at any time.
	 * change_unshared() checks again under mms_lock.
	 */
	return data_race(set->users) > 1;
}

/*
 * Adds or removes an enabler if no other process has the set. A fork shares the
 * set under the same lock.
 */
static int change_unshared(struct user_event_mm *entry, struct enabler_set *set,
			   struct enabler *enabler, bool add)
{
	unsigned long flags;
	int ret = 0;

	raw_spin_lock_irqsave(&mms_lock, flags);
	/* A fork of another thread may copy the word before it is written. */
	entry->settled = 0;
	if (set->users > 1)
		ret = -EAGAIN;
	else if (add)
		ret = ue_enabler_set_add(set, enabler);
	else
		ue_enabler_set_remove(enabler);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return ret;
}

/**
 * struct change - the addition or removal of an enabler
 * @entry: the process, whose change lock is held
 * @add: the enabler is added, not removed
 * @enabler: the enabler; one that is removed is in @copy or in the set of @entry
 * @word: its word
 * @page: pinned page of @word; NULL if it cannot be written
 * @copy: a copy of a shared set, for this process alone; or NULL
 * @old: the previous set of the process if no other process has it; or NULL
 */
struct change {
	struct user_event_mm *entry;
	bool add;
	struct enabler *enabler;
	const struct enabler_word *word;
	struct page *page;
	struct enabler_set *copy;
	struct enabler_set *old;
};

/* Finds the enabler of the same bit. */
static struct enabler *find_same(const struct enabler_set *set,
				 const struct enabler *enabler)
{
	return ue_enabler_set_find(set, enabler->bit.address, enabler->bit.bit);
}

static int check_limit(const struct change *change)
{
	const struct enabler_set *set = change->copy ?: change->entry->set;

	if (!change->add || ue_enabler_set_has_room(set))
		return 0;

	return find_same(set, change->enabler) ? -EADDRINUSE : -EMFILE;
}

/* Returns -EAGAIN if a fork has shared the set, so that it must be copied. */
static int change_locked(struct change *change)
{
	int ret;

	event_mutex_assert_held();

	ret = check_limit(change);
	if (ret)
		return ret;

	ret = change_unshared(change->entry, change->copy ?: change->entry->set,
			      change->enabler, change->add);
	if (ret)
		return ret;

	if (change->copy) {
		change->old = ue_mm_replace_set(change->entry, change->copy);
		change->copy = NULL;
	}

	return 0;
}

/*
 * Writes the word under event_mutex, so the bit is right when that is released.
 */
static void write_word(const struct change *change)
{
	const struct user_event *event = change->enabler->event;

	if (!change->page)
		return;

	ue_enabler_word_write(change->word, change->page,
			      change->add && user_event_is_enabled(event));
	ue_enabler_page_set_dirty(change->page);
}

static int change_once(struct change *change)
{
	int ret;

	event_mutex_lock();
	ret = change_locked(change);
	if (!ret)
		write_word(change);
	if (!ret && !change->add)
		ue_enabler_free(change->enabler);
	event_mutex_unlock();

	return ret;
}

/* The copy has an enabler of its own for the one that is removed. */
static int copy_set(struct change *change)
{
	struct enabler_set *copy = ue_enabler_set_copy(change->entry->set);

	if (IS_ERR(copy))
		return PTR_ERR(copy);

	change->copy = copy;
	if (!change->add)
		change->enabler = find_same(change->copy, change->enabler);

	return 0;
}

static int change_set(struct change *change)
{
	int ret;

	lockdep_assert_held(&change->entry->change);

	do {
		if (!change->copy && may_be_shared(change->entry->set)) {
			ret = copy_set(change);
			if (ret)
				return ret;
		}

		ret = change_once(change);
	} while (ret == -EAGAIN);

	ue_enabler_set_free(change->copy);
	ue_enabler_set_free(change->old);
	return ret;
}

/* --- adding --------------------------------------------------------------- */

/**
 * ue_mm_get_without - Finds the calling process unless it has an enabler
 * @address: address of the value
 * @bit: number of the bit
 *
 * Return: the process, to be released with ue_mm_put(); NULL if it is not in the
 *	   table; or ERR_PTR(-EADDRINUSE) if it has this enabler.
 */
struct user_event_mm *ue_mm_get_without(unsigned long address, u8 bit)
{
	struct user_event_mm *entry;
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry = ue_mm_find(current->mm);
	if (entry && ue_enabler_set_find(entry->set, address, bit))
		entry = ERR_PTR(-EADDRINUSE);
	else if (entry)
		refcount_inc(&entry->users);
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return entry;
}

static int add(struct user_event_mm *entry, struct user_event *event,
	       const struct enabler_bit *bit, const struct enabler_word *word,
	       struct page *page)
{
	struct change change = {
		.entry = entry,
		.add = true,
		.enabler = ue_enabler_alloc(event, bit),
		.word = word,
		.page = page,
	};
	int ret;

	if (!change.enabler)
		return -ENOMEM;

	mutex_lock(&entry->change);
	ret = ue_mm_prepare_fork(entry) ?: change_set(&change);
	mutex_unlock(&entry->change);
	if (ret) {
		event_mutex_lock();
		ue_enabler_free(change.enabler);
		event_mutex_unlock();
	} else if (!pinned_page_is_kept(page, bit->address)) {
		ue_mm_check_now(entry);
	}

	return ret;
}

/**
 * ue_mm_add_enabler - Adds an enabler to the calling process
 * @known: the process, from ue_mm_get_without(), or NULL
 * @event: the event, with a reference of the caller; the enabler takes another
 * @bit: the bit
 *
 * The bit is up to date on return. The cost grows with the logarithm of the
 * number of enablers of the process, or with the number itself if the process
 * shares its enablers with its parent or children.
 *
 * Context: Sleeps, possibly for as long as the process chooses (userfaultfd).
 * Return: 0;
 *	   -EADDRINUSE: the process has this enabler;
 *	   -EMFILE: the process has USER_EVENT_ENABLERS_MAX enablers, or the user
 *		    has the limit;
 *	   -ENOMEM: also if the process cannot write to the address.
 */
int ue_mm_add_enabler(struct user_event_mm *known, struct user_event *event,
		      const struct enabler_bit *bit)
{
	struct enabler_word word = ue_enabler_word(bit);
	struct page *page = ue_enabler_word_pin(&word);
	struct user_event_mm *entry;
	int ret = -ENOMEM;

	if (IS_ERR(page))
		return -ENOMEM;

	entry = known ?: current_add();
	if (entry)
		ret = add(entry, event, bit, &word, page);
	if (entry && !known)
		ue_mm_put(entry);

	ue_enabler_page_unpin(page);
	return ret;
}

/* --- removing ------------------------------------------------------------- */

/* Finds an enabler of the calling process and copies its bit. */
static bool find_current(unsigned long address, u8 bit,
			 struct enabler_bit *found)
{
	const struct user_event_mm *entry;
	const struct enabler *enabler;
	unsigned long flags;

	raw_spin_lock_irqsave(&mms_lock, flags);
	entry = ue_mm_find(current->mm);
	enabler = entry ? ue_enabler_set_find(entry->set, address, bit) : NULL;
	if (enabler)
		*found = enabler->bit;
	raw_spin_unlock_irqrestore(&mms_lock, flags);

	return enabler;
}

/*
 * Returns -EAGAIN if the size of the value has changed: then the bit may be in
 * another word.
 */
static int remove(const struct enabler_bit *bit,
		  const struct enabler_word *word, struct page *page)
{
	struct user_event_mm *entry = ue_mm_get(current->mm);
	struct change change = {
		.entry = entry,
		.word = word,
		.page = page,
	};
	int ret;

	if (!entry)
		return -ENOENT;

	mutex_lock(&entry->change);
	change.enabler =
		ue_enabler_set_find(entry->set, bit->address, bit->bit);
	if (!change.enabler)
		ret = -ENOENT;
	else if (change.enabler->bit.size != bit->size)
		ret = -EAGAIN;
	else
		ret = change_set(&change);
	mutex_unlock(&entry->change);
	ue_mm_put(entry);

	return ret;
}

static int remove_and_clear(const struct enabler_bit *bit, bool force)
{
	struct enabler_word word = ue_enabler_word(bit);
	struct page *page = ue_enabler_word_pin(&word);
	int ret;

	if (page == ERR_PTR(-ENOMEM) && !force)
		return -ENOMEM;

	ret = remove(bit, &word, IS_ERR(page) ? NULL : page);
	if (IS_ERR(page))
		return ret ?: PTR_ERR(page);

	ue_enabler_page_unpin(page);
	return ret;
}

/**
 * ue_mm_remove_enabler - Removes an enabler of the calling process
 * @address: address of the value
 * @bit: number of the bit, which is cleared
 * @force: remove the enabler even if there is no memory to clear the bit
 *
 * Context: Sleeps, possibly for as long as the process chooses (userfaultfd).
 * Return: 0;
 *	   -ENOENT: the process has no such enabler;
 *	   -ENOMEM: nothing has changed;
 *	   -EFAULT: the enabler was removed, but the bit could not be cleared.
 */
int ue_mm_remove_enabler(unsigned long address, u8 bit, bool force)
{
	struct enabler_bit found;
	int ret;

	do {
		if (!find_current(address, bit, &found))
			return -ENOENT;

		ret = remove_and_clear(&found, force);
	} while (ret == -EAGAIN);

	return ret;
}
