/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Wrappers of the kernel's unexported symbols that the module uses.
 */
#ifndef USER_EVENTS_INTERNALS_CALL_H
#define USER_EVENTS_INTERNALS_CALL_H

#include <linux/delay.h>
#include <linux/lockdep.h>

#include "compat/task_work.h"
#include "internals/resolve.h"

/**
 * event_mutex_lockdep - Returns the kernel's event_mutex, for lockdep
 *
 * The mutex protects all trace events, user events and the registry. See
 * Documentation/locking.rst.
 *
 * Return: the mutex, or NULL if the kernel has no names of data. A kernel with
 *	   lockdep has them.
 */
static inline struct mutex *event_mutex_lockdep(void)
{
	return unexported_event_mutex;
}

static inline void event_mutex_assert_held(void)
{
	lockdep_assert_held(unexported_event_mutex);
}

/**
 * ue_reader_pause - Lets others have event_mutex
 *
 * A mutex of the kernel is not handed to a waiter that has not run yet. A reader
 * that does not leave the CPU between two holds would take it again.
 */
static inline void ue_reader_pause(void)
{
	usleep_range(20, 100);
}

#if defined(CONFIG_DYNAMIC_EVENTS)
/* A read of dynamic_events holds event_mutex between these two calls. */
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
#elif !defined(EVENT_CALLS_TAKE_MUTEX)
static inline void event_mutex_lock(void)
{
	mutex_lock(unexported_event_mutex);
}

static inline void event_mutex_unlock(void)
{
	mutex_unlock(unexported_event_mutex);
}
#else
/*
 * Before Linux 5.0, trace_add_event_call() and trace_remove_event_call() take
 * event_mutex, which is released around them. All sections of the module also
 * hold this mutex, outside of event_mutex, so only callbacks of the tracing core
 * can run meanwhile. See Documentation/locking.rst.
 */
extern struct mutex ue_registry_mutex;

static inline void event_mutex_lock(void)
{
	mutex_lock(&ue_registry_mutex);
	mutex_lock(unexported_event_mutex);
}

static inline void event_mutex_unlock(void)
{
	mutex_unlock(unexported_event_mutex);
	mutex_unlock(&ue_registry_mutex);
}
#endif

/* Around the functions of the kernel that add and remove events. */
static inline void event_mutex_release(void)
{
	event_mutex_assert_held();
#ifdef EVENT_CALLS_TAKE_MUTEX
	lockdep_assert_held(&ue_registry_mutex);
	mutex_unlock(unexported_event_mutex);
#endif
}

static inline void event_mutex_retake(void)
{
#ifdef EVENT_CALLS_TAKE_MUTEX
	mutex_lock(unexported_event_mutex);
#endif
}

/**
 * tracing_event_add - Adds an event to the tracing core
 * @call: the event
 *
 * Return: 0 or an errno of the kernel.
 */
static inline int tracing_event_add(struct trace_event_call *call)
{
	int ret;

	event_mutex_release();
	ret = static_call(unexported_trace_add_event_call)(call);
	event_mutex_retake();

	return ret;
}

/**
 * tracing_event_remove - Removes an event from the tracing core
 * @call: the event
 *
 * Return: 0, or -EBUSY if a tracer is attached.
 */
static inline int tracing_event_remove(struct trace_event_call *call)
{
	int ret;

	event_mutex_release();
	ret = static_call(unexported_trace_remove_event_call)(call);
	event_mutex_retake();

	return ret;
}

/**
 * mm_put_async - Drops a reference to the memory of a process
 * @mm: the memory
 *
 * Context: Any. The last reference is released by a work item.
 */
static inline void mm_put_async(struct mm_struct *mm)
{
	static_call(unexported_mmput_async)(mm);
}

/**
 * task_work_queue - Queues a function that a task runs before it returns to
 * user space
 * @task: a task that exists; it is interrupted if it runs in user space
 * @work: initialized by init_task_work()
 *
 * Context: Any.
 * Return: 0, or -ESRCH if the task is exiting.
 */
static inline int task_work_queue(struct task_struct *task,
				  struct callback_head *work)
{
	return static_call(unexported_task_work_add)(task, work, TWA_RESUME);
}

#ifdef HAVE_TASK_WORK_CANCEL_MATCH
static inline bool task_work_is(struct callback_head *work, void *data)
{
	return work == data;
}

/**
 * task_work_withdraw - Removes a function that a task has not started to run
 * @task: the task
 * @work: the function; its memory is valid, also if it has run
 *
 * Context: Any.
 * Return: whether it was removed.
 */
static inline bool task_work_withdraw(struct task_struct *task,
				      struct callback_head *work)
{
	return static_call(
		unexported_task_work_cancel_match)(task, task_work_is, work);
}
#else
/**
 * task_work_pop - Removes the function of a kind that was queued last
 * @task: the task
 * @func: the kind
 *
 * Context: Any.
 * Return: what was removed, or NULL.
 */
static inline struct callback_head *task_work_pop(struct task_struct *task,
						  task_work_func_t func)
{
	return static_call(unexported_task_work_cancel)(task, func);
}
#endif

#endif /* USER_EVENTS_INTERNALS_CALL_H */
