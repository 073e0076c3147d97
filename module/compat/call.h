/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the module uses of the kernel's unexported symbols, under names that
 * say what is done.
 */
#ifndef USER_EVENTS_COMPAT_CALL_H
#define USER_EVENTS_COMPAT_CALL_H

#include <linux/lockdep.h>

#include "dyn_event.h"
#include "resolve.h"

/*
 * The kernel's event_mutex: it protects every trace event, and with it every
 * user event and the registry that holds them. See Documentation/locking.rst.
 */
static inline struct mutex *tracing_mutex(void)
{
	return borrowed_event_mutex;
}

static inline void tracing_lock(void)
{
	mutex_lock(borrowed_event_mutex);
}

static inline void tracing_unlock(void)
{
	mutex_unlock(borrowed_event_mutex);
}

static inline void tracing_assert_held(void)
{
	lockdep_assert_held(borrowed_event_mutex);
}

/**
 * dyn_event_add - Puts an entry at the end of dynamic_events
 * @ev: the entry
 * @ops: its kind
 */
static inline void dyn_event_add(struct dyn_event *ev,
				 struct dyn_event_operations *ops)
{
	tracing_assert_held();

	ev->ops = ops;
	list_add_tail(&ev->list, borrowed_dyn_event_list);
}

/**
 * dyn_event_remove - Takes an entry out of dynamic_events
 * @ev: the entry
 */
static inline void dyn_event_remove(struct dyn_event *ev)
{
	tracing_assert_held();

	list_del_init(&ev->list);
}

/**
 * dyn_event_ops_add - Lets dynamic_events create events of a new kind
 * @ops: the kind
 */
static inline void dyn_event_ops_add(struct dyn_event_operations *ops)
{
	mutex_lock(borrowed_dyn_event_ops_mutex);
	list_add_tail(&ops->list, borrowed_dyn_event_ops_list);
	mutex_unlock(borrowed_dyn_event_ops_mutex);
}

/**
 * dyn_event_ops_remove - Takes a kind out of dynamic_events again
 * @ops: the kind; none of its events is left
 *
 * When it returns, no callback of @ops runs or will run: create() is called
 * entirely under the first mutex, the others under the second.
 */
static inline void dyn_event_ops_remove(struct dyn_event_operations *ops)
{
	mutex_lock(borrowed_dyn_event_ops_mutex);
	list_del(&ops->list);
	mutex_unlock(borrowed_dyn_event_ops_mutex);

	tracing_lock();
	tracing_unlock();
}

#endif /* USER_EVENTS_COMPAT_CALL_H */
