/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of a process, without waiting for the process.
 */
#ifndef USER_EVENTS_ENABLER_REMOTE_H
#define USER_EVENTS_ENABLER_REMOTE_H

#include <linux/hugetlb_inline.h>
#include <linux/mm.h>
#include <linux/userfaultfd_k.h>

#include "compat/gup.h"

/**
 * remote_page_may_wait - Tells whether pinning a page could wait
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
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
static inline bool remote_page_may_wait(struct mm_struct *mm,
					unsigned long address)
{
	struct vm_area_struct *vma = vma_lookup(mm, address);

	if (!vma)
		return true;

	return REMOTE_HUGE_PAGE_MAY_WAIT && is_vm_hugetlb_page(vma);
}

/**
 * remote_page_is_served - Tells whether a userfaultfd handles faults of a page
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 */
static inline bool remote_page_is_served(struct mm_struct *mm,
					 unsigned long address)
{
	struct vm_area_struct *vma = vma_lookup(mm, address);

	return vma && userfaultfd_armed(vma);
}

/**
 * remote_page_pin - Pins a page for writing
 * @mm: the process's memory, locked for reading
 * @address: an address in the page, for which remote_page_may_wait() is false
 * @flags: REMOTE_NOFAULT: only if the page is present and writable;
 *	   FOLL_NOWAIT: also if it can be faulted in or copied without waiting
 *	   for a device or a userfaultfd
 * @page: set to the page, to be released with unpin_user_page(), or NULL
 *
 * Return: 0, or -EFAULT if the process cannot write to the page. Without the
 *	   page, 0 means that it may be available later.
 */
static inline int remote_page_pin(struct mm_struct *mm, unsigned long address,
				  unsigned int flags, struct page **page)
{
	long pinned;

	*page = NULL;
	pinned = pin_user_pages_remote(REMOTE_TASK mm, address, 1,
				       flags | FOLL_WRITE, page REMOTE_NO_VMAS,
				       NULL);
	if (pinned != 1)
		*page = NULL;

	return pinned == -EFAULT ? -EFAULT : 0;
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
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

#endif /* USER_EVENTS_ENABLER_REMOTE_H */
