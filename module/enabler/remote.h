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
 * remote_page_may_wait - Tells whether getting at a page may need more than that
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * On some kernels a huge page of a pool is faulted in whatever the flags say:
 * see compat/gup.h. That waits for other faults of the same page, and for the
 * process itself if it handles its faults (userfaultfd).
 *
 * Before Linux 6.1 an address below a stack makes the stack grow, and one that is
 * locked is faulted in then. Since Linux 6.5 the kernel complains instead.
 */
static inline bool remote_page_may_wait(struct mm_struct *mm,
					unsigned long address)
{
	struct vm_area_struct *vma = find_vma(mm, address);

	if (!vma || vma->vm_start > address)
		return true;

	return REMOTE_HUGE_PAGE_MAY_WAIT && is_vm_hugetlb_page(vma);
}

/**
 * remote_page_pin - Pins a page that is present and writable
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Does not fault the page in, but for remote_page_may_wait().
 *
 * Return: the page, to be released with unpin_user_page() or the like; NULL if
 *	   it is not present, or not writable just now.
 */
static inline struct page *remote_page_pin(struct mm_struct *mm,
					   unsigned long address)
{
	struct page *page = NULL;

	if (pin_user_pages_remote(mm, address, 1, REMOTE_NOFAULT | FOLL_WRITE,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

/**
 * remote_page_get - Gets a reference to a page that is present
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Unlike pinning this does not ask for a page that is shared since a fork to be
 * copied.
 *
 * Return: the page, to be released with put_page(), or NULL.
 */
static inline struct page *remote_page_get(struct mm_struct *mm,
					   unsigned long address)
{
	struct page *page = NULL;

	if (get_user_pages_remote(mm, address, 1, REMOTE_NOFAULT,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

/**
 * remote_page_pin_copied - Pins an anonymous page that is copied if need be
 * @mm: the process's memory, locked for reading
 * @address: an address in the page, for which remote_page_may_wait() is false
 *
 * A page that is shared since a fork is not writable. To copy it waits for
 * nothing that a process controls: it is present and kept, so it is not read
 * from swap; if it is discarded meanwhile, the mapping has no file that it could
 * come from; the process neither handles its faults nor has listeners that are
 * told of them; memory is taken without reclaim, and charged in any case.
 *
 * Return: as remote_page_pin().
 */
static inline struct page *remote_page_pin_copied(struct mm_struct *mm,
						  unsigned long address)
{
	struct vm_area_struct *vma = find_vma(mm, address);
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
		if (pin_user_pages_remote(mm, address, 1,
					  FOLL_NOWAIT | FOLL_WRITE,
					  &page REMOTE_NO_VMAS, NULL) != 1)
			page = NULL;
		memalloc_noreclaim_restore(flags);
	}

	put_page(shown);
	return page;
}

#endif /* USER_EVENTS_ENABLER_REMOTE_H */
