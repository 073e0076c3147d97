// SPDX-License-Identifier: GPL-2.0-only
#include "emit/emit.h"

#include "emit/ftrace.h"
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
	 * Pairs with user_event_emit(): the data of a tracer, such as the list
	 * of perf events, is complete before its bit is set. It is released
	 * only after all emit sections that may have seen the bit.
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
	/*
	 * The status first: a record that no instance gets is not counted, and
	 * its write fails.
	 */
	set_status(event, EVENT_STATUS_FTRACE,
		   !list_is_singular(&event->files));
	ue_ftrace_detach(event, file);
	user_event_release_later(event);
}

/**
 * ue_tracer_reg - Attaches a tracer to an event or detaches it
 * @call: the event
 * @type: the operation; perf registers once for all its perf events
 * @data: the struct trace_event_file of the instance, for ftrace
 *
 * Context: Called by the tracing core, under event_mutex for the operations
 *	    handled here.
 * Return: 0 or -ENOMEM; on error nothing has changed.
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
		 * Perf events are added and removed without event_mutex, also
		 * when tasks are switched. No state here depends on them.
		 */
		return 0;
	}
}
