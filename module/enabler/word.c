// SPDX-License-Identifier: GPL-2.0-only
#include "enabler/word.h"

#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/hugetlb_inline.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/userfaultfd_k.h>

#include "compat/gup.h"
#include "compat/mmap_lock.h"
#include "internals/call.h"

/**
 * ue_enabler_word - Computes the word of a bit
 * @bit: the bit
 *
 * The word has 4 bytes even if the value has 8, so that only the value is
 * accessed.
 */
struct enabler_word ue_enabler_word(const struct enabler_bit *bit)
{
	unsigned int half = bit->bit / 32;

	/* The low half of a 64-bit value comes second. */
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
 * Context: Faults in the page, for as long as the process chooses. The caller
 *	    holds no lock that another process needs.
 * Return: the page, to be released with ue_enabler_page_unpin(), or as ERR_PTR
 *	   -ENOMEM;
 *	   -EFAULT: the process cannot write to the page.
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
 * ue_enabler_word_write - Sets or clears the bit
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
 * ue_enabler_page_set_dirty - Marks a page dirty, if that needs no waiting
 * @page: the page, pinned, with a word that was written
 *
 * Otherwise ue_enabler_page_unpin() does it. That locks the page after
 * event_mutex was released, and a tracer that finds the page locked leaves the
 * word to the process.
 *
 * Context: Under event_mutex.
 */
void ue_enabler_page_set_dirty(struct page *page)
{
	event_mutex_assert_held();

	if (PageDirty(page) || !trylock_page(page))
		return;

	set_page_dirty(page);
	unlock_page(page);
}

/**
 * ue_enabler_word_matches - Compares the bit with the expected value
 * @word: the word
 * @page: its page, with a reference
 * @on: the expected value
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

/*
 * Tells whether pinning a page could wait. There is no mapping without @vma.
 *
 * Some kernels fault in a hugetlb page whatever the flags say, see
 * compat/gup.h. That waits for other faults of the page, and for the process if
 * it handles its faults (userfaultfd). While the userfaultfd is closed, these
 * kernels try it again and again, without releasing mmap_lock, for which close()
 * waits.
 *
 * Before Linux 6.1 an address below a stack expands the stack, and an mlocked
 * stack is faulted in then. Since Linux 6.5 the kernel warns instead.
 */
static bool remote_page_may_wait(struct vm_area_struct *vma)
{
	if (!vma)
		return true;

	return REMOTE_HUGE_PAGE_MAY_WAIT && is_vm_hugetlb_page(vma);
}

/* Pins a page that is present and writable, or returns NULL. */
static struct page *remote_page_pin(struct mm_struct *mm, unsigned long address)
{
	struct page *page = NULL;

