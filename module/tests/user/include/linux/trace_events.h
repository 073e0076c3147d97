/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The members of trace events that the tested files use.
 */
#ifndef USER_EVENTS_TESTS_LINUX_TRACE_EVENTS_H
#define USER_EVENTS_TESTS_LINUX_TRACE_EVENTS_H

#include <linux/list.h>
#include <linux/trace_seq.h>
#include <linux/types.h>

enum print_line_t {
	TRACE_TYPE_PARTIAL_LINE,
	TRACE_TYPE_HANDLED,
};

struct trace_entry;
struct trace_event_fields;

struct trace_iterator {
	struct trace_seq seq;
	struct trace_entry *ent;
	size_t ent_size;
};

struct trace_event {
	int type;
};

struct trace_event_class {
	struct list_head fields;
};

struct trace_event_call {
	struct trace_event event;
};

static inline enum print_line_t trace_handle_return(struct trace_seq *seq)
{
	return seq->full ? TRACE_TYPE_PARTIAL_LINE : TRACE_TYPE_HANDLED;
}

#endif /* USER_EVENTS_TESTS_LINUX_TRACE_EVENTS_H */
