/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Protects the code that passes a record to tracers.
 *
 * The tracing core frees filters, triggers, lists of perf events and the files
 * of removed instances after tracepoint_synchronize_unregister(). Up to Linux
 * 6.19 that waits for all sections with preemption disabled. Since Linux 7.0
 * (commit a46023d5616e, "tracing: Guard __DECLARE_TRACE() use of
 * __DO_TRACE_CALL() with SRCU-fast") it waits for sections of tracepoint_srcu
 * instead. Filters are still freed after sections with preemption disabled, so
 * both are needed.
 *
 * Preemption must be disabled anyway: buffers are per CPU, and
 * trace_event_buffer_reserve() subtracts one from the preemption count it
 * records.
 */
#ifndef USER_EVENTS_COMPAT_EMIT_SECTION_H
#define USER_EVENTS_COMPAT_EMIT_SECTION_H

#include <linux/preempt.h>
#include <linux/tracepoint.h>

#ifdef HAVE_TRACEPOINT_SRCU_FAST
#include <linux/srcu.h>

typedef struct srcu_ctr __percpu *emit_section_t;

static inline emit_section_t emit_section_enter(void)
{
	preempt_disable_notrace();
	return srcu_read_lock_fast_notrace(&tracepoint_srcu);
}

static inline void emit_section_exit(emit_section_t section)
{
	srcu_read_unlock_fast_notrace(&tracepoint_srcu, section);
	preempt_enable_notrace();
}
#else
typedef int emit_section_t;

static inline emit_section_t emit_section_enter(void)
{
	preempt_disable_notrace();
	return 0;
}

static inline void emit_section_exit(emit_section_t section)
{
	preempt_enable_notrace();
}
#endif

#endif /* USER_EVENTS_COMPAT_EMIT_SECTION_H */
