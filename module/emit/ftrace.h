/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes records to the ftrace buffers, one for each trace instance.
 */
#ifndef USER_EVENTS_EMIT_FTRACE_H
#define USER_EVENTS_EMIT_FTRACE_H

#include <linux/err.h>
#include <linux/rculist.h>
#include <linux/ring_buffer.h>
#include <linux/trace_events.h>

#include "compat/compiler.h"
#include "compat/ring_buffer_max.h"
#include "emit/record.h"
#include "event/user_event.h"

/*
 * The ring buffer rounds entries up to 4 bytes, or to 8 where 64-bit accesses
 * must be aligned; and an entry of 8 bytes gets 4 more. Tracers see that
 * padding. So it is part of the requested size, and is written.
 */
#define ENTRY_MIN (3 * sizeof(u32))
#ifdef CONFIG_HAVE_64BIT_ALIGNED_ACCESS
#define ENTRY_ALIGN sizeof(u64)
#else
#define ENTRY_ALIGN sizeof(u32)
#endif

/* Size of the entry for a record of @len bytes: behind it are zero bytes. */
static inline size_t ue_ftrace_size(size_t len)
{
	return ALIGN(max(len, ENTRY_MIN), ENTRY_ALIGN);
}

/*
 * With one of these flags of a file, triggers run before an entry is reserved, or
 * the kernel takes a temporary buffer, which is cheaper for a filter than the
 * ring buffer, but cannot be discarded.
 */
#define FILE_NEEDS_RECORD                                          \
	(EVENT_FILE_FL_SOFT_DISABLED | EVENT_FILE_FL_FILTERED |    \
	 EVENT_FILE_FL_TRIGGER_MODE | EVENT_FILE_FL_TRIGGER_COND | \
	 EVENT_FILE_FL_PID_FILTER)

/**
 * struct ftrace_tracer - a trace instance in which an event is enabled
 * @node: entry in the list of files of the event
 * @file: the event in that instance; the tracing core releases it after all
 *	  emit sections that may have seen this entry
 * @plain: the same instance and event without flags: an entry that is reserved
 *	   with it is in the ring buffer, and can be discarded; the kernel does
 *	   not discard it in the commit
 * @rcu: delays the release of this entry accordingly
 */
struct ftrace_tracer {
	struct list_head node;
	struct trace_event_file *file;
	struct trace_event_file plain;
	struct rcu_head rcu;
};

int ue_ftrace_attach(struct user_event *event, struct trace_event_file *file);
void ue_ftrace_detach(struct user_event *event, struct trace_event_file *file);
unsigned int ue_ftrace_emit(struct user_event *event,
			    struct event_record record);

/**
 * ue_ftrace_only - Finds the tracer that an incomplete record can be reserved for
 * @event: the event
 *
 * Context: In an emit section.
 * Return: the tracer, or NULL if there are other instances, filters or triggers.
 */
static __always_inline struct ftrace_tracer *
ue_ftrace_only(const struct user_event *event)
{
	struct list_head *first =
		rcu_dereference_raw(list_next_rcu(&event->files));
	struct ftrace_tracer *tracer;

	/* A single entry is followed by the head, as the head is in an empty list. */
	if (first == &event->files || READ_ONCE(first->next) != &event->files)
		return NULL;

	tracer = list_entry(first, struct ftrace_tracer, node);
	/* With a flag that is set from now on, the record came before it. */
	if (READ_ONCE(tracer->file->flags) & FILE_NEEDS_RECORD)
		return NULL;

	return tracer;
}

/**
 * ue_ftrace_reserve_for - Reserves an entry in a trace instance
 * @file: the event in that instance, or &struct ftrace_tracer.plain of it
 * @size: bytes of the entry, from ue_ftrace_size()
 * @buffer: the entry, for ue_ftrace_commit()
 *
 * Context: In an emit section.
 * Return: the entry, with its header, or NULL: see ue_ftrace_loss().
 */
static __always_inline void *
ue_ftrace_reserve_for(struct trace_event_file *file, size_t size,
		      struct trace_event_buffer *buffer)
{
	trace_record_try(buffer);
	if (unlikely(trace_record_is_too_large(size)))
		return NULL;

	return trace_event_buffer_reserve(buffer, file, size);
}

/* Tells why ue_ftrace_reserve_for() has returned NULL for a plain file. */
static inline enum event_loss
ue_ftrace_loss(const struct trace_event_buffer *buffer, size_t size)
{
	return trace_record_is_too_large(size) ||
			       trace_record_was_too_large(buffer, size)
		       ? LOSS_FTRACE_TOO_LARGE
		       : LOSS_FTRACE_BUFFER;
}

/**
 * ue_ftrace_reserve - Reserves an entry that is not complete yet
 * @tracer: what ue_ftrace_only() has returned
 * @len: bytes of the record, header included
 * @buffer: the entry, for ue_ftrace_commit() or ue_ftrace_discard()
 *
 * The header of the entry and the padding behind the record are filled in.
 *
 * Context: In an emit section.
 * Return: the entry, or NULL: see ue_ftrace_loss(). Unless the record is too
 *	   large, the kernel has counted it then, and must not be asked again.
 */
static __always_inline void *
ue_ftrace_reserve(struct ftrace_tracer *tracer, size_t len,
		  struct trace_event_buffer *buffer)
{
	size_t size = ue_ftrace_size(len);
	void *entry = ue_ftrace_reserve_for(&tracer->plain, size, buffer);

	if (likely(entry) && size > len)
		memset(entry + len, 0, size - len);

	return entry;
}

/**
 * ue_ftrace_reserve_next - ue_ftrace_reserve() after an entry of the same event
 * @buffer: that entry, committed in the same emit section; replaced
 * @header: its header
 * @len: bytes of the record, header included
 *
 * Instance and header are known, which the kernel would look for again.
 *
 * Return: as ue_ftrace_reserve().
 */
static __always_inline void *
ue_ftrace_reserve_next(struct trace_event_buffer *buffer, const void *header,
		       size_t len)
{
	size_t size = ue_ftrace_size(len);
	void *entry;

	if (unlikely(trace_record_is_too_large(size)))
		return NULL;

	buffer->event = ring_buffer_lock_reserve(buffer->buffer, size);
	if (unlikely(!buffer->event))
		return NULL;

	entry = ring_buffer_event_data(buffer->event);
	buffer->entry = entry;
	memcpy(entry, header, sizeof(struct trace_entry));
	if (size > len)
		memset(entry + len, 0, size - len);

	return entry;
}

/* Passes a complete entry to the trace instance. */
static inline void ue_ftrace_commit(struct trace_event_buffer *buffer)
{
	trace_event_buffer_commit(buffer);
}

/*
 * Removes an entry of ue_ftrace_reserve() for @len bytes. It stays in the buffer
 * as padding if another event follows it, so it must not have bytes of an earlier
 * one.
 */
static inline void ue_ftrace_discard(struct trace_event_buffer *buffer,
				     void *entry, size_t len)
{
	memset(entry, 0, ue_ftrace_size(len));
	ring_buffer_discard_commit(buffer->buffer, buffer->event);
}

#endif /* USER_EVENTS_EMIT_FTRACE_H */
