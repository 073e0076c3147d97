/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The largest entry that a trace buffer accepts.
 *
 * ring_buffer_max_event_size() is new in Linux 6.8 (commit 8ec90be7f15f,
 * "tracing: Allow for max buffer data size trace_marker writes"), which also
 * allows sub-buffers larger than a page. Before, a sub-buffer is one page with
 * a header of a time stamp and a count, and an entry has a header of two words.
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
 * trace_record_max - Returns the largest size of an entry
 * @buffer: argument of trace_event_buffer_reserve(), which returned NULL; its
 *	    @buffer was NULL before the call, and still is if recording is off
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
