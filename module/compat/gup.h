/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences in pinning and mapping pages of another process.
 *
 * get_user_pages_remote() could also return the VMAs until Linux 6.5 (commit
 * ca5e863233e8, "mm/gup: remove vmas parameter from get_user_pages_remote()"),
 * and pin_user_pages_remote(), too (commit 0b295316b3a9, "mm/gup: remove unused
 * vmas parameter from pin_user_pages_remote()"). RHEL 9.5 has only the second
 * change. FOLL_NOFAULT is new in Linux 5.16 (commit 55b8fe703bc5,
 * "gup: Introduce FOLL_NOFAULT flag to disable page faults"). Before,
 * FOLL_MLOCK without FOLL_POPULATE did not fault in a page: it returned success
 * without setting the pointer.
 *
 * Before Linux 5.9 (commit 64019a2e467a, "mm/gup: remove task_struct pointer for
 * all gup code") faults can be accounted to a task.
 *
 * pin_user_pages() is new in Linux 5.6 (commit eddb1c228f79, "mm/gup: introduce
 * pin_user_pages*() and FOLL_PIN"). Before, a reference is taken.
 *
 * Before Linux 5.9 (commit 70e806e4e645, "mm: Do early cow for pinned pages
 * during fork() for ptes") a fork shares a pinned page with the child. If the
 * parent then writes to it, the parent gets a copy, and the child has the page.
 * What is written to the page after that does not reach the parent, so its words
 * must be checked.
 *
 * Linux 5.4.y and RHEL 8.4 copy a page that is shared since a fork whenever a
 * reference to it is taken (commit 17839856fd58, "gup: document and work around
 * 'COW can break either way' issue"; reverted in Linux 5.9). Without a fault there
 * is no reference, so the process writes the words of all such pages.
 *
 * Since Linux 5.9 (commit bce617edecad, "mm: do page fault accounting in
 * handle_mm_fault") handle_mm_fault() has an argument for the registers.
 *
 * Before Linux 6.6 (commit 4849807114b8, "mm/gup: retire
 * follow_hugetlb_page()") a hugetlb page is faulted in whatever the flags say.
 *
 * vma_lookup() is new in Linux 5.14 (commit ce6d42f2e4a2, "mm: add vma_lookup(),
 * update find_vma_intersection() comments").
 *
 * kmap_local_page() is new in Linux 5.11 (commit f3ba3c710ac5, "mm/highmem:
 * Provide kmap_local*").
 */
#ifndef USER_EVENTS_COMPAT_GUP_H
#define USER_EVENTS_COMPAT_GUP_H

#include <linux/highmem.h>
#include <linux/mm.h>

#ifdef HAVE_FOLL_NOFAULT
#define REMOTE_NOFAULT FOLL_NOFAULT
#else
#define REMOTE_NOFAULT FOLL_MLOCK
#endif

/* Some kernels of RHEL do not read a page that is shared since a fork without it. */
#ifdef FOLL_NOUNSHARE
#define REMOTE_SHARED FOLL_NOUNSHARE
#else
#define REMOTE_SHARED 0
#endif

#ifdef HAVE_FOLLOW_HUGETLB_PAGE
#define REMOTE_HUGE_PAGE_MAY_WAIT true
#else
#define REMOTE_HUGE_PAGE_MAY_WAIT false
#endif

/* Kernels with an argument for a task are older than the other changes. */
#if defined(HAVE_GUP_VMAS) || defined(HAVE_GUP_TASK)
#define GET_NO_VMAS , NULL
#else
#define GET_NO_VMAS
#endif

#if defined(HAVE_PIN_VMAS) || defined(HAVE_GUP_TASK)
#define PIN_NO_VMAS , NULL
#else
#define PIN_NO_VMAS
#endif

#ifdef HAVE_GUP_TASK
#define REMOTE_TASK NULL,
#define FORK_CAN_TAKE_PAGES true
#else
#define REMOTE_TASK
#define FORK_CAN_TAKE_PAGES false
#endif

#ifdef HAVE_FAULT_REGS
#define FAULT_NO_REGS , NULL
#else
#define FAULT_NO_REGS
#endif

#ifndef HAVE_PIN_USER_PAGES
#define pin_user_pages_fast get_user_pages_fast
#define pin_user_pages_remote get_user_pages_remote
#define unpin_user_page put_page
#define unpin_user_pages_dirty_lock put_user_pages_dirty_lock
#endif

#ifndef HAVE_VMA_LOOKUP
static inline struct vm_area_struct *vma_lookup(struct mm_struct *mm,
						unsigned long address)
{
	struct vm_area_struct *vma = find_vma(mm, address);

	return vma && vma->vm_start <= address ? vma : NULL;
}
#endif

/**
 * pinned_page_is_kept - Tells whether a fork has left a page to its process
 * @page: a page of the calling process, pinned
 * @address: an address in the page
 *
 * Return: false if what was written to the page did not reach the process.
 */
static inline bool pinned_page_is_kept(const struct page *page,
				       unsigned long address)
{
	struct page *current_page;

	if (!FORK_CAN_TAKE_PAGES ||
	    get_user_pages_fast(address & PAGE_MASK, 1, 0, &current_page) != 1)
		return true;

	put_page(current_page);
	return current_page == page;
}

#ifndef HAVE_KMAP_LOCAL
#define kmap_local_page(page) kmap_atomic(page)
#define kunmap_local(address) kunmap_atomic(address)
#endif

#endif /* USER_EVENTS_COMPAT_GUP_H */
