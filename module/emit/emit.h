/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From an event to its tracers.
 */
#ifndef USER_EVENTS_EMIT_EMIT_H
#define USER_EVENTS_EMIT_EMIT_H

#include <linux/percpu.h>
#include <linux/trace_events.h>

#include "emit/ftrace.h"
#include "emit/perf.h"
#include "emit/record.h"
#include "event/user_event.h"

int ue_tracer_reg(struct trace_event_call *call, enum trace_reg type,
		  void *data);

/**
 * user_event_emit - Passes a record to all tracers
 * @event: the event
 * @record: the record, validated
 * @done: tracers that do not get it, such as EVENT_STATUS_FTRACE
 *
 * Context: In an emit section.
 */
static inline void user_event_emit(struct user_event *event,
				   struct event_record record, u8 done)
{
	/* Pairs with set_status(). */
	u8 status = smp_load_acquire(&event->status);

	if (likely(status))
		__this_cpu_inc(event->counts->hits);

	status &= ~done;
	if (likely(status & EVENT_STATUS_FTRACE))
		ue_ftrace_emit(event, record);

#ifdef CONFIG_PERF_EVENTS
	if (status & EVENT_STATUS_PERF)
		ue_perf_emit(event, record);
#endif
}

#endif /* USER_EVENTS_EMIT_EMIT_H */
