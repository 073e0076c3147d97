/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * <linux/mmap_lock.h> is new in Linux 5.8 and late kernels of 5.4.y (commit
 * 9740ca4e95b4, "mmap locking API: initial implementation as rwsem wrappers").
 * Before, the semaphore was accessed directly.
 */
#ifndef USER_EVENTS_COMPAT_MMAP_LOCK_H
#define USER_EVENTS_COMPAT_MMAP_LOCK_H

#include <linux/mm.h>

#ifdef HAVE_LINUX_MMAP_LOCK
#include <linux/mmap_lock.h>
#else
#include <linux/rwsem.h>

static inline void mmap_read_lock(struct mm_struct *mm)
{
	down_read(&mm->mmap_sem);
}

static inline bool mmap_read_trylock(struct mm_struct *mm)
{
	return down_read_trylock(&mm->mmap_sem);
}

static inline void mmap_read_unlock(struct mm_struct *mm)
{
	up_read(&mm->mmap_sem);
}
#endif

#endif /* USER_EVENTS_COMPAT_MMAP_LOCK_H */
