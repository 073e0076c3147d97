/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The largest entry that a trace buffer takes.
 *
 * ring_buffer_max_event_size() tells since Linux 6.8 (commit 8ec90be7f15f,
 * "tracing: Allow for max buffer data size trace_marker writes"), in which
 * sub-buffers can also be made larger than a page. Before, a sub-buffer is one
 * page, which begins with a time stamp and a count of bytes, and an entry needs
 * two words beside its data.
 */
#ifndef USER_EVENTS_COMPAT_RING_BUFFER_MAX_H
#define USER_EVENTS_COMPAT_RING_BUFFER_MAX_H

#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/ring_buffer.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <asm/local.h>

/**
 * trace_record_max - Tells how large an entry could have been
 * @buffer: what trace_event_buffer_reserve() returned NULL for; its @buffer was
 *	    NULL before, and still is if nothing was tried
 */
static inline size_t trace_record_max(const struct trace_event_buffer *buffer)
{
	if (!buffer->buffer)
		return SIZE_MAX;

#ifdef HAVE_RING_BUFFER_MAX
	return ring_buffer_max_event_size(buffer->buffer);
#else
	return PAGE_SIZE - (sizeof(u64) + sizeof(local_t)) - 2 * sizeof(u32);
#endif
}

#endif /* USER_EVENTS_COMPAT_RING_BUFFER_MAX_H */
