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
 * Allocates the counters of losses, and of records of the kernel, of an event to
 * which a tracer is about to be attached. Most events never have a tracer, and the
 * counters of a CPU have more than twenty times the size of those of hits.
 *
 * Not charged: a cgroup at its limit would make all users of tracing wait. Without
 * memory, losses are not counted until another tracer is attached: the kernel would
 * keep a trigger whose event could not be enabled, without an error.
 */
static void provide_counters(struct user_event *event)
{
	const gfp_t gfp = GFP_KERNEL | __GFP_NOWARN;
	struct user_event_kernel_counts __percpu *kernel_counts;
	struct user_event_losses __percpu *losses;

	event_mutex_assert_held();

	if (!event->losses) {
		losses = alloc_percpu_gfp(struct user_event_losses, gfp);
		/* Writers that see the counters see zeros in them. */
		smp_store_release(&event->losses, losses);
	}
	if (!event->kernel_counts) {
		kernel_counts =
			alloc_percpu_gfp(struct user_event_kernel_counts, gfp);
		/* The same for modules and BPF programs */
		smp_store_release(&event->kernel_counts, kernel_counts);
	}
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

/*
 * Tells why no tracer has taken a record since @before. Those that do not want it
 * are no reason.
 */
static int loss_error(const struct user_event *event,
		      const struct user_event_losses *before)
{
	const struct user_event_losses now = user_event_losses_here(event);
	const u64 *old = before->count, *new = now.count;

	if (new[LOSS_FTRACE_BUFFER] != old[LOSS_FTRACE_BUFFER])
		return -ENOSPC;

	if (new[LOSS_FTRACE_TOO_LARGE] != old[LOSS_FTRACE_TOO_LARGE] ||
	    new[LOSS_PERF_TOO_LARGE] != old[LOSS_PERF_TOO_LARGE])
		return -E2BIG;

	return new[LOSS_FTRACE_DETACHED] != old[LOSS_FTRACE_DETACHED] ? -EBADF
								      : 0;
}

#ifdef CONFIG_PERF_EVENTS
/* Tells whether perf, or BPF, has taken a record. */
static bool perf_emit_reported(struct user_event *event,
			       struct event_record record)
{
	const struct user_event_losses before = user_event_losses_here(event);
	struct user_event_losses after;

	ue_perf_emit(event, record);
	after = user_event_losses_here(event);

	return ue_losses_total(&after) == ue_losses_total(&before);
}
#endif

/**
 * user_event_emit_reported - user_event_emit() for a writer that asks what came
 *			      of it
 * @event: the event
 * @record: the record, validated
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
	const struct user_event_losses before = user_event_losses_here(event);
	bool is_taken = false;

	__this_cpu_inc(event->counts->hits);

	if (tracers & EVENT_STATUS_FTRACE)
		is_taken = ue_ftrace_emit_reported(event, record);

#ifdef CONFIG_PERF_EVENTS
	if (tracers & EVENT_STATUS_PERF && perf_emit_reported(event, record))
		is_taken = true;
#endif

	return is_taken ? 0 : loss_error(event, &before);
}

/**
 * user_event_emit_too_large - Counts a record that is too large for all tracers
 * @event: the event
 * @tracers: those of user_event_tracers()
 *
 * Context: In the emit section of user_event_tracers().
 * Return: as user_event_emit_reported().
 */
int user_event_emit_too_large(struct user_event *event, u8 tracers)
{
	const struct event_record record = { .len = USER_EVENT_RECORD_MAX + 1 };
	const struct user_event_losses before = user_event_losses_here(event);

	__this_cpu_inc(event->counts->hits);

	if (tracers & EVENT_STATUS_FTRACE)
		ue_ftrace_too_large(event);

#ifdef CONFIG_PERF_EVENTS
	if (tracers & EVENT_STATUS_PERF)
		ue_perf_emit(event, record);
#endif

	return loss_error(event, &before);
}
