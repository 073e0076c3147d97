// SPDX-License-Identifier: GPL-2.0-only
#include "emit/emit.h"

#include <linux/percpu.h>

#include "compat/probe_section.h"
#include "emit/ftrace.h"
#include "emit/perf.h"
#include "enabler/sync.h"
#include "event/group.h"
#include "event/register.h"
#include "event/user_event.h"
#include "internals/call.h"

static void set_listener(struct user_event *event, u8 listener, bool on)
{
	bool was_enabled = user_event_is_enabled(event);
	u8 listeners = event->listeners;

	tracing_assert_held();

	listeners = on ? listeners | listener : listeners & ~listener;

	/*
	 * Pairs with probe_record(): what the listener needs, among it the
	 * list of perf events, is there before it is announced. What it needed
	 * goes only after every section that may have seen it.
	 */
	smp_store_release(&event->listeners, listeners);
	if (user_event_is_enabled(event) == was_enabled)
		return;

	group_update_status(event);
	enablers_update(event);
}

static int ftrace_register(struct user_event *event,
			   struct trace_event_file *file)
{
	int ret;

	ret = probe_ftrace_add(event, file);
	if (ret)
		return ret;

	user_event_get(event);
	set_listener(event, USER_EVENT_FTRACE, true);
	return 0;
}

static void ftrace_unregister(struct user_event *event,
			      struct trace_event_file *file)
{
	probe_ftrace_remove(event, file);
	set_listener(event, USER_EVENT_FTRACE, !list_empty(&event->files));
	user_event_release_later(event);
}

/**
 * probe_reg - The tracing core begins or ends to listen to an event
 * @call: the event
 * @type: what happens; perf registers once for all its users
 * @data: with ftrace the struct trace_event_file of the instance
 *
 * Registering and unregistering is done under the tracing mutex.
 *
 * Return: 0 or -ENOMEM; nothing has changed then.
 */
int probe_reg(struct trace_event_call *call, enum trace_reg type, void *data)
{
	struct user_event *event = call->data;

	switch (type) {
	case TRACE_REG_REGISTER:
		return ftrace_register(event, data);
	case TRACE_REG_UNREGISTER:
		ftrace_unregister(event, data);
		return 0;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		user_event_get(event);
		set_listener(event, USER_EVENT_PERF, true);
		return 0;
	case TRACE_REG_PERF_UNREGISTER:
		set_listener(event, USER_EVENT_PERF, false);
		user_event_release_later(event);
		return 0;
#endif
	default:
		/*
		 * Single perf events come and go, also when tasks are switched
		 * and without the mutex; nothing here depends on them.
		 */
		return 0;
	}
}

/**
 * probe_record - Offers a record to everybody who listens
 * @event: the event
 * @record: the record, sound
 */
void probe_record(struct user_event *event, const struct event_record *record)
{
	probe_section_t section = probe_section_begin();
	u8 listeners;

	/* Pairs with set_listener(). */
	listeners = smp_load_acquire(&event->listeners);
	if (listeners)
		__this_cpu_inc(event->counts->hits);

	if (listeners & USER_EVENT_FTRACE)
		probe_ftrace_record(event, record);

#ifdef CONFIG_PERF_EVENTS
	if (listeners & USER_EVENT_PERF)
		probe_perf_record(event, record);
#endif

	probe_section_end(section);
}
