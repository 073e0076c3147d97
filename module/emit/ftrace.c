// SPDX-License-Identifier: GPL-2.0-only
#include "emit/ftrace.h"

#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "compat/ring_buffer_max.h"
#include "emit/record.h"
#include "event/user_event.h"
#include "internals/call.h"
#include "limits.h"

/*
 * A buffer makes every entry a multiple of 4 bytes, or of 8 where 64 bits must
 * be aligned, and one of 8 bytes longer still. What it adds is shown to readers,
 * so it is asked for as much, and all of it is written.
 */
#define ENTRY_MIN (3 * sizeof(u32))
#ifdef CONFIG_HAVE_64BIT_ALIGNED_ACCESS
#define ENTRY_ALIGN sizeof(u64)
#else
#define ENTRY_ALIGN sizeof(u32)
#endif

/**
 * struct ftrace_tracer - an instance in which an event is enabled
 * @node: entry in the event's list of files
 * @file: the event in that instance; the tracing core releases it only after
 *	  every probe section that may have seen this entry
 * @rcu: delays the release of this entry in the same way
 */
struct ftrace_tracer {
	struct list_head node;
	struct trace_event_file *file;
	struct rcu_head rcu;
};

/**
 * ue_ftrace_attach - An instance begins to listen
 * @event: the event
 * @file: the event in that instance
 *
 * Return: 0 or -ENOMEM.
 */
int ue_ftrace_attach(struct user_event *event, struct trace_event_file *file)
{
	struct ftrace_tracer *tracer;

	event_mutex_assert_held();

	tracer = kmalloc(sizeof(*tracer), GFP_KERNEL);
	if (!tracer)
		return -ENOMEM;

	tracer->file = file;
	list_add_tail_rcu(&tracer->node, &event->files);
	return 0;
}

/**
 * ue_ftrace_detach - An instance ends to listen
 * @event: the event
 * @file: what ue_ftrace_attach() was given
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
		      const struct event_record *record)
{
	size_t size = ALIGN(max(record->len, ENTRY_MIN), ENTRY_ALIGN);
	struct trace_event_buffer buffer = {};
	struct trace_entry *entry;

	/*
	 * The file's bits are set and cleared, one at a time, while records are
	 * written, and nobody waits for who still has the old ones. Both the old
	 * and the new are good: the record came before the change, or after it.
	 */
	if (data_race(trace_trigger_soft_disabled(file)))
		return;

	entry = trace_event_buffer_reserve(&buffer, file, size);
	if (!entry) {
		/* Else recording is off, or not for this process. */
		if (size > trace_record_max(&buffer))
			user_event_count_lost(event);
		return;
	}

	/* The header is filled in; the rest is ours. */
	memcpy(entry + 1, record->entry + sizeof(*entry),
	       size - sizeof(*entry));
	trace_event_buffer_commit(&buffer);
}

/**
 * ue_ftrace_emit - Writes a record to every instance that listens
 * @event: the event; in a probe section
 * @record: the record
 */
void ue_ftrace_emit(struct user_event *event, const struct event_record *record)
{
	struct ftrace_tracer *tracer;

	list_for_each_entry_rcu(tracer, &event->files, node)
		record_to(event, tracer->file, record);
}
