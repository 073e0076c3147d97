/* SPDX-License-Identifier: MIT */
/*
 * user-events doctor: symbols without which the module does not load, on each
 * kernel, and on those with and without CONFIG_DYNAMIC_EVENTS. A test compares them
 * with module/internals/resolve.h.
 */
#ifndef USER_EVENTS_DOCTOR_SYMBOLS_H
#define USER_EVENTS_DOCTOR_SYMBOLS_H

#define DOCTOR_SYMBOLS                                                  \
	"trace_add_event_call", "trace_remove_event_call",              \
		"tracefs_create_file", "tracefs_remove", "mmput_async", \
		"task_work_add"

#define DOCTOR_SYMBOLS_DYNAMIC                                             \
	"dyn_event_seq_start", "dyn_event_seq_stop", "dyn_event_seq_next", \
		"dyn_event_register"

#define DOCTOR_SYMBOLS_OWN "event_mutex", "trace_parse_run_command"

#endif
