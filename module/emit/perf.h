/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Passes records to perf events and BPF programs.
 */
#ifndef USER_EVENTS_EMIT_PERF_H
#define USER_EVENTS_EMIT_PERF_H

#include "emit/record.h"

struct user_event;

void ue_perf_emit(struct user_event *event, struct event_record record);

#endif /* USER_EVENTS_EMIT_PERF_H */
