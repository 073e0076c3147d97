/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of another process.
 */
#ifndef USER_EVENTS_ENABLER_REMOTE_H
#define USER_EVENTS_ENABLER_REMOTE_H

#include <linux/hugetlb_inline.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/sched/mm.h>
#include <linux/userfaultfd_k.h>

#include "compat/gup.h"

/**
 * remote_page_may_wait - Tells whether pinning a page could wait
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Some kernels fault in a hugetlb page whatever the flags say, see
 * compat/gup.h. That waits for other faults of the page, and for the process if
 * it handles its faults (userfaultfd).
 *
 * Before Linux 6.1 an address below a stack expands the stack, and an mlocked
 * stack is faulted in then. Since Linux 6.5 the kernel warns instead.
 */
static inline bool remote_page_may_wait(struct mm_struct *mm,
					unsigned long address)
{
	struct vm_area_struct *vma = vma_lookup(mm, address);

	if (!vma)
		return true;

	return REMOTE_HUGE_PAGE_MAY_WAIT && is_vm_hugetlb_page(vma);
}

/**
 * remote_page_may_loop - Tells whether pinning a page could never end
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * While a userfaultfd is closed, the kernel does not fault in pages of its
 * mappings. Kernels that fault in a hugetlb page whatever the flags say try it
 * again and again, without releasing mmap_lock, for which close() waits.
 */
static inline bool remote_page_may_loop(struct mm_struct *mm,
					unsigned long address)
{
	struct vm_area_struct *vma = vma_lookup(mm, address);

	return REMOTE_HUGE_PAGE_MAY_WAIT && vma && is_vm_hugetlb_page(vma) &&
	       userfaultfd_armed(vma);
}

/**
 * remote_page_pin - Pins a page that is present and writable
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Does not fault in the page, except as for remote_page_may_wait().
 *
 * Return: the page, to be released with unpin_user_page(); NULL if it is not
 *	   present or not writable.
 */
static inline struct page *remote_page_pin(struct mm_struct *mm,
					   unsigned long address)
{
	struct page *page = NULL;

	if (pin_user_pages_remote(REMOTE_TASK mm, address, 1,
				  REMOTE_NOFAULT | FOLL_WRITE,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

/**
 * remote_page_get - Takes a reference to a page that is present
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Unlike remote_page_pin(), this accepts a page that is shared since a fork.
 *
 * Return: the page, to be released with put_page(), or NULL.
 */
static inline struct page *remote_page_get(struct mm_struct *mm,
					   unsigned long address)
{
	struct page *page = NULL;

	if (get_user_pages_remote(REMOTE_TASK mm, address, 1, REMOTE_NOFAULT,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

/**
 * remote_page_pin_copied - Pins an anonymous page, copying it if it is shared
 * @mm: the process's memory, locked for reading
 * @address: an address in the page, for which remote_page_may_wait() is false
 *
 * A page that is shared since a fork is not writable. The copy does not wait
 * for the process. The page is present and referenced, so it is not read from
 * swap. If it is discarded meanwhile, the mapping has no file to read it from.
 * The process has neither a userfaultfd nor MMU notifiers for the mapping.
 * Memory is allocated without reclaim and charged in any case.
 *
 * Return: as remote_page_pin().
 */
static inline struct page *remote_page_pin_copied(struct mm_struct *mm,
						  unsigned long address)
{
	struct vm_area_struct *vma = vma_lookup(mm, address);
	struct page *page = NULL, *shown;
	unsigned int flags;

	if (!vma || !vma_is_anonymous(vma) || vma->vm_flags & VM_SHARED ||
	    userfaultfd_armed(vma) || mm_has_notifiers(mm))
		return NULL;

	shown = remote_page_get(mm, address);
	if (!shown)
		return NULL;

	if (PageAnon(shown) && !PageCompound(shown)) {
		flags = memalloc_noreclaim_save();
		if (pin_user_pages_remote(REMOTE_TASK mm, address, 1,
					  FOLL_NOWAIT | FOLL_WRITE,
					  &page REMOTE_NO_VMAS, NULL) != 1)
			page = NULL;
		memalloc_noreclaim_restore(flags);
	}

	put_page(shown);
	return page;
}

#endif /* USER_EVENTS_ENABLER_REMOTE_H */
