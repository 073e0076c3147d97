/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structures of a process: their size, and addresses in them.
 */
#ifndef USER_EVENTS_TRACEFS_USER_STRUCT_H
#define USER_EVENTS_TRACEFS_USER_STRUCT_H

#include <linux/compat.h>
#include <linux/mm.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/*
 * Converts an address in a structure. A 32-bit compiler sign-extends a pointer
 * that is assigned to 64 bits. Tags in the upper bits are not part of the
 * address.
 */
static inline unsigned long user_address(u64 value)
{
	if (in_compat_syscall())
		return (u32)value;

	return untagged_addr((unsigned long)value);
}

/*
 * Memory that is copied. The processor compares the tag of the address with that
 * of the memory, as for write().
 */
static inline void __user *user_pointer(u64 value)
{
	return (void __user *)(in_compat_syscall() ? (u32)value
						   : (unsigned long)value);
}

/* Reads the size member of a structure, which is its first one. */
static inline int user_struct_size(u32 *size, const void __user *from)
{
	if (get_user(*size, (const u32 __user *)from))
		return -EFAULT;

	return *size > PAGE_SIZE ? -E2BIG : 0;
}

/*
 * Copies a structure whose first member is its size. Members that the process
 * knows, and the module does not, must be zero.
 */
static inline int user_struct_copy(void *to, size_t known,
				   const void __user *from)
{
	u32 size;
	int ret = user_struct_size(&size, from);

	if (ret)
		return ret;

	return size < known ? -EINVAL
			    : copy_struct_from_user(to, known, from, size);
}

#endif /* USER_EVENTS_TRACEFS_USER_STRUCT_H */
