/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of another process.
 *
 * pin_user_pages_remote() could also give back what a page is part of until
 * Linux 6.5 (commit ca5e863233e8, "mm/gup: remove vmas parameter from
 * get_user_pages_remote()", and those around it). FOLL_NOFAULT is new in Linux
 * 5.16 (commit 55b8fe703bc5, "gup: Introduce FOLL_NOFAULT flag to disable page
 * faults"); before, FOLL_MLOCK without FOLL_POPULATE brought nothing in, said
 * that it got the page all the same, and left the pointer alone.
 * kmap_local_page() is new in Linux 5.11 (commit f3ba3c710ac5, "mm/highmem:
 * Provide kmap_local*").
 */
#ifndef USER_EVENTS_COMPAT_REMOTE_H
#define USER_EVENTS_COMPAT_REMOTE_H

#include <linux/highmem.h>
#include <linux/hugetlb_inline.h>
#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/sched/mm.h>
#include <linux/userfaultfd_k.h>

#ifdef HAVE_FOLL_NOFAULT
#define REMOTE_NOFAULT FOLL_NOFAULT
#else
#define REMOTE_NOFAULT FOLL_MLOCK
#endif

#ifdef HAVE_FOLLOW_HUGETLB_PAGE
#define REMOTE_HUGE_PAGE_MAY_WAIT true
#else
#define REMOTE_HUGE_PAGE_MAY_WAIT false
#endif

#ifdef HAVE_GUP_VMAS
#define REMOTE_NO_VMAS , NULL
#else
#define REMOTE_NO_VMAS
#endif

/**
 * remote_page_may_wait - Tells whether getting at a page may need more than that
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Before Linux 6.6 (commit 4849807114b8, "mm/gup: retire follow_hugetlb_page()")
 * a huge page of a pool is faulted in whatever the flags say. That waits for
 * other faults of the same page, and for the process itself if it handles its
 * faults (userfaultfd).
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

#ifndef HAVE_KMAP_LOCAL
#define kmap_local_page(page) kmap_atomic(page)
#define kunmap_local(address) kunmap_atomic(address)
#endif

#endif /* USER_EVENTS_COMPAT_REMOTE_H */
