/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The largest entry that a trace buffer takes.
 *
 * Since Linux 6.8 sub-buffers can be larger, and
 * ring_buffer_max_event_size() tells. Before, a sub-buffer is
 * one page, which begins with a time stamp and a count of bytes, and an entry
 * needs two words beside its data.
 */
#ifndef USER_EVENTS_COMPAT_RING_BUFFER_MAX_H
#define USER_EVENTS_COMPAT_RING_BUFFER_MAX_H

#include <linux/mm.h>
#include <linux/types.h>
#include <asm/local.h>

struct trace_event_file;

static inline size_t trace_record_max(const struct trace_event_file *file)
{
	return PAGE_SIZE - (sizeof(u64) + sizeof(local_t)) - 2 * sizeof(u32);
}

#endif /* USER_EVENTS_COMPAT_RING_BUFFER_MAX_H */
