/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_LINUX_JHASH_H
#define TESTS_LINUX_JHASH_H

#include <linux/types.h>

/* Another hash, FNV-1a, which serves as well. */
static inline u32 jhash(const void *key, u32 length, u32 initval)
{
	u32 hash = initval ^ 0x811c9dc5;
	const u8 *at = key;

	while (length--)
		hash = (hash ^ *at++) * 0x01000193;

	return hash;
}

#endif /* TESTS_LINUX_JHASH_H */
