/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event in the tracing core.
 */
#ifndef USER_EVENTS_EVENT_TRACE_CALL_H
#define USER_EVENTS_EVENT_TRACE_CALL_H

#include <linux/trace_events.h>

struct cred;
struct user_event;

int ue_trace_call_init(int (*reg)(struct trace_event_call *call,
				  enum trace_reg type, void *data),
		       trace_print_func print);
void ue_trace_call_exit(void);
const struct cred *ue_trace_call_cred(void);
int ue_trace_call_prepare(struct user_event *event);
int ue_trace_call_add(struct user_event *event);
int ue_trace_call_remove(struct user_event *event);

#endif /* USER_EVENTS_EVENT_TRACE_CALL_H */
