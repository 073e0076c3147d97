/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The largest entry that a trace buffer accepts.
 *
 * ring_buffer_max_event_size() is new in Linux 6.8 (commit 8ec90be7f15f,
 * "tracing: Allow for max buffer data size trace_marker writes"), which also
 * allows sub-buffers larger than a page. Before, a sub-buffer is one page with
 * a header of a time stamp and a count, and an entry has a header of two words.
 *
 * A time stamp of 8 bytes can precede an entry. Before Linux 6.7 and stable
 * kernels of December 2023 (commit b3ae7b67b87f, "ring-buffer: Fix writing to the
 * buffer with max_data_size"), an entry that fits only without it turns recording
 * off for good. So the size is checked before the entry is reserved.
 */
#ifndef USER_EVENTS_COMPAT_RING_BUFFER_MAX_H
#define USER_EVENTS_COMPAT_RING_BUFFER_MAX_H

#include <linux/mm.h>
#include <linux/ring_buffer.h>
#include <linux/trace_events.h>
#include <linux/types.h>
#include <asm/local.h>

#ifdef HAVE_RING_BUFFER_MAX
static inline bool trace_record_is_too_large(size_t size)
{
	return false;
}

/* Prepares an argument of trace_event_buffer_reserve(), which sets its members. */
static inline void trace_record_try(struct trace_event_buffer *buffer)
{
	buffer->buffer = NULL;
}

/**
 * trace_record_was_too_large - Tells why an entry was not reserved
 * @buffer: argument of trace_event_buffer_reserve(), which returned NULL, from
 *	    trace_record_try(); its @buffer is still NULL if recording is off
 * @size: size of the entry
 *
 * Return: false if recording is off, or off for this process.
 */
static inline bool
trace_record_was_too_large(const struct trace_event_buffer *buffer, size_t size)
{
	return buffer->buffer &&
	       size > ring_buffer_max_event_size(buffer->buffer);
}
#else
/**
 * trace_record_is_too_large - Tells whether an entry must not be reserved
 * @size: size of the entry
 */
static inline bool trace_record_is_too_large(size_t size)
{
	const size_t sub_buffer = PAGE_SIZE - sizeof(u64) - sizeof(local_t);
	const size_t header = 2 * sizeof(u32);
	const size_t time_stamp = sizeof(u64);

	return size > sub_buffer - header - time_stamp;
}

static inline void trace_record_try(struct trace_event_buffer *buffer)
{
}

static inline bool
trace_record_was_too_large(const struct trace_event_buffer *buffer, size_t size)
{
	return false;
}
#endif

#endif /* USER_EVENTS_COMPAT_RING_BUFFER_MAX_H */
