/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses in structures of a process.
 */
#ifndef USER_EVENTS_TRACEFS_USER_ADDRESS_H
#define USER_EVENTS_TRACEFS_USER_ADDRESS_H

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

#endif /* USER_EVENTS_TRACEFS_USER_ADDRESS_H */
