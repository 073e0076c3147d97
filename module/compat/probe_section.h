/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What protects somebody who hands a record to readers.
 *
 * The tracing core frees filters, triggers, lists of perf events and the files
 * of removed instances after tracepoint_synchronize_unregister(). On the
 * kernels served so far that waits for every section with preemption off.
 * Preemption must be off anyway: buffers are per CPU, and
 * trace_event_buffer_reserve() takes one off the preemption count it records.
 */
#ifndef USER_EVENTS_COMPAT_PROBE_SECTION_H
#define USER_EVENTS_COMPAT_PROBE_SECTION_H

#include <linux/preempt.h>

static inline void probe_section_begin(void)
{
	preempt_disable_notrace();
}

static inline void probe_section_end(void)
{
	preempt_enable_notrace();
}

#endif /* USER_EVENTS_COMPAT_PROBE_SECTION_H */
