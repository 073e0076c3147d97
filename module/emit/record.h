/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_EMIT_RECORD_H
#define USER_EVENTS_EMIT_RECORD_H

#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/types.h>

#include "compat/unaligned.h"

/**
 * struct event_record - a record as tracers get it
 * @entry: its bytes, aligned to 8, starting with a zeroed header, which perf
 *	   overwrites; followed by zero bytes up to the next multiple of 8, and 8
 *	   more. NULL if the record is too large for all tracers
 * @len: number of its bytes, header included
 */
struct event_record {
	void *entry;
	size_t len;
};

/* Up to this size, a loop is faster than the kernel's copy. */
#define RECORD_COPY_SHORT_MAX 64

/**
 * event_record_copy - Copies bytes of a record to the buffer of a tracer
 * @to: the buffer
 * @from: the bytes
 * @size: their number
 */
static inline void event_record_copy(void *to, const void *from, size_t size)
{
	const void *last = from + size - sizeof(long);
	void *to_last = to + size - sizeof(long);

	if (!IS_ENABLED(CONFIG_HAVE_EFFICIENT_UNALIGNED_ACCESS) ||
	    size < sizeof(long) || size > RECORD_COPY_SHORT_MAX) {
		memcpy(to, from, size);
		return;
	}

	for (; from < last; from += sizeof(long), to += sizeof(long))
		put_unaligned(get_unaligned((const long *)from), (long *)to);

	/* This word can overlap the one before. */
	put_unaligned(get_unaligned((const long *)last), (long *)to_last);
}

#endif /* USER_EVENTS_EMIT_RECORD_H */
