/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_EMIT_PRINT_RECORD_H
#define USER_EVENTS_EMIT_PRINT_RECORD_H

#include <linux/trace_events.h>

enum print_line_t ue_print_record(struct trace_iterator *iter, int flags,
				  struct trace_event *trace_event);

#endif /* USER_EVENTS_EMIT_PRINT_RECORD_H */
