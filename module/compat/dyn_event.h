/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an entry of dynamic_events is to the kernel.
 *
 * The kernel keeps these two structures in a header of its own
 * (kernel/trace/trace_dynevent.h), so they are declared here again, member for
 * member, as they have been since Linux 5.15 (commit d262271d0483, "tracing/
 * dynevent: Delegate parsing to create function"). layout_check() compares
 * them with what the running kernel says about itself.
 */
#ifndef USER_EVENTS_COMPAT_DYN_EVENT_H
#define USER_EVENTS_COMPAT_DYN_EVENT_H

#include <linux/list.h>
#include <linux/types.h>

struct seq_file;
struct dyn_event;

/**
 * struct dyn_event_operations - a kind of dynamic event
 * @list: entry in the kernel's list of kinds, under dyn_event_ops_mutex
 * @create: makes an event of a line that was written to dynamic_events, or
 *	    returns -ECANCELED if the line is for another kind; called under
 *	    dyn_event_ops_mutex, without event_mutex
 * @show: writes the line that dynamic_events lists; under event_mutex
 * @is_busy: may the event not be deleted now? under event_mutex
 * @free: deletes the event, or returns an errno with nothing changed; under
 *	  event_mutex
 * @match: is this event meant? under event_mutex
 */
struct dyn_event_operations {
	struct list_head list;
	int (*create)(const char *raw_command);
	int (*show)(struct seq_file *m, struct dyn_event *ev);
	bool (*is_busy)(struct dyn_event *ev);
	int (*free)(struct dyn_event *ev);
	bool (*match)(const char *system, const char *event, int argc,
		      const char **argv, struct dyn_event *ev);
};

/**
 * struct dyn_event - an entry of dynamic_events
 * @list: entry in the kernel's list of dynamic events, under event_mutex
 * @ops: its kind
 */
struct dyn_event {
	struct list_head list;
	struct dyn_event_operations *ops;
};

#endif /* USER_EVENTS_COMPAT_DYN_EVENT_H */
