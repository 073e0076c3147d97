/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vm_flags_clear() for kernels before Linux 6.3 (commit bc292ab00f6c, "mm:
 * introduce vma->vm_flags wrapper functions"), where the flags are assigned.
 * Detected by its name in the header, since the 5.14 of RHEL 9.5 has it.
 */
#ifndef USER_EVENTS_COMPAT_VM_FLAGS_H
#define USER_EVENTS_COMPAT_VM_FLAGS_H

#include <linux/mm.h>

#ifndef HAVE_VM_FLAGS_CLEAR
static inline void vm_flags_clear(struct vm_area_struct *vma,
				  unsigned long flags)
{
	vma->vm_flags &= ~flags;
}
#endif

#endif /* USER_EVENTS_COMPAT_VM_FLAGS_H */
