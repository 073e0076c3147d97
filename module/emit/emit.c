// SPDX-License-Identifier: GPL-2.0-only
#include "emit/emit.h"

#include "emit/ftrace.h"
#include "enabler/sync.h"
#include "event/group.h"
#include "event/register.h"
#include "event/source.h"
#include "event/user_event.h"
#include "internals/call.h"
#include "limits.h"

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
	ue_sources_update(event);
}

/*
 * Allocates the counters of losses of an event to which a tracer is about to be
 * attached. Most events never have a tracer, and the counters of a CPU have eleven
 * times the size of those of hits.
 *
 * Not charged: a cgroup at its limit would make all users of tracing wait. Without
 * memory, losses are not counted until another tracer is attached: the kernel would
 * keep a trigger whose event could not be enabled, without an error.
 */
static void provide_counters(struct user_event *event)
{
	struct user_event_losses __percpu *losses;

	event_mutex_assert_held();

	if (event->losses)
		return;

	losses = alloc_percpu_gfp(struct user_event_losses,
				  GFP_KERNEL | __GFP_NOWARN);
	/*
	 * Writers that see the counters see zeros in them. Not one expression:
	 * the barrier of some architectures comes before the value is computed.
	 */
	smp_store_release(&event->losses, losses);
}

static int ftrace_attach(struct user_event *event,
			 struct trace_event_file *file)
{
	int ret = ue_ftrace_attach(event, file);

	if (ret)
		return ret;

	provide_counters(event);
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

#ifdef CONFIG_PERF_EVENTS
static int perf_attach(struct user_event *event)
{
	provide_counters(event);
	user_event_get(event);
	set_status(event, EVENT_STATUS_PERF, true);
	return 0;
}
#endif

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
		return perf_attach(event);
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

/**
 * user_event_emit_reported - user_event_emit() for a writer that asks what came
 *			      of it
 * @event: the event
 * @record: as for user_event_emit()
 * @tracers: those of user_event_tracers() that get it
 *
 * Context: In the emit section of user_event_tracers().
 * Return: 0; or, if no tracer has taken the record,
 *	   -E2BIG: it is too large;
 *	   -ENOSPC: the buffers have no room, or are off;
 *	   -EBADF: the last trace instance was detached meanwhile.
 */
int user_event_emit_reported(struct user_event *event,
			     struct event_record record, u8 tracers)
{
	unsigned int outcome = user_event_emit(event, record, tracers);

	if (outcome & RECORD_TAKEN)
		return 0;

	if (outcome & BIT(LOSS_FTRACE_BUFFER))
		return -ENOSPC;

	if (outcome & (BIT(LOSS_FTRACE_TOO_LARGE) | BIT(LOSS_PERF_TOO_LARGE)))
		return -E2BIG;

	/* A tracer that does not want the record is no reason. */
	return outcome & BIT(LOSS_FTRACE_DETACHED) ? -EBADF : 0;
}
