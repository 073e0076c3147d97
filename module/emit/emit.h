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
int user_event_emit_reported(struct user_event *event,
			     struct event_record record, u8 tracers);

/**
 * user_event_tracers - Returns the tracers that are attached
 * @event: the event
 *
 * Context: In an emit section.
 */
static inline u8 user_event_tracers(const struct user_event *event)
{
	/* Pairs with set_status(). */
	return smp_load_acquire(&event->status);
}

/**
 * user_event_emit - Counts a record and passes it to tracers
 * @event: the event
 * @record: the record, validated, or without an entry and of more than
 *	    USER_EVENT_RECORD_MAX bytes
 * @tracers: those of user_event_tracers() that get it
 *
 * Context: In the emit section of user_event_tracers().
 * Return: what came of it, see RECORD_TAKEN.
 */
static inline unsigned int user_event_emit(struct user_event *event,
					   struct event_record record,
					   u8 tracers)
{
	unsigned int outcome = 0;

	this_cpu_inc(event->counts->hits);

	if (likely(tracers & EVENT_STATUS_FTRACE))
		outcome = ue_ftrace_emit(event, record);

#ifdef CONFIG_PERF_EVENTS
	if (tracers & EVENT_STATUS_PERF)
		outcome |= ue_perf_emit(event, record);
#endif

	return outcome;
}

#endif /* USER_EVENTS_EMIT_EMIT_H */
