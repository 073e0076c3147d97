// SPDX-License-Identifier: GPL-2.0-only
#include "emit/perf.h"

#include <linux/perf_event.h>
#include <linux/trace_events.h>

#include "event/user_event.h"

/*
 * perf stores raw data behind a length of 4 bytes and pads it to 8 bytes with
 * the bytes that follow. A record of this size includes zero bytes for the
 * padding. The largest records leave no room for it.
 */
static size_t perf_size(size_t len)
{
	return min_t(size_t,
		     ALIGN(len + sizeof(u32), sizeof(u64)) - sizeof(u32),
		     PERF_MAX_TRACE_SIZE);
}

/**
 * ue_perf_emit - Passes a record to the perf events on this CPU and to BPF
 * @event: the event, with perf attached
 * @record: the record
 *
 * A BPF program is attached through a perf event on one CPU, but gets the
 * records of all CPUs.
 *
 * Context: In an emit section.
 */
void ue_perf_emit(struct user_event *event, struct event_record record)
{
	struct hlist_head *head = this_cpu_ptr(event->call.perf_events);
	struct trace_entry *entry;
	struct pt_regs *regs;
	size_t size;
	int context;

	if (hlist_empty(head) && !bpf_prog_array_valid(&event->call))
		return;

	if (record.len > PERF_MAX_TRACE_SIZE) {
		user_event_count_lost(event);
		return;
	}

	size = perf_size(record.len);
	entry = perf_trace_buf_alloc(ALIGN(size, sizeof(u64)), &regs, &context);
	if (!entry)
		return;

	perf_fetch_caller_regs(regs);
	event_record_copy(entry, record.entry, size);
	if (bpf_prog_array_valid(&event->call))
		perf_trace_run_bpf_submit(entry, size, context, &event->call, 1,
					  regs, head, NULL);
	else
		perf_trace_buf_submit(entry, size, context,
				      event->call.event.type, 1, regs, head,
				      NULL);
}
