/* SPDX-License-Identifier: MIT */
/*
 * user-events doctor: symbols without which the module does not load, on kernels
 * with CONFIG_DYNAMIC_EVENTS. A test compares them with module/internals/resolve.h.
 */
#ifndef USER_EVENTS_DOCTOR_SYMBOLS_H
#define USER_EVENTS_DOCTOR_SYMBOLS_H

/* Major version of the first such kernels */
#define DOCTOR_SYMBOLS_SINCE 5

#define DOCTOR_SYMBOLS                                                  \
	"trace_add_event_call", "trace_remove_event_call",              \
		"tracefs_create_file", "tracefs_remove", "mmput_async", \
		"dyn_event_seq_start", "dyn_event_seq_stop",            \
		"dyn_event_seq_next", "dyn_event_register", "task_work_add"

#endif
