/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module uses of the kernel's unexported symbols, under names that
 * say what is done.
 */
#ifndef USER_EVENTS_INTERNALS_CALL_H
#define USER_EVENTS_INTERNALS_CALL_H

#include <linux/lockdep.h>

#include "internals/resolve.h"

/**
 * event_mutex_lockdep - The kernel's event_mutex
 *
 * It protects every trace event, and with it every user event and the registry
 * that holds them. See Documentation/locking.rst.
 *
 * Return: the mutex, for lockdep alone; NULL if the kernel keeps no names of
 *	   data. One with lockdep does.
 */
static inline struct mutex *event_mutex_lockdep(void)
{
	return unexported_event_mutex;
}

static inline void event_mutex_assert_held(void)
{
	lockdep_assert_held(unexported_event_mutex);
}

/* What reads dynamic_events holds the mutex between these two. */
static inline void event_mutex_lock(void)
{
	loff_t pos = 0;

	static_call(unexported_dyn_event_seq_start)(NULL, &pos);
	event_mutex_assert_held();
}

static inline void event_mutex_unlock(void)
{
	static_call(unexported_dyn_event_seq_stop)(NULL, NULL);
}

/**
 * tracing_event_add - Makes an event known to the tracing core
 * @call: the event
 *
 * Return: 0 or an errno of the kernel.
 */
static inline int tracing_event_add(struct trace_event_call *call)
{
	event_mutex_assert_held();

	return static_call(unexported_trace_add_event_call)(call);
}

/**
 * tracing_event_remove - Takes an event away from the tracing core
 * @call: the event
 *
 * Return: 0, or -EBUSY if somebody listens to it.
 */
static inline int tracing_event_remove(struct trace_event_call *call)
{
	event_mutex_assert_held();

	return static_call(unexported_trace_remove_event_call)(call);
}

#ifdef CONFIG_PREEMPT_RT
/**
 * task_work_queue - Has a task run a function before it returns to user space
 * @task: the current task, or one that has not run yet
 * @work: what init_task_work() prepared
 *
 * Return: 0, or -ESRCH if the task is exiting.
 */
static inline int task_work_queue(struct task_struct *task,
				  struct callback_head *work)
{
	return static_call(unexported_task_work_add)(task, work, TWA_RESUME);
}
#endif

#endif /* USER_EVENTS_INTERNALS_CALL_H */
