// SPDX-License-Identifier: GPL-2.0-only
#include "event/user_event.h"

#include <linux/build_bug.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/capability.h"
#include "compat/trace_event.h"
#include "event/quota.h"
#include "internals/event_field.h"
#include "limits.h"

/*
 * Offset at which the kernel reads the last field of an event without fields.
 */
#define NO_FIELD_AT                              \
	(offsetof(struct user_event, no_field) - \
	 offsetof(struct user_event, class.fields))

static_assert(EVENT_FIELD_OFFSET >= NO_FIELD_AT);
static_assert(EVENT_FIELD_SIZE + sizeof(int) <=
	      NO_FIELD_AT + sizeof_field(struct user_event, no_field));

static int alloc_parts(struct user_event *event)
{
	event->counts = ue_counts_get(&event->counts_block);
	event->quota = ue_quota_get();

	return event->counts && event->quota ? 0 : -ENOMEM;
}

/**
 * user_event_create - Allocates an event
 * @desc: name and fields
 * @name: name of an event with REGISTER_MULTI, from kmalloc(); else NULL
 *
 * The event owns both, which are freed on failure, too. It holds a reference to
 * the module, because the tracing core calls code of the module for it.
 *
 * Return: an event with one reference, to be released with user_event_free();
 *	   ERR_PTR(-ENOMEM);
 *	   ERR_PTR(-ENODEV) if the module is being unloaded.
 */
struct user_event *user_event_create(struct event_desc *desc, const char *name)
{
	struct user_event *event = kzalloc(sizeof(*event), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!event || !try_module_get(THIS_MODULE)) {
		ret = event ? -ENODEV : -ENOMEM;
		kfree(event);
		kfree(name);
		ue_desc_free(desc);
		return ERR_PTR(ret);
	}

	event->desc = desc;
	event->multi = name;
	event->name_key = desc->name_key;
	event->tracepoint.name = name ?: desc->name;
	ret = alloc_parts(event);
	if (ret) {
		user_event_free(event);
		return ERR_PTR(ret);
	}

	INIT_LIST_HEAD(&event->files);
	INIT_LIST_HEAD(&event->enablers);
	INIT_LIST_HEAD(&event->sources);
	INIT_LIST_HEAD(&event->orphan_node);
	refcount_set(&event->users, 1);
	ue_rights_init(&event->rights);

	/*
	 * The kernel computes the end of an event as the sum of offset and size
	 * of its last field. Without fields it takes the list head for a field
	 * and reads these words behind it. Their sum is the size of the header.
	 */
	memset32(event->no_field, USER_EVENT_HEADER_SIZE / 2,
		 ARRAY_SIZE(event->no_field));

	return event;
}

/**
 * user_event_free - Frees an event
 * @event: an event that is neither in the registry nor in the tracing core
 */
void user_event_free(struct user_event *event)
{
	if (event->multi)
		kfree(event->tracepoint.name);
	ue_desc_free(event->desc);
	ue_counts_put(event->counts_block, event->counts);
	free_percpu(event->losses);
	ue_quota_put(event->quota);
	kvfree(trace_event_class_fields(&event->class));
	kfree(event);
	module_put(THIS_MODULE);
}

/**
 * user_event_get - Takes a reference
 * @event: an event found under event_mutex, or with a reference
 *
 * Return: @event.
 */
struct user_event *user_event_get(struct user_event *event)
{
	refcount_inc(&event->users);
	return event;
}

/**
 * user_event_put - Drops a reference
 * @event: the event; it may be freed at any time afterwards, since only the
 *	   reference of the registry may be left
 */
void user_event_put(struct user_event *event)
{
	refcount_dec(&event->users);
}

/**
 * user_event_put_unless_last - Drops a reference if another one remains
 * @event: the event, with a reference of the caller
 *
 * Context: Any; takes no lock.
 * Return: false if only the registry had another reference. Nothing is dropped
 *	   then, and the caller needs event_mutex.
 */
bool user_event_put_unless_last(struct user_event *event)
{
	return atomic_add_unless(&event->users.refs, -1, 2);
}

/**
 * user_event_is_idle - Tells whether only the registry has a reference
 * @event: an event, under event_mutex
 */
bool user_event_is_idle(const struct user_event *event)
{
	return refcount_read(&event->users) == 1;
}

/**
 * user_event_is_busy - Tells whether the event is in use
 * @event: an event, under event_mutex
 *
 * An event is also in use if the kernel counts a reference without an attached
 * tracer, for example for a disabled event probe.
 */
bool user_event_is_busy(const struct user_event *event)
{
	if (!user_event_is_idle(event))
		return true;

	/* user_event_put() needs no lock: pairs with its release. */
	smp_acquire__after_ctrl_dep();

	return trace_event_refs(&event->call);
}

/**
 * user_event_may_delete - Tells whether the caller may delete the event
 * @event: the event, under event_mutex
 *
 * A user who may delete it may also make it persist.
 */
bool user_event_may_delete(const struct user_event *event)
{
	return uid_eq(current_euid(), event->rights.uid) || perfmon_capable();
}

/**
 * user_event_losses_of - Returns the losses of a CPU
 * @event: the event, under event_mutex
 * @cpu: the CPU
 * @loss: the reason
 */
u64 user_event_losses_of(const struct user_event *event, int cpu,
			 enum event_loss loss)
{
	return event->losses
		       ? READ_ONCE(per_cpu_ptr(event->losses, cpu)->count[loss])
		       : 0;
}
