/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An event that processes write and tracers record.
 */
#ifndef USER_EVENTS_EVENT_USER_EVENT_H
#define USER_EVENTS_EVENT_USER_EVENT_H

#include <linux/kernel.h>
#include <linux/rbtree.h>
#ifdef HAVE_KFUNC_SETS
#include <linux/rbtree_latch.h>
#endif
#include <linux/refcount.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint-defs.h>
#include <linux/types.h>

#include "common.h"
#include "event/counts.h"
#include "event/rights.h"
#include "format/fields.h"
#include "internals/dynamic_events.h"

struct user_event_group;
struct user_quota;

/* Tracers that are attached to an event. */
#define EVENT_STATUS_FTRACE BIT(0)
#define EVENT_STATUS_PERF BIT(1)

/**
 * struct user_event - one event
 * @desc: name and fields; constant, owned
 * @files: the struct ftrace_tracer of each trace instance in which the event is
 *	   enabled; RCU list, changed under event_mutex
 * @enablers: the enablers of this event in all processes, under event_mutex
 * @counts: per-CPU counters for user_events_profile
 * @counts_block: the block that has the counters
 * @losses: per-CPU counters of losses, NULL until a tracer is attached; set under
 *	    event_mutex, then constant
 * @users: references: one each of the registry, of every open file that
 *	   registered the event, of every enabler, module and tracer. Taken
 *	   under event_mutex or by the holder of a reference. The event may be
 *	   deleted when only the reference of the registry is left. Never zero
 * @status: EVENT_STATUS_FTRACE and EVENT_STATUS_PERF; written under
 *	    event_mutex, read by writers in an emit section
 * @persistent: the event exists until it is deleted, even without references;
 *		under event_mutex
 * @multi: other events of that name may exist, with different fields
 * @is_visible: the tracing core has created the directory and the fields
 * @is_removing: the event is being removed, under event_mutex unless the kernel
 *		 takes it itself
 * @bit: number of its status bit
 * @rights: its owner, group and mode; under event_mutex
 * @quota: that of the user who created the event
 * @tracepoint: has the name of the event's directory: that of @desc, or an owned
 *		one with @multi; no probe is ever attached to it
 * @call: the event in the tracing core
 * @class: its class, used for this event only; owns the fields for the tracing
 *	   core, and what ue_trace_call_prepare() has put behind them
 * @no_field: read by the kernel in place of the last field of an event without
 *	      fields, see user_event_create()
 * @dyn_event: entry in dynamic_events
 * @group: the registry of the event
 * @node: entry in the names of @group, under event_mutex
 * @name_key: ue_name_key() of the registered name; constant
 * @fields_key: ue_fields_key() of the fields with @multi, else 0; constant
 * @orphan_node: entry in the list of orphans of register.c, under event_mutex
 * @sources: the modules that emit the event, under event_mutex
 * @lookup: entry in the names of lookup.c
 */
struct user_event {
	struct event_desc *desc;
	u8 status;
	bool multi;
	bool persistent;
	bool is_visible;
	u32 bit;
	struct list_head files;
	struct list_head enablers;
	struct user_event_counts __percpu *counts;
	struct user_event_losses __percpu *losses;

	refcount_t users;
	struct event_rights rights;
	bool is_removing;
	struct counts_block *counts_block;
	struct user_quota *quota;

	struct tracepoint tracepoint;
	struct trace_event_call call;
	struct trace_event_class class;
	u32 no_field[8];

	struct dyn_event dyn_event;
	struct user_event_group *group;
	struct rb_node node;
	u32 name_key;
	u32 fields_key;
	struct list_head orphan_node;
	struct list_head sources;
#ifdef HAVE_KFUNC_SETS
	struct latch_tree_node lookup;
#endif
};

struct user_event *user_event_create(struct event_desc *desc, const char *name);
void user_event_free(struct user_event *event);
struct user_event *user_event_get(struct user_event *event);
void user_event_put(struct user_event *event);
bool user_event_put_unless_last(struct user_event *event);
bool user_event_is_idle(const struct user_event *event);
bool user_event_is_busy(const struct user_event *event);
bool user_event_may_delete(const struct user_event *event);
u64 user_event_losses_of(const struct user_event *event, int cpu,
			 enum event_loss loss);

/* Tells whether a tracer is attached. It can change unless event_mutex is held. */
static inline bool user_event_is_enabled(const struct user_event *event)
{
	return READ_ONCE(event->status);
}

/**
 * user_event_count_loss - Counts a record that a tracer did not get
 * @event: the event
 * @loss: the reason
 *
 * Context: Any. Before the first tracer is attached, nothing is counted.
 * Return: the bit of @loss.
 */
static inline unsigned int user_event_count_loss(const struct user_event *event,
						 enum event_loss loss)
{
	/* Pairs with provide_counters(), by an address dependency. */
	struct user_event_losses __percpu *losses = READ_ONCE(event->losses);

	if (losses)
		this_cpu_inc(losses->count[loss]);

	return BIT(loss);
}

/* The name of the event's directory. */
static inline const char *user_event_name(const struct user_event *event)
{
	return event->tracepoint.name;
}

/* The name under which the event was registered. */
static inline const char *user_event_reg_name(const struct user_event *event)
{
	return event->desc->name;
}

/* Tells whether the event was registered under this name. */
static inline bool user_event_is_named(const struct user_event *event,
				       const char *name)
{
	return !strcmp(user_event_reg_name(event), name);
}

/* The directory below events/ that has the event's directory. */
static inline const char *user_event_system(const struct user_event *event)
{
	return event->multi ? USER_EVENTS_MULTI_SYSTEM : USER_EVENTS_SYSTEM;
}

#endif /* USER_EVENTS_EVENT_USER_EVENT_H */
