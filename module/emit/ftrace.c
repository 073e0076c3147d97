// SPDX-License-Identifier: GPL-2.0-only
#include "emit/ftrace.h"

#include <linux/slab.h>

#include "compat/compiler.h"
#include "event/user_event.h"
#include "internals/call.h"

/**
 * ue_ftrace_attach - Attaches a trace instance
 * @event: the event
 * @file: the event in that instance
 *
 * Context: Under event_mutex.
 * Return: 0 or -ENOMEM.
 */
int ue_ftrace_attach(struct user_event *event, struct trace_event_file *file)
{
	struct ftrace_tracer *tracer;

	event_mutex_assert_held();

	tracer = kzalloc(sizeof(*tracer), GFP_KERNEL);
	if (!tracer)
		return -ENOMEM;

	tracer->file = file;
	tracer->plain.tr = file->tr;
	tracer->plain.event_call = file->event_call;
	list_add_tail_rcu(&tracer->node, &event->files);
	return 0;
}

/**
 * ue_ftrace_detach - Detaches a trace instance
 * @event: the event
 * @file: the event in that instance
 *
 * Context: Under event_mutex.
 */
void ue_ftrace_detach(struct user_event *event, struct trace_event_file *file)
{
	struct ftrace_tracer *tracer;

	event_mutex_assert_held();

	list_for_each_entry(tracer, &event->files, node) {
		if (tracer->file != file)
			continue;

		list_del_rcu(&tracer->node);
		kfree_rcu(tracer, rcu);
		return;
	}
}

static void record_to(struct user_event *event, struct trace_event_file *file,
		      struct event_record record)
{
	size_t size = ue_ftrace_size(record.len);
	struct trace_event_buffer buffer __uninitialized;
	struct trace_entry *entry;

	/*
	 * The flags of the file change while records are written, and the
	 * kernel does not wait for writers that still have the old ones. Both
	 * values are correct: the record came before the change or after it.
	 */
	if (data_race(trace_trigger_soft_disabled(file)))
		return;

	if (unlikely(trace_record_is_too_large(size))) {
		user_event_count_lost(event);
		return;
	}

	/* As in ue_ftrace_reserve(). */
	buffer.buffer = NULL;
	entry = trace_event_buffer_reserve(&buffer, file, size);
	if (unlikely(!entry)) {
		if (trace_record_was_too_large(&buffer, size))
			user_event_count_lost(event);
		return;
	}

	/* The header is filled in. */
	event_record_copy(entry + 1, record.entry + sizeof(*entry),
			  size - sizeof(*entry));
	trace_event_buffer_commit(&buffer);
}

/**
 * ue_ftrace_emit - Writes a record to all attached trace instances
 * @event: the event
 * @record: the record
 *
 * Context: In an emit section.
 */
void ue_ftrace_emit(struct user_event *event, struct event_record record)
{
	struct ftrace_tracer *tracer;

	list_for_each_entry_rcu(tracer, &event->files, node)
		record_to(event, tracer->file, record);
}
