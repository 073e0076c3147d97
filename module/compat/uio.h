/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * User buffers as the source of a copy.
 *
 * import_ubuf() is new in Linux 6.3 (commit 2ad9bd8332ac, "iov: add
 * import_ubuf()"). Before, the iovec needed storage.
 * fault_in_iov_iter_readable() is new in Linux 5.16 (commit a6294593e8a1,
 * "iov_iter: Turn iov_iter_fault_in_readable into fault_in_iov_iter_readable").
 * iter_iov() is new in Linux 6.4 (commit de4f5fed3f23, "iov_iter: add iter_iovec()
 * helper"). Before, the member was public.
 * barrier_nospec() exists on all architectures since Linux 6.3 and stable kernels
 * of March 2023 (commit 74e19ef0ff80, "uaccess: Add speculation barrier to
 * copy_from_user()"). Before, only those have it that need it.
 */
#ifndef USER_EVENTS_COMPAT_UIO_H
#define USER_EVENTS_COMPAT_UIO_H

#include <linux/kasan-checks.h>
#include <linux/kernel.h>
#include <linux/nospec.h>
#include <linux/uaccess.h>
#include <linux/uio.h>
#include <asm/barrier.h>

#include "compat/unaligned.h"

#ifndef barrier_nospec
#define barrier_nospec() \
	do {             \
	} while (0)
#endif

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

#ifdef CONFIG_X86
/* Up to this size, a loop is faster than the kernel's copy. */
#define COPY_SHORT_MAX 64

/* copy_from_user_checked() of a few bytes. */
static __always_inline bool
copy_short_from_user(void *to, const void __user *from, size_t size)
{
	unsigned long word;
	size_t i = 0;
	u32 half;
	u8 byte;

	__uaccess_begin_nospec();
	if (size >= sizeof(word)) {
		for (; i < size - sizeof(word); i += sizeof(word)) {
			unsafe_get_user(
				word, (const unsigned long __user *)(from + i),
				fault);
			put_unaligned(word, (unsigned long *)(to + i));
		}
		/* This word can overlap the one before. */
		i = size - sizeof(word);
		unsafe_get_user(word, (const unsigned long __user *)(from + i),
				fault);
		put_unaligned(word, (unsigned long *)(to + i));
		i = size;
	} else if (size >= sizeof(half)) {
		unsafe_get_user(half, (const u32 __user *)from, fault);
		put_unaligned(half, (u32 *)to);
		i = sizeof(half);
	}
	for (; i < size; i++) {
		unsafe_get_user(byte, (const u8 __user *)(from + i), fault);
		*(u8 *)(to + i) = byte;
	}
	user_access_end();
	return true;

fault:
	user_access_end();
	return false;
}
#else
#define COPY_SHORT_MAX 0

static __always_inline bool
copy_short_from_user(void *to, const void __user *from, size_t size)
{
	return false;
}
#endif

static inline bool copy_long_from_user(void *to, const void __user *from,
				       size_t size)
{
	/* As in copy_from_user(): no copy with an address that is not ok. */
	barrier_nospec();
	kasan_check_write(to, size);

	return !raw_copy_from_user(to, from, size);
}

/**
 * copy_from_user_checked - Copies user memory if that does not fault
 * @to: a buffer with room for @size bytes
 * @from: user address, for which access_ok() is true
 * @size: number of bytes
 *
 * The caller has checked @size against the size of @to. So there is no search
 * for the object that @to is part of (CONFIG_HARDENED_USERCOPY).
 *
 * Context: Task context with a user address space, between pagefault_disable()
 *	    and pagefault_enable(). Does not sleep.
 * Return: whether all bytes were copied; if not, @to has undefined contents.
 */
static __always_inline bool
copy_from_user_checked(void *to, const void __user *from, size_t size)
{
	if (COPY_SHORT_MAX && size <= COPY_SHORT_MAX)
		return copy_short_from_user(to, from, size);

	return copy_long_from_user(to, from, size);
}

/* copy_from_user_checked() from any address. */
static __always_inline bool
copy_from_user_present(void *to, const void __user *from, size_t size)
{
	return access_ok(from, size) && copy_from_user_checked(to, from, size);
}

#ifndef HAVE_ITER_IOV
static inline const struct iovec *iter_iov(const struct iov_iter *iter)
{
	return iter->iov;
}
#endif

#ifndef HAVE_FAULT_IN_IOV_ITER
/* The number of unreadable bytes is not known. */
static inline size_t fault_in_iov_iter_readable(struct iov_iter *from,
						size_t bytes)
{
	return iov_iter_fault_in_readable(from, bytes) ? bytes : 0;
}
#endif

#endif /* USER_EVENTS_COMPAT_UIO_H */
