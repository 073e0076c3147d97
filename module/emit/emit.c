// SPDX-License-Identifier: GPL-2.0-only
#include "emit/emit.h"

#include <linux/percpu.h>

#include "compat/emit_section.h"
#include "emit/ftrace.h"
#include "emit/perf.h"
#include "enabler/sync.h"
#include "event/group.h"
#include "event/register.h"
#include "event/user_event.h"
#include "internals/call.h"

static void set_status(struct user_event *event, u8 tracer, bool on)
{
	bool was_enabled = user_event_is_enabled(event);
	u8 status = event->status;

	event_mutex_assert_held();

	status = on ? status | tracer : status & ~tracer;

	/*
	 * Pairs with user_event_emit(): what the listener needs, among it the
	 * list of perf events, is there before it is announced. What it needed
	 * goes only after every section that may have seen it.
	 */
	smp_store_release(&event->status, status);
	if (user_event_is_enabled(event) == was_enabled)
		return;

	ue_group_update_status(event);
	ue_enablers_update(event);
}

static int ftrace_attach(struct user_event *event,
			 struct trace_event_file *file)
{
	int ret;

	ret = ue_ftrace_attach(event, file);
	if (ret)
		return ret;

	user_event_get(event);
	set_status(event, EVENT_STATUS_FTRACE, true);
	return 0;
}

static void ftrace_detach(struct user_event *event,
			  struct trace_event_file *file)
{
	ue_ftrace_detach(event, file);
	set_status(event, EVENT_STATUS_FTRACE, !list_empty(&event->files));
	user_event_release_later(event);
}

/**
 * ue_tracer_reg - The tracing core begins or ends to listen to an event
 * @call: the event
 * @type: what happens; perf registers once for all its users
 * @data: with ftrace the struct trace_event_file of the instance
 *
 * Registering and unregistering is done under the tracing mutex.
 *
 * Return: 0 or -ENOMEM; nothing has changed then.
 */
int ue_tracer_reg(struct trace_event_call *call, enum trace_reg type,
		  void *data)
{
	struct user_event *event = call->data;

	switch (type) {
	case TRACE_REG_REGISTER:
		return ftrace_attach(event, data);
	case TRACE_REG_UNREGISTER:
		ftrace_detach(event, data);
		return 0;
#ifdef CONFIG_PERF_EVENTS
	case TRACE_REG_PERF_REGISTER:
		user_event_get(event);
		set_status(event, EVENT_STATUS_PERF, true);
		return 0;
	case TRACE_REG_PERF_UNREGISTER:
		set_status(event, EVENT_STATUS_PERF, false);
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
 * user_event_emit - Offers a record to everybody who listens
 * @event: the event
 * @record: the record, sound
 */
void user_event_emit(struct user_event *event,
		     const struct event_record *record)
{
	emit_section_t section = emit_section_enter();
	u8 status;

	/* Pairs with set_status(). */
	status = smp_load_acquire(&event->status);
	if (status)
		__this_cpu_inc(event->counts->hits);

	if (status & EVENT_STATUS_FTRACE)
		ue_ftrace_emit(event, record);

#ifdef CONFIG_PERF_EVENTS
	if (status & EVENT_STATUS_PERF)
		ue_perf_emit(event, record);
#endif

	emit_section_exit(section);
}
