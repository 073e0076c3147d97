/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes records to perf events and BPF programs.
 */
#ifndef USER_EVENTS_EMIT_PERF_H
#define USER_EVENTS_EMIT_PERF_H

struct event_record;
struct user_event;

void ue_perf_emit(struct user_event *event, const struct event_record *record);

#endif /* USER_EVENTS_EMIT_PERF_H */
