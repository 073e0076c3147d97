// SPDX-License-Identifier: GPL-2.0-only
#include "emit/ftrace.h"

#include <linux/slab.h>

#include "compat/compiler.h"
#include "compat/ring_buffer_max.h"
#include "compat/trace_event.h"
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

	tracer = kzalloc(sizeof(*tracer), GFP_KERNEL | TRACER_GFP);
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

/* These functions return what came of a record, see RECORD_TAKEN. */

/* Writes a record that nothing rejects. */
static __always_inline unsigned int record_plain(struct user_event *event,
						 struct ftrace_tracer *tracer,
						 void *record, size_t size)
{
	struct trace_event_buffer buffer __uninitialized;
	struct trace_entry *entry =
		ue_ftrace_reserve_for(&tracer->plain, size, &buffer);

	if (unlikely(!entry))
		return user_event_count_loss(event,
					     ue_ftrace_loss(&buffer, size));

	/* The header is filled in. */
	event_record_copy(entry + 1, record + sizeof(*entry),
			  size - sizeof(*entry));
	ue_ftrace_commit(&buffer);
	return RECORD_TAKEN;
}

/* Without a filter, all entries match. */
static bool matches_filter(struct trace_event_file *file, void *entry)
{
	return filter_match_preds(rcu_dereference_raw(file->filter), entry);
}

static bool ignores_process(struct trace_event_file *file)
{
	return READ_ONCE(file->flags) & EVENT_FILE_FL_PID_FILTER &&
	       trace_event_ignore_this_pid(file);
}

/*
 * Writes a record with conditional triggers, which the kernel runs in the commit:
 * they need the entry. It then discards the entry, by the same conditions as here.
 * If recording is off, it reserves one elsewhere for the triggers, which cannot be
 * told from others.
 */
static noinline unsigned int record_triggered(struct user_event *event,
					      struct trace_event_file *file,
					      void *record, size_t size)
{
	struct trace_event_buffer buffer __uninitialized;
	struct trace_entry *entry;
	size_t reserved = size;
	bool matches;

	/* Old kernels read a text that is an array up to its zero byte. */
	if (((const char *)record)[size - 1])
		reserved += ENTRY_ALIGN;
	entry = ue_ftrace_reserve_for(file, reserved, &buffer);
	if (!entry)
		return user_event_count_loss(
			event, ignores_process(file)
				       ? LOSS_FTRACE_FILTERED
				       : ue_ftrace_loss(&buffer, reserved));

	event_record_copy(entry + 1, record + sizeof(*entry),
			  size - sizeof(*entry));
	memset((void *)entry + size, 0, reserved - size);
	matches = matches_filter(file, entry);
	ue_ftrace_commit(&buffer);
	/* A trigger may have changed this flag. */
	if (READ_ONCE(file->flags) & EVENT_FILE_FL_SOFT_DISABLED)
		return user_event_count_loss(event, LOSS_FTRACE_SOFT_DISABLED);

	return matches ? RECORD_TAKEN
		       : user_event_count_loss(event, LOSS_FTRACE_FILTERED);
}

/*
 * Runs the triggers that do not look at the record. Returns 0 if it is still to be
 * written.
 */
static unsigned int run_triggers(struct user_event *event,
				 struct trace_event_file *file)
{
	bool is_disabled = READ_ONCE(file->flags) & EVENT_FILE_FL_SOFT_DISABLED;
	bool is_refused;

	/* A change of its flags is as if it came after the record. */
	is_refused = data_race(trace_trigger_soft_disabled(file));
	/* Disabled by one of the triggers */
	if (!is_refused && READ_ONCE(file->flags) & EVENT_FILE_FL_SOFT_DISABLED)
		is_disabled = true;

	if (is_disabled)
		return user_event_count_loss(event, LOSS_FTRACE_SOFT_DISABLED);

	return is_refused ? user_event_count_loss(event, LOSS_FTRACE_FILTERED)
			  : 0;
}

/*
 * Asks the filters and runs the triggers of a trace instance.
 *
 * The flags of the file change while records are written, and the kernel does not
 * wait for writers that still have the old ones. Both values are correct: the
 * record came before the change or after it.
 *
 * A filter is evaluated here: the kernel does not tell whether it has discarded an
 * entry, nor whether one that it has assembled elsewhere fitted into the buffer.
 *
 * Returns 0 if the record is still to be written.
 */
static noinline unsigned int select_record(struct user_event *event,
					   struct trace_event_file *file,
					   void *record, size_t size)
{
	unsigned int outcome;

	if (READ_ONCE(file->flags) & EVENT_FILE_FL_TRIGGER_COND)
		return record_triggered(event, file, record, size);

	outcome = run_triggers(event, file);
	if (outcome)
		return outcome;

	if (trace_record_is_too_large(size))
		return user_event_count_loss(event, LOSS_FTRACE_TOO_LARGE);

	trace_entry_fill(record, event->call.event.type);
	return matches_filter(file, record)
		       ? 0
		       : user_event_count_loss(event, LOSS_FTRACE_FILTERED);
}

/* Writes a record to one trace instance. */
static unsigned int record_to(struct user_event *event,
			      struct ftrace_tracer *tracer, void *record,
			      size_t size)
{
	struct trace_event_file *file = tracer->file;
	unsigned int outcome = 0;

	if (unlikely(!record))
		return user_event_count_loss(event, LOSS_FTRACE_TOO_LARGE);

	if (unlikely(READ_ONCE(file->flags) & FILE_NEEDS_RECORD))
		outcome = select_record(event, file, record, size);

	return outcome ?: record_plain(event, tracer, record, size);
}

/**
 * ue_ftrace_emit - Writes a record to all attached trace instances
 * @event: the event
 * @record: the record; without an entry, it is too large for any of them
 *
 * Context: In an emit section.
 * Return: what came of it, see RECORD_TAKEN.
 */
unsigned int ue_ftrace_emit(struct user_event *event,
			    struct event_record record)
{
	const size_t size = ue_ftrace_size(record.len);
	struct ftrace_tracer *tracer;
	unsigned int outcome = 0;

	list_for_each_entry_rcu(tracer, &event->files, node,
				true /* in an emit section */)
		outcome |= record_to(event, tracer, record.entry, size);

	return outcome ?: user_event_count_loss(event, LOSS_FTRACE_DETACHED);
}
