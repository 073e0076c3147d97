/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of a process, without waiting for the process.
 */
#ifndef USER_EVENTS_ENABLER_REMOTE_H
#define USER_EVENTS_ENABLER_REMOTE_H

#include <linux/hugetlb_inline.h>
#include <linux/mm.h>

#include "compat/gup.h"

/**
 * remote_page_may_wait - Tells whether pinning a page could wait
 * @vma: the mapping of the page, or NULL if there is none
 *
 * Some kernels fault in a hugetlb page whatever the flags say, see
 * compat/gup.h. That waits for other faults of the page, and for the process if
 * it handles its faults (userfaultfd). While the userfaultfd is closed, these
 * kernels try it again and again, without releasing mmap_lock, for which close()
 * waits.
 *
 * Before Linux 6.1 an address below a stack expands the stack, and an mlocked
 * stack is faulted in then. Since Linux 6.5 the kernel warns instead.
 *
 * Context: Under the mmap_lock of the process.
 */
static inline bool remote_page_may_wait(struct vm_area_struct *vma)
{
	if (!vma)
		return true;

	return REMOTE_HUGE_PAGE_MAY_WAIT && is_vm_hugetlb_page(vma);
}

/**
 * remote_page_pin - Pins a page that is present and writable
 * @mm: the process's memory, locked for reading
 * @address: an address in the page, for whose mapping remote_page_may_wait() is
 *	     false
 *
 * Return: the page, to be released with unpin_user_page(), or NULL.
 */
static inline struct page *remote_page_pin(struct mm_struct *mm,
					   unsigned long address)
{
	struct page *page = NULL;

	if (pin_user_pages_remote(REMOTE_TASK mm, address, 1,
				  REMOTE_NOFAULT | FOLL_WRITE,
				  &page PIN_NO_VMAS, NULL) != 1)
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

	if (get_user_pages_remote(REMOTE_TASK mm, address, 1,
				  REMOTE_NOFAULT | REMOTE_SHARED,
				  &page GET_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

#endif /* USER_EVENTS_ENABLER_REMOTE_H */
