// SPDX-License-Identifier: GPL-2.0-only
#include "tracefs/status_page.h"

#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "compat/vm_flags.h"
#include "event/group.h"

/**
 * ue_status_page_init - Allocates the status bits of a registry
 * @group: the registry
 * @pages: number of pages
 *
 * Return: 0 or -ENOMEM. ue_status_page_exit() undoes it.
 */
int ue_status_page_init(struct user_event_group *group, unsigned int pages)
{
	size_t size = pages * PAGE_SIZE;

	group->map = vmalloc_user(size);
	if (!group->map)
		return -ENOMEM;

	group->nr_bits = size * BITS_PER_BYTE;
	return 0;
}

/**
 * ue_status_page_exit - Undoes ue_status_page_init()
 * @group: the registry, empty and no longer mapped
 */
void ue_status_page_exit(struct user_event_group *group)
{
	vfree(group->map);
}

/**
 * ue_status_page_mmap - Maps the status bits into a process, read-only
 * @group: the registry
 * @vma: the mapping; its offset is ignored
 *
 * Return: 0;
 *	   -EINVAL: the mapping does not have the size of all pages;
 *	   -EACCES: the mapping is writable;
 *	   -ENOMEM.
 */
int ue_status_page_mmap(struct user_event_group *group,
			struct vm_area_struct *vma)
{
	unsigned long size = group->nr_bits / BITS_PER_BYTE;

	if (vma->vm_end - vma->vm_start != size)
		return -EINVAL;

	if (vma->vm_flags & VM_WRITE)
		return -EACCES;

	/* Neither mprotect() nor a debugger can make the mapping writable. */
	vm_flags_clear(vma, VM_MAYWRITE);

	return remap_vmalloc_range(vma, group->map, 0);
}
