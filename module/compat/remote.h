/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages of another process.
 *
 * pin_user_pages_remote() could also give back what a page is part of until
 * Linux 6.5 (commit ca5e863233e8, "mm/gup: remove vmas parameter from
 * get_user_pages_remote()", and those around it). FOLL_NOFAULT is new in Linux
 * 5.16 (commit 55b8fe703bc5, "gup: Introduce FOLL_NOFAULT flag to disable page
 * faults"); before, FOLL_NOWAIT may take memory but waits for nothing that the
 * kernel itself does.
 * kmap_local_page() is new in Linux 5.11 (commit f3ba3c710ac5, "mm/highmem:
 * Provide kmap_local*").
 */
#ifndef USER_EVENTS_COMPAT_REMOTE_H
#define USER_EVENTS_COMPAT_REMOTE_H

#include <linux/fs.h>
#include <linux/highmem.h>
#include <linux/magic.h>
#include <linux/mm.h>

#ifdef HAVE_FOLL_NOFAULT
#define REMOTE_NOFAULT FOLL_NOFAULT
#else
#define REMOTE_NOFAULT FOLL_NOWAIT
#endif

#ifdef HAVE_GUP_VMAS
#define REMOTE_NO_VMAS , NULL
#else
#define REMOTE_NO_VMAS
#endif

/* In linux/magic.h since Linux 5.16; the number is older. */
#ifndef FUSE_SUPER_MAGIC
#define FUSE_SUPER_MAGIC 0x65735546
#endif

/*
 * What a file of FUSE holds comes from a process, which may take as long as it
 * likes, and reading ahead waits for it in spite of FOLL_NOWAIT.
 */
static inline bool remote_needs_process(struct mm_struct *mm,
					unsigned long address)
{
	struct vm_area_struct *vma = find_vma(mm, address);

	return vma && vma->vm_file &&
	       file_inode(vma->vm_file)->i_sb->s_magic == FUSE_SUPER_MAGIC;
}

static inline struct page *remote_pin(struct mm_struct *mm,
				      unsigned long address, unsigned int flags)
{
	struct page *page;

	if (pin_user_pages_remote(mm, address, 1, flags | FOLL_WRITE,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

/**
 * remote_page_pin - Pins a page that is there and may be written to
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Does not wait for the page to be brought in.
 *
 * Return: the page, to be released with unpin_user_pages_dirty_lock(); NULL if
 *	   it is not there, or not to be used like that.
 */
static inline struct page *remote_page_pin(struct mm_struct *mm,
					   unsigned long address)
{
	if (REMOTE_NOFAULT == FOLL_NOWAIT && remote_needs_process(mm, address))
		return NULL;

	return remote_pin(mm, address, REMOTE_NOFAULT);
}

/**
 * remote_page_pin_private - Pins a page of private memory
 * @mm: the process's memory, locked for reading
 * @address: an address in the page
 *
 * Takes memory for a page that was never there, or is shared since a fork and
 * must be copied, but does not wait for one to be read from a disk, and neither
 * for the process if that handles its faults itself.
 *
 * Return: as remote_page_pin().
 */
static inline struct page *remote_page_pin_private(struct mm_struct *mm,
						   unsigned long address)
{
	struct vm_area_struct *vma = find_vma(mm, address);

	if (!vma || vma->vm_flags & VM_SHARED ||
	    remote_needs_process(mm, address))
		return NULL;

	return remote_pin(mm, address, FOLL_NOWAIT);
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
	struct page *page;

	if (REMOTE_NOFAULT == FOLL_NOWAIT && remote_needs_process(mm, address))
		return NULL;

	if (get_user_pages_remote(mm, address, 1, REMOTE_NOFAULT,
				  &page REMOTE_NO_VMAS, NULL) != 1)
		return NULL;

	return page;
}

#ifndef HAVE_KMAP_LOCAL
#define kmap_local_page(page) kmap_atomic(page)
#define kunmap_local(address) kunmap_atomic(address)
#endif

#endif /* USER_EVENTS_COMPAT_REMOTE_H */
