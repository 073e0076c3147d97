// SPDX-License-Identifier: GPL-2.0-only
#include "event/user_event.h"

#include <linux/build_bug.h>
#include <linux/capability.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/trace_event.h"
#include "format/print_fmt.h"
#include "internals/event_field.h"
#include "limits.h"

/* Where the kernel would read the last field of an event without any. */
#define NO_FIELD_AT                              \
	(offsetof(struct user_event, no_field) - \
	 offsetof(struct user_event, class.fields))

static_assert(EVENT_FIELD_OFFSET >= NO_FIELD_AT);
static_assert(EVENT_FIELD_SIZE + sizeof(int) <=
	      NO_FIELD_AT + sizeof_field(struct user_event, no_field));

static int alloc_parts(struct user_event *event)
{
	event->counts =
		alloc_percpu_gfp(struct user_event_counts, GFP_KERNEL_ACCOUNT);
	event->text = ue_desc_text(event->desc);
	event->call.print_fmt = ue_desc_print_fmt(event->desc);

	if (!event->counts || !event->text || !event->call.print_fmt)
		return -ENOMEM;

	return 0;
}

/**
 * user_event_create - Makes an event that nobody knows of yet
 * @desc: name and fields; belongs to the event on success
 * @name: name of one of several formats, belongs to the event on success; else
 *	  NULL
 *
 * The event holds a reference to the module for as long as it exists: what the
 * tracing core keeps of it ends in this module's code.
 *
 * Return: an event with one user, to be released with user_event_free();
 *	   ERR_PTR(-ENOMEM);
 *	   ERR_PTR(-ENODEV) if the module is being unloaded.
 */
struct user_event *user_event_create(struct event_desc *desc, const char *name)
{
	struct user_event *event;
	int ret;

	if (!try_module_get(THIS_MODULE))
		return ERR_PTR(-ENODEV);

	event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);
	if (!event) {
		module_put(THIS_MODULE);
		return ERR_PTR(-ENOMEM);
	}

	event->desc = desc;
	event->multi = name;
	event->name = name ?: desc->name;
	ret = alloc_parts(event);
	if (ret) {
		event->desc = NULL;
		event->multi = false;
		user_event_free(event);
		return ERR_PTR(ret);
	}

	INIT_LIST_HEAD(&event->files);
	INIT_LIST_HEAD(&event->enablers);
	INIT_LIST_HEAD(&event->orphan_node);
	refcount_set(&event->users, 1);
	event->creator = current_euid();

	/*
	 * To find the end of an event the kernel adds offset and size of its
	 * last field, and does so even if there is none; then it reads here,
	 * just behind the head of the list. The sum is that of the header.
	 */
	memset32(event->no_field, USER_EVENT_HEADER_SIZE / 2,
		 ARRAY_SIZE(event->no_field));

	return event;
}

/**
 * user_event_free - Releases an event that nobody knows of any more
 * @event: the event; the tracing core and the registry have let go of it
 */
void user_event_free(struct user_event *event)
{
	if (event->multi)
		kfree(event->name);
	ue_desc_free(event->desc);
	free_percpu(event->counts);
	kvfree(event->fields_array);
	kfree(event->text);
	kfree(event->call.print_fmt);
	kfree(event);
	module_put(THIS_MODULE);
}

/**
 * user_event_get - Adds a user
 * @event: an event found under the tracing mutex, or one that has a user
 *
 * Return: @event.
 */
struct user_event *user_event_get(struct user_event *event)
{
	refcount_inc(&event->users);
	return event;
}

/**
 * user_event_put - Takes a user away
 * @event: what user_event_get() returned; may be gone when this returns, since
 *	   it can be deleted as soon as the registry is its only user
 */
void user_event_put(struct user_event *event)
{
	refcount_dec(&event->users);
}

/**
 * user_event_is_idle - Is the registry alone left?
 * @event: an event under the tracing mutex
 */
bool user_event_is_idle(const struct user_event *event)
{
	return refcount_read(&event->users) == 1;
}

/**
 * user_event_is_busy - Does anything but the registry need the event?
 * @event: an event under the tracing mutex
 *
 * The second count is kept by the kernel for what it builds on the event
 * without listening to it, such as a disabled event probe.
 */
bool user_event_is_busy(const struct user_event *event)
{
	if (!user_event_is_idle(event))
		return true;

	/*
	 * Whoever was a user may have had no lock when it ceased to be one:
	 * pairs with the release of user_event_put().
	 */
	smp_acquire__after_ctrl_dep();

	return trace_event_refs(&event->call);
}

/**
 * user_event_may_delete - Is the caller allowed to delete the event?
 * @event: the event
 */
bool user_event_may_delete(const struct user_event *event)
{
	return uid_eq(current_euid(), event->creator) || perfmon_capable();
}

/**
 * user_event_count_lost - Counts a record that is too large for a tracer
 * @event: the event
 */
void user_event_count_lost(struct user_event *event)
{
	this_cpu_inc(event->counts->lost);
}

/**
 * user_event_sum - Adds the counts of all CPUs up
 * @event: the event
 */
struct user_event_counts user_event_sum(const struct user_event *event)
{
	struct user_event_counts sum = {};
	struct user_event_counts *counts;
	int cpu;

	for_each_possible_cpu(cpu) {
		counts = per_cpu_ptr(event->counts, cpu);
		sum.hits += READ_ONCE(counts->hits);
		sum.lost += READ_ONCE(counts->lost);
	}

	return sum;
}
