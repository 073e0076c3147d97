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
#include <linux/userfaultfd_k.h>

#ifdef HAVE_FOLL_NOFAULT
#define REMOTE_NOFAULT FOLL_NOFAULT
#else
#define REMOTE_NOFAULT FOLL_MLOCK
#endif

#ifdef HAVE_GUP_VMAS
#define REMOTE_NO_VMAS , NULL
#else
#define REMOTE_NO_VMAS
#endif

/*
 * Before Linux 6.7 huge pages of a pool are brought in whatever the flags say.
 * That waits for nobody, unless the process handles its faults itself.
 */
static inline bool remote_may_wait(struct mm_struct *mm, unsigned long address)
{
	struct vm_area_struct *vma = find_vma(mm, address);

	return vma && is_vm_hugetlb_page(vma) && userfaultfd_armed(vma);
}

/**
 * remote_page_pin - Pins a page that is there and may be written to
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Does not wait for the page to be brought in.
 *
 * Return: the page, to be released with unpin_user_page() or the like; NULL if
 *	   it is not there, or not to be used like that.
 */
static inline struct page *remote_page_pin(struct mm_struct *mm,
					   unsigned long address)
{
	struct page *page = NULL;

	if (remote_may_wait(mm, address))
		return NULL;

	if (pin_user_pages_remote(mm, address, 1, REMOTE_NOFAULT | FOLL_WRITE,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

/**
 * remote_page_get - Gets hold of a page that is there, to look at it
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

	if (remote_may_wait(mm, address))
		return NULL;

	if (get_user_pages_remote(mm, address, 1, REMOTE_NOFAULT,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

/**
 * remote_page_pin_private - Pins a page that is copied or made for it
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 * @shown: what remote_page_get() gave, still held so that it cannot go; may be
 *	   NULL
 *
 * Takes memory, and waits for nothing else: a page of a file must be there to
 * be copied, since to read it may take as long as a disk, a server or a process
 * likes. Neither is a process asked that handles its faults itself.
 *
 * Return: as remote_page_pin().
 */
static inline struct page *remote_page_pin_private(struct mm_struct *mm,
						   unsigned long address,
						   const struct page *shown)
{
	struct vm_area_struct *vma = find_vma(mm, address);
	struct page *page = NULL;

	if (!vma || vma->vm_flags & VM_SHARED || is_vm_hugetlb_page(vma) ||
	    userfaultfd_armed(vma) || !(shown || vma_is_anonymous(vma)))
		return NULL;

	if (pin_user_pages_remote(mm, address, 1, FOLL_NOWAIT | FOLL_WRITE,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

#ifndef HAVE_KMAP_LOCAL
#define kmap_local_page(page) kmap_atomic(page)
#define kunmap_local(address) kunmap_atomic(address)
#endif

#endif /* USER_EVENTS_COMPAT_REMOTE_H */
