// SPDX-License-Identifier: GPL-2.0-only
#include "emit/perf.h"

#include "compat/compiler.h"

/**
 * ue_perf_submit - Passes an entry to the perf events on this CPU and to BPF
 * @event: the event
 * @from: the entry, complete
 *
 * Not inline, so that stacks start in the function that writes the record.
 *
 * A BPF program is attached through a perf event on one CPU, but gets the
 * records of all CPUs.
 *
 * Context: In the emit section of ue_perf_reserve().
 */
noinline void ue_perf_submit(struct user_event *event,
			     const struct perf_entry *from)
{
	perf_fetch_caller_regs(from->regs);
	if (bpf_prog_array_valid(&event->call))
		perf_trace_run_bpf_submit(from->entry, from->size,
					  from->context, &event->call, 1,
					  from->regs, from->head, NULL);
	else
		perf_trace_buf_submit(from->entry, from->size, from->context,
				      event->call.event.type, 1, from->regs,
				      from->head, NULL);
}

/**
 * ue_perf_discard - Drops an entry of ue_perf_reserve()
 * @event: the event
 * @from: the entry
 *
 * Context: In the emit section of ue_perf_reserve().
 */
void ue_perf_discard(struct user_event *event, const struct perf_entry *from)
{
	struct hlist_head nobody = HLIST_HEAD_INIT;

	/* The function that releases the memory is not exported, its caller is. */
	perf_trace_buf_submit(from->entry, from->size, from->context,
			      event->call.event.type, 1, from->regs, &nobody,
			      NULL);
}

/**
 * ue_perf_emit - Passes a record to the perf events on this CPU and to BPF
 * @event: the event, with perf attached
 * @record: the record
 *
 * Context: In an emit section.
 */
void ue_perf_emit(struct user_event *event, struct event_record record)
{
	struct perf_entry to __uninitialized;

	if (!ue_perf_reserve(event, record.len, &to)) {
		if (record.len > PERF_MAX_TRACE_SIZE &&
		    ue_perf_is_read(event, to.head))
			user_event_count_lost(event);
		return;
	}

	event_record_copy(to.entry, record.entry, to.size);
	ue_perf_submit(event, &to);
}
