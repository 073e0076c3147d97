// SPDX-License-Identifier: GPL-2.0-only
#include "event/trace_call.h"

#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/perf_event.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>

#include "common.h"
#include "compat/trace_event.h"
#include "event/user_event.h"
#include "format/print_fmt.h"
#include "internals/call.h"
#include "internals/dynamic_events.h"
#include "internals/event_files.h"
#include "limits.h"

/* Not const: the kernel fills in missing members. */
static struct trace_event_functions print_functions;

/* Called when a tracer attaches to or detaches from an event. */
static int (*reg_function)(struct trace_event_call *call, enum trace_reg type,
			   void *data);

/*
 * Credentials of root, set once by ue_trace_call_init(). A process that can
 * open user_events_data can create events even if it has no access to the rest
 * of tracefs, so directories are created and removed with these.
 */
static const struct cred *root_cred;

/**
 * ue_trace_call_init - Prepares to add events to the tracing core
 * @reg: attaches and detaches tracers
 * @print: prints a record
 *
 * Return: 0 or -ENOMEM. ue_trace_call_exit() undoes it.
 */
int ue_trace_call_init(int (*reg)(struct trace_event_call *call,
				  enum trace_reg type, void *data),
		       trace_print_func print)
{
	BUILD_BUG_ON(sizeof(struct trace_entry) != USER_EVENT_HEADER_SIZE);

	reg_function = reg;
	print_functions.trace = print;

	root_cred = prepare_kernel_cred(&init_task);
	return root_cred ? 0 : -ENOMEM;
}

/**
 * ue_trace_call_exit - Undoes ue_trace_call_init()
 */
void ue_trace_call_exit(void)
{
	put_cred(root_cred);
}

/**
 * ue_trace_call_cred - Returns the credentials of root
 */
const struct cred *ue_trace_call_cred(void)
{
	return root_cred;
}

#ifndef EVENT_CALLS_TAKE_MUTEX
#define attach_tracer reg_function
#else
/*
 * While an event is removed, event_mutex is released, see call.h. No tracer may
 * attach then. While it is added, one may: the kernel has counted it before, and
 * would take the next attempt for a second tracer, which needs no callback.
 */
static int attach_tracer(struct trace_event_call *call, enum trace_reg type,
			 void *data)
{
	const struct user_event *event = call->data;

	if (event->is_removing &&
	    (type == TRACE_REG_REGISTER || type == TRACE_REG_PERF_REGISTER))
		return -ENODEV;

	return reg_function(call, type, data);
}
#endif

/*
 * The tracing core calls this after it has created the directory of the event
 * and defined all fields before this one. It reports a failure of either only
 * by not calling this.
 */
static int fields_are_defined(struct trace_event_call *call)
{
	struct user_event *event = call->data;

	event->is_visible = true;
	return 0;
}

/* The members are const, so an element is written as a whole. */
static void set_field(struct trace_event_fields *to,
		      const struct event_field *field, char *room)
{
	bool is_rel_loc = field->kind->class == FIELD_REL_LOC;
	const struct trace_event_fields value = {
		.type = field_type_text(field->type, field->len, room),
		.name = field->name,
		.size = field->size,
		.align = 1,
		.is_signed = ue_field_type_is_signed(field->type),
		/* With FILTER_OTHER the tracing core decides by the type. */
		.filter_type = is_rel_loc ? FILTER_REL_LOC : FILTER_OTHER,
		FIELD_LEN(field->len)
	};

	memcpy(to, &value, sizeof(value));
}

/**
 * ue_trace_call_prepare - Allocates the fields and texts for the tracing core
 * @event: the event, which owns the allocation
 *
 * Context: May sleep. Charged to the caller's memory cgroup.
 * Return: 0 or -ENOMEM.
 */
