/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between an event and who listens to it.
 */
#ifndef USER_EVENTS_PROBE_H
#define USER_EVENTS_PROBE_H

#include <linux/trace_events.h>

#include "emit/record.h"

struct user_event;

int probe_reg(struct trace_event_call *call, enum trace_reg type, void *data);
void probe_record(struct user_event *event, const struct event_record *record);

#endif /* USER_EVENTS_PROBE_H */
