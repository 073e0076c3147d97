/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The object: one event that processes write and readers listen to.
 */
#ifndef USER_EVENTS_EVENT_USER_EVENT_H
#define USER_EVENTS_EVENT_USER_EVENT_H

#include <linux/cred.h>
#include <linux/refcount.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/trace_events.h>
#include <linux/tracepoint-defs.h>
#include <linux/types.h>

#include "common.h"
#include "format/fields.h"
#include "internals/dynamic_events.h"

struct user_event_group;

/* Who listens to an event. */
#define EVENT_STATUS_FTRACE BIT(0)
#define EVENT_STATUS_PERF BIT(1)

/**
 * struct user_event_counts - what became of the records of an event
 * @hits: records that were offered to readers
 * @lost: times a reader could not be given a record because it was too large
 */
struct user_event_counts {
	u64 hits;
	u64 lost;
};

/**
 * struct user_event - one event
 * @desc: name and fields; never changes, owned
 * @status: EVENT_STATUS_FTRACE and EVENT_STATUS_PERF; written under the tracing
 *	       mutex, read by writers without a lock, in a probe section
 * @files: the struct ftrace_tracer of every trace instance in which the
 *	   event is enabled; RCU list, changed under the tracing mutex
 * @enablers: the enablers of all processes that follow it, under the tracing
 *	      mutex
 * @counts: per CPU, for user_events_profile
 * @users: the registry that keeps the event holds one; so does every open file
 *	   that registered it and every reader that listens. Taken under the
 *	   tracing mutex or by a holder. When only the registry's is left, the
 *	   event may be deleted; it never drops to zero. So does every enabler
 * @name: name of its directory: that of @desc, or of its own, owned, if it is
 *	  one of several formats
 * @persistent: it stays when its last user is gone, until it is deleted; under
 *		the tracing mutex
 * @multi: there may be others of the name, with other fields
 * @bit: number of its status bit
 * @creator: who may delete it without being privileged
 * @tracepoint: carries the name for the tracing core; nothing is ever attached
 *		to it
 * @call: the event to the tracing core
 * @class: its class, for this event alone
 * @no_field: read by the kernel where it expects the last field of an event
 *	      that has none, see user_event_create()
 * @fields_array: the fields for the tracing core, owned
 * @text: the fields as dynamic_events lists them, owned
 * @is_visible: the tracing core made the event's directory and its fields
 * @last_removal: see ue_event_files_last_removal(), when the event was added
 * @dyn_entry: entry in dynamic_events
 * @group: the registry that it is in
 * @node: entry there, under the tracing mutex
 * @name_key: tells names apart in most cases without comparing them, see
 *	      ue_group_name_key()
 * @orphan_node: entry in the list of orphans, see register.c; under the tracing
 *		 mutex
 */
struct user_event {
	struct event_desc *desc;
	u8 status;
	struct list_head files;
	struct list_head enablers;
	struct user_event_counts __percpu *counts;

	const char *name;
	refcount_t users;
	bool persistent;
	bool multi;
	u32 bit;
	kuid_t creator;

	struct tracepoint tracepoint;
	struct trace_event_call call;
	struct trace_event_class class;
	u32 no_field[8];
	struct trace_event_fields *fields_array;
	char *text;
	bool is_visible;
	struct timespec64 last_removal;

	struct dyn_entry dyn_entry;
	struct user_event_group *group;
	struct hlist_node node;
	u32 name_key;
	struct list_head orphan_node;
};

struct user_event *user_event_create(struct event_desc *desc, const char *name);
void user_event_free(struct user_event *event);
struct user_event *user_event_get(struct user_event *event);
void user_event_put(struct user_event *event);
bool user_event_is_idle(const struct user_event *event);
bool user_event_is_busy(const struct user_event *event);
bool user_event_may_delete(const struct user_event *event);
void user_event_count_lost(struct user_event *event);
struct user_event_counts user_event_sum(const struct user_event *event);

/* Whether a tracer is attached to it; under the tracing mutex. */
static inline bool user_event_is_enabled(const struct user_event *event)
{
	return event->status;
}

/* The name under which it is found in events/. */
static inline const char *user_event_name(const struct user_event *event)
{
	return event->name;
}

/* The name under which it was registered. */
static inline const char *user_event_reg_name(const struct user_event *event)
{
	return event->desc->name;
}

/* Was it registered under this name? */
static inline bool user_event_is_named(const struct user_event *event,
				       const char *name)
{
	return !strcmp(user_event_reg_name(event), name);
}

/* The directory below events/ that it is in. */
static inline const char *user_event_system(const struct user_event *event)
{
	return event->multi ? USER_EVENTS_MULTI_SYSTEM : USER_EVENTS_SYSTEM;
}

#endif /* USER_EVENTS_EVENT_USER_EVENT_H */