int ue_trace_call_prepare(struct user_event *event)
{
	const struct trace_event_fields last = {
		.type = TRACE_FUNCTION_TYPE,
		.define_fields = fields_are_defined,
	};
	const struct event_desc *desc = event->desc;
	u32 count = desc->nr_fields, i;
	struct trace_event_fields *fields;
	size_t size = ue_desc_print_fmt(desc, NULL, 0) + 1;
	char *texts, *print_fmt;

	/*
	 * One for @last, an empty one that terminates the array, and the texts.
	 */
	fields = kvmalloc((count + 2) * sizeof(*fields) +
				  count * FIELD_TYPE_ROOM + size,
			  GFP_KERNEL_ACCOUNT);
	if (!fields)
		return -ENOMEM;

	texts = (char *)&fields[count + 2];
	for (i = 0; i < count; i++)
		set_field(&fields[i], &desc->fields[i],
			  texts + i * FIELD_TYPE_ROOM);
	memcpy(&fields[count], &last, sizeof(last));
	memset(&fields[count + 1], 0, sizeof(*fields));

	print_fmt = texts + count * FIELD_TYPE_ROOM;
	ue_desc_print_fmt(desc, print_fmt, size);
	event->call.print_fmt = print_fmt;
	trace_event_class_set_fields(&event->class, fields);
	return 0;
}

#ifdef CONFIG_PERF_EVENTS
/*
 * The kernel lets any user count most events, which enables a user event in all
 * processes. It checks the permission for records itself, and calls this for
 * perf events that a process inherits, too.
 */
static int check_perf(struct trace_event_call *call, struct perf_event *perf)
{
	const struct user_event *event = call->data;

	event_mutex_assert_held();

	return perf->parent || perf->attr.sample_type & PERF_SAMPLE_RAW ||
			       ue_rights_permit(&event->rights, RIGHT_PERF)
		       ? 0
		       : -EACCES;
}
#endif

static void fill_in(struct user_event *event)
{
	struct trace_event_class *class = &event->class;
	struct trace_event_call *call = &event->call;

	INIT_LIST_HEAD(&class->fields);
	class->system = user_event_system(event);
	class->reg = attach_tracer;

	call->class = class;
	call->tp = &event->tracepoint;
	call->event.funcs = &print_functions;
	/* Set DYNAMIC before adding: the core then counts references. */
	call->flags = TRACE_EVENT_FL_TRACEPOINT | TRACE_EVENT_FL_DYNAMIC;
	call->data = event;
#ifdef CONFIG_PERF_EVENTS
	call->perf_perm = check_perf;
#endif
}

static int add_call(struct user_event *event)
{
	const struct cred *caller = override_creds(root_cred);
	int ret;

	ret = tracing_event_add(&event->call);
	revert_creds(caller);
	return ret;
}

/**
 * ue_trace_call_add - Adds an event to the tracing core
 * @event: the event, after ue_trace_call_prepare()
 *
 * Tracers can find the event from here on.
 *
 * Context: Under event_mutex. Takes locks of the tracing core.
 * Return: 0;
 *	   -EADDRINUSE: a dynamic event of another type has the name;
 *	   -ENODEV: the kernel has no event number left;
 *	   -ENOMEM: also if the files of the event were not created. On error
 *		    the event is not visible.
 */
int ue_trace_call_add(struct user_event *event)
{
	int ret;

	event_mutex_assert_held();

	if (ue_dynamic_events_have(user_event_system(event),
				   user_event_name(event)))
		return -EADDRINUSE;

	fill_in(event);
	if (!register_trace_event(&event->call.event))
		return -ENODEV;

	ret = add_call(event);
	if (ret) {
		unregister_trace_event(&event->call.event);
		return ret;
	}

	/* It stays as it is if a task is opening a file and cannot be helped. */
	if ((!event->is_visible || !ue_event_files_are_whole(&event->call)) &&
	    !ue_trace_call_remove(event))
		return -ENOMEM;

	return 0;
}

/**
 * ue_trace_call_remove - Removes an event from the tracing core
 * @event: an event without tracers
 *
 * On success the tracing core has no reference to the event, and no record of
 * it is being printed.
 *
 * Context: Under event_mutex. Takes locks of the tracing core.
 * Return: 0, or -EBUSY if a tracer is attached, or as
 *	   ue_event_files_are_opened(); then nothing has changed.
 */
int ue_trace_call_remove(struct user_event *event)
{
	const struct cred *caller;
	int ret;

	event_mutex_assert_held();

	if (event->status)
		return -EBUSY;

	ret = ue_event_files_close(&event->call);
	if (ret)
		return ret;

	event->is_removing = true;
	caller = override_creds(root_cred);
	ret = tracing_event_remove(&event->call);
	revert_creds(caller);
	event->is_removing = !ret;

	ue_event_files_removed(&event->call, !ret);
	return ret;
}
