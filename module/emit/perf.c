// SPDX-License-Identifier: GPL-2.0-only
#include "emit/perf.h"

/**
 * ue_perf_submit - Passes an entry to BPF and to the perf events on this CPU
 * @event: the event
 * @entry: the entry
 * @size: bytes of the entry
 * @context: context of perf_trace_buf_alloc(), which is released
 * @regs: memory of the context for the registers of the writer
 * @head: perf events on this CPU
 *
 * Not inline, so that stacks start in the function that writes the record.
 *
 * Context: In an emit section.
 */
noinline void ue_perf_submit(struct user_event *event, void *entry, size_t size,
			     int context, struct pt_regs *regs,
			     struct hlist_head *head)
{
	perf_fetch_caller_regs(regs);
	if (bpf_prog_array_valid(&event->call))
		perf_trace_run_bpf_submit(entry, size, context, &event->call, 1,
					  regs, head, NULL);
	else
		perf_trace_buf_submit(entry, size, context,
				      event->call.event.type, 1, regs, head,
				      NULL);
}
