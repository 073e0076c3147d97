/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From an event to its tracers.
 */
#ifndef USER_EVENTS_EMIT_EMIT_H
#define USER_EVENTS_EMIT_EMIT_H

#include <linux/trace_events.h>

#include "emit/record.h"

struct user_event;

int ue_tracer_reg(struct trace_event_call *call, enum trace_reg type,
		  void *data);
void user_event_emit(struct user_event *event,
		     const struct event_record *record);

#endif /* USER_EVENTS_EMIT_EMIT_H */
