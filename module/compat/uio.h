/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A user buffer as the source of a copy.
 *
 * import_ubuf() is new in Linux 6.3 (commit 2ad9bd8332ac, "iov: add
 * import_ubuf()"). Before, the iovec needed storage.
 * fault_in_iov_iter_readable() is new in Linux 5.16 (commit a6294593e8a1,
 * "iov_iter: Turn iov_iter_fault_in_readable into fault_in_iov_iter_readable").
 */
#ifndef USER_EVENTS_COMPAT_UIO_H
#define USER_EVENTS_COMPAT_UIO_H

#include <linux/kernel.h>
#include <linux/uio.h>

/**
 * struct user_source - a user buffer that is read
 * @iter: the bytes that are not read yet
 * @iov: the whole buffer
 */
struct user_source {
	struct iov_iter iter;
	struct iovec iov;
};

/**
 * user_source_init - Prepares to read a user buffer
 * @source: initialized; must not be moved afterwards
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
/* The number of unreadable bytes is not known. */
static inline size_t fault_in_iov_iter_readable(struct iov_iter *from,
						size_t bytes)
{
	return iov_iter_fault_in_readable(from, bytes) ? bytes : 0;
}
#endif

#endif /* USER_EVENTS_COMPAT_UIO_H */
