/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes records to perf events and BPF programs.
 */
#ifndef USER_EVENTS_EMIT_PERF_H
#define USER_EVENTS_EMIT_PERF_H

#include <linux/build_bug.h>
#include <linux/kernel.h>
#include <linux/perf_event.h>
#include <linux/trace_events.h>

#include "compat/compiler.h"
#include "emit/record.h"
#include "event/user_event.h"
#include "limits.h"

#ifdef CONFIG_PERF_EVENTS
void ue_perf_submit(struct user_event *event, void *entry, size_t size,
		    int context, struct pt_regs *regs, struct hlist_head *head);

/*
 * perf stores raw data behind a length of 4 bytes and pads it to 8 bytes with
 * the bytes that follow. A record of this size includes zero bytes for the
 * padding. The largest records leave no room for it.
 */
static inline size_t ue_perf_size(size_t len)
{
	return min_t(size_t,
		     ALIGN(len + sizeof(u32), sizeof(u64)) - sizeof(u32),
		     PERF_MAX_TRACE_SIZE);
}

/**
 * ue_perf_emit - Passes a record to the perf events on this CPU and to BPF
 * @event: the event, with perf attached
 * @record: the record; its header is overwritten
 *
 * A BPF program is attached through a perf event on one CPU, but gets the
 * records of all CPUs.
 *
 * Context: In an emit section.
 * Return: what came of it, see RECORD_TAKEN.
 */
static __always_inline unsigned int ue_perf_emit(struct user_event *event,
						 struct event_record record)
{
	struct hlist_head *head = this_cpu_ptr(event->call.perf_events);
	struct pt_regs *regs __uninitialized;
	int context __uninitialized;

	if (hlist_empty(head) && !bpf_prog_array_valid(&event->call))
		return user_event_count_loss(event, LOSS_PERF_ABSENT);

	/* Also without an entry: the record is larger then. */
	BUILD_BUG_ON(PERF_MAX_TRACE_SIZE > USER_EVENT_RECORD_MAX);
	if (unlikely(record.len > PERF_MAX_TRACE_SIZE))
		return user_event_count_loss(event, LOSS_PERF_TOO_LARGE);

	/*
	 * Only for the context and its registers: perf reads the record where it
	 * is. Fails only in code that perf calls itself.
	 */
	if (unlikely(!perf_trace_buf_alloc(sizeof(u64), &regs, &context)))
		return user_event_count_loss(event, LOSS_PERF_ABSENT);

	ue_perf_submit(event, record.entry, ue_perf_size(record.len), context,
		       regs, head);
	return RECORD_TAKEN;
}
#endif

#endif /* USER_EVENTS_EMIT_PERF_H */
