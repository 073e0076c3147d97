/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Between an event and who listens to it.
 */
#ifndef USER_EVENTS_PROBE_H
#define USER_EVENTS_PROBE_H

#include <linux/trace_events.h>

struct user_event;

/**
 * struct event_record - an entry as readers get it
 * @entry: its bytes from the header on, which is zero; zero bytes follow it up
 *	   to the next multiple of 8, and 8 more
 * @len: number of its bytes, the header included
 */
struct event_record {
	const void *entry;
	size_t len;
};

int probe_reg(struct trace_event_call *call, enum trace_reg type, void *data);
void probe_record(struct user_event *event, const struct event_record *record);

int probe_ftrace_add(struct user_event *event, struct trace_event_file *file);
void probe_ftrace_remove(struct user_event *event,
			 struct trace_event_file *file);
void probe_ftrace_record(struct user_event *event,
			 const struct event_record *record);

void probe_perf_record(struct user_event *event,
		       const struct event_record *record);

#endif /* USER_EVENTS_PROBE_H */