	if (pin_user_pages_remote(REMOTE_TASK mm, address, 1,
				  REMOTE_NOFAULT | FOLL_WRITE,
				  &page PIN_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

/* Returns NULL if the page cannot be pinned and locked without waiting. */
static struct page *try_to_pin(struct mm_struct *mm, unsigned long start)
{
	struct page *page = NULL;

	if (!mmap_read_trylock(mm))
		return NULL;

	if (!remote_page_may_wait(vma_lookup(mm, start)))
		page = remote_page_pin(mm, start);
	mmap_read_unlock(mm);
	if (page && !trylock_page(page)) {
		unpin_user_page(page);
		page = NULL;
	}

	return page;
}

/**
 * ue_enabler_update_start - Pins and locks the page of a word of any process
 * @update: the page of the previous word; zero for the first word
 * @mm: the memory of the process
 * @word: the word, to be written with ue_enabler_word_write()
 *
 * The page must be present and writable; mmap_lock and the page lock must be
 * free. Nothing is allocated, read from a device or waited for. The page is kept
 * for the next word, since an event often has many words in one page.
 *
 * The page is locked so that writeback cannot clean it between the write and
 * set_page_dirty(). Another task may hold the page lock while it waits for a
 * process that serves the file, so a trylock is used.
 *
 * Context: Under event_mutex, so that updates take effect in order.
 * Return: false if the process must write the word itself.
 */
bool ue_enabler_update_start(struct enabler_update *update,
			     struct mm_struct *mm,
			     const struct enabler_word *word)
{
	unsigned long start = word->address & PAGE_MASK;

	event_mutex_assert_held();

	if (ue_enabler_update_has_page(update, mm, start))
		return true;

	ue_enabler_update_finish(update);
	if (!mmget_not_zero(mm))
		return false;

	update->page = try_to_pin(mm, start);
	update->mm = mm;
	update->start = start;
	if (update->page)
		return true;

	mm_put_async(mm);
	return false;
}

/**
 * ue_enabler_update_finish - Releases the page, if any
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
	/* Do not free the memory of a process under event_mutex. */
	mm_put_async(update->mm);
	update->page = NULL;
}

/**
 * ue_enabler_page_get - Takes a reference to a page of the calling process
 * @address: an address in the page
 *
 * For reading: unlike pinning, this does not unshare a page.
 *
 * Return: the page, to be released with put_page(), or NULL if it is not
 *	   present.
 */
struct page *ue_enabler_page_get(unsigned long address)
{
	struct mm_struct *mm = current->mm;
	struct page *page = NULL;

	mmap_read_lock(mm);
	if (!remote_page_may_wait(vma_lookup(mm, address)) &&
	    get_user_pages_remote(REMOTE_TASK mm, address, 1,
				  REMOTE_NOFAULT | REMOTE_SHARED,
				  &page GET_NO_VMAS, NULL) != 1)
		page = NULL;
	mmap_read_unlock(mm);

	return page;
}

/*
 * Does not wait for the userfaultfd. One for faults of user mode alone, or that
 * sends SIGBUS, refuses those of the kernel, but provides the page later.
 *
 * Three faults are enough for a page that is swapped out or migrates, then absent
 * or protected, and that the kernel provides without the userfaultfd. Pinning with a
 * fault tries it again and again while the userfaultfd is closed, without releasing
 * mmap_lock, for which close() waits.
 */
static int pin_served(struct mm_struct *mm, struct vm_area_struct *vma,
		      unsigned long address, struct page **page)
{
	const unsigned int flags = FAULT_FLAG_WRITE | FAULT_FLAG_REMOTE |
				   FAULT_FLAG_ALLOW_RETRY |
				   FAULT_FLAG_RETRY_NOWAIT;
	unsigned int tries;

	if (!(vma->vm_flags & VM_WRITE))
		return -EFAULT;
	if (remote_page_may_wait(vma))
		return -EAGAIN;
	/* A process can have many such pages. */
	if (fatal_signal_pending(current))
		return -EINTR;

	for (tries = 3;; tries--) {
		*page = remote_page_pin(mm, address);
		if (*page)
			return 0;
		if (!tries ||
		    handle_mm_fault(vma, address, flags FAULT_NO_REGS) &
			    (VM_FAULT_RETRY | VM_FAULT_ERROR))
			return -EAGAIN;
	}
}

/*
 * Since Linux 6.7 (commit d61ea1cb0095, "userfaultfd: UFFD_FEATURE_WP_ASYNC") a
 * userfaultfd that needs no server can also be set for a mapping of a file or a
 * device. Such a fault can wait for the server of the file.
 */
static bool is_served(struct vm_area_struct *vma)
{
	return userfaultfd_armed(vma) &&
	       !(vma->vm_flags & (VM_IO | VM_PFNMAP)) &&
	       !(vma->vm_ops && vma->vm_ops->page_mkwrite);
}

/*
 * mmap_lock is held for reading since it was seen that no process serves the
 * fault by a userfaultfd. To wait, the kernel releases it, and clears @locked.
 */
static int pin_waiting(struct mm_struct *mm, unsigned long address,
		       struct page **page, int *locked)
{
	long pinned = pin_user_pages_remote(REMOTE_TASK mm, address, 1,
					    FOLL_WRITE, page PIN_NO_VMAS,
					    locked);

	if (pinned == 1)
		return 0;
	if (fatal_signal_pending(current))
		return -EINTR;

	return pinned == -ENOMEM ? -EAGAIN : -EFAULT;
}

/**
 * ue_enabler_page_fault_in - Faults in and pins a page of the calling process
 * @address: an address in the page
 *
 * Does not wait for a userfaultfd: the caller can be the thread that serves it.
 *
 * Context: Sleeps, possibly for as long as the server of a file chooses, unless
 *	    the calling task is killed. The caller holds no lock.
 * Return: the page, to be released with ue_enabler_page_unpin(), or as ERR_PTR
 *	   -EFAULT: the process cannot write to the page;
 *	   -EAGAIN: to be tried again later;
 *	   -EINTR: the task was killed.
 */
struct page *ue_enabler_page_fault_in(unsigned long address)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	struct page *page = NULL;
	int locked = 1;
	int ret;

	address &= PAGE_MASK;
	mmap_read_lock(mm);
	vma = vma_lookup(mm, address);
	/* Since Linux 6.5 the kernel warns about a page below a stack. */
	if (!vma)
		ret = -EFAULT;
	else if (is_served(vma))
		ret = pin_served(mm, vma, address, &page);
	else
		ret = pin_waiting(mm, address, &page, &locked);
	if (locked)
		mmap_read_unlock(mm);

	return ret ? ERR_PTR(ret) : page;
}

/**
 * ue_enabler_page_unpin - Releases a pinned page that was written
 * @page: the page
 */
void ue_enabler_page_unpin(struct page *page)
{
	unpin_user_pages_dirty_lock(&page, 1, true);
}
