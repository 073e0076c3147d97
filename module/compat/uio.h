/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process's buffer as the source of a copy.
 *
 * import_ubuf() is new in Linux 6.3 (commit 2ad9bd8332ac, "iov: add
 * import_ubuf()"); before, the description of the buffer needed a place.
 * fault_in_iov_iter_readable() is new in Linux 5.16 (commit a6294593e8a1,
 * "iov_iter: Turn iov_iter_fault_in_readable into fault_in_iov_iter_readable").
 */
#ifndef USER_EVENTS_COMPAT_UIO_H
#define USER_EVENTS_COMPAT_UIO_H

#include <linux/kernel.h>
#include <linux/uio.h>

/**
 * struct user_source - a process's buffer that is read
 * @iter: what has not been read yet
 * @iov: the whole of it
 */
struct user_source {
	struct iov_iter iter;
	struct iovec iov;
};

/**
 * user_source_init - Begins to read a process's buffer
 * @source: will describe it; must stay where it is
 * @buf: the buffer
 * @count: its size in bytes
 *
 * Return: 0 or -EFAULT.
 */
static inline int user_source_init(struct user_source *source,
				   const char __user *buf, size_t count)
{
#ifdef HAVE_IMPORT_UBUF
	return import_ubuf(WRITE, (char __user *)buf, count, &source->iter);
#else
	return import_single_range(WRITE, (char __user *)buf, count,
				   &source->iov, &source->iter);
#endif
}

#ifndef HAVE_FAULT_IN_IOV_ITER
/* Without saying how much of it is missing. */
static inline size_t fault_in_iov_iter_readable(struct iov_iter *from,
						size_t bytes)
{
	return iov_iter_fault_in_readable(from, bytes) ? bytes : 0;
}
#endif

#endif /* USER_EVENTS_COMPAT_UIO_H */
