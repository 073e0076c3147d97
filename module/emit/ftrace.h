/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writes records to the ftrace buffers, one for each trace instance.
 */
#ifndef USER_EVENTS_EMIT_FTRACE_H
#define USER_EVENTS_EMIT_FTRACE_H

#include "emit/record.h"

struct trace_event_file;
struct user_event;

int ue_ftrace_attach(struct user_event *event, struct trace_event_file *file);
void ue_ftrace_detach(struct user_event *event, struct trace_event_file *file);
void ue_ftrace_emit(struct user_event *event, struct event_record record);

#endif /* USER_EVENTS_EMIT_FTRACE_H */
