/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences in pinning and mapping pages of another process.
 *
 * pin_user_pages_remote() could also return the VMAs until Linux 6.5 (commit
 * ca5e863233e8, "mm/gup: remove vmas parameter from get_user_pages_remote()",
 * and related commits). FOLL_NOFAULT is new in Linux 5.16 (commit 55b8fe703bc5,
 * "gup: Introduce FOLL_NOFAULT flag to disable page faults"). Before,
 * FOLL_MLOCK without FOLL_POPULATE did not fault in a page: it returned success
 * without setting the pointer.
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

#ifndef HAVE_VMA_LOOKUP
static inline struct vm_area_struct *vma_lookup(struct mm_struct *mm,
						unsigned long address)
{
	struct vm_area_struct *vma = find_vma(mm, address);

	return vma && vma->vm_start <= address ? vma : NULL;
}
#endif

#ifndef HAVE_KMAP_LOCAL
#define kmap_local_page(page) kmap_atomic(page)
#define kunmap_local(address) kunmap_atomic(address)
#endif

#endif /* USER_EVENTS_COMPAT_GUP_H */
