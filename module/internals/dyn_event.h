/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an entry of dynamic_events is to the kernel.
 *
 * The kernel keeps these two structures in a header of its own
 * (kernel/trace/trace_dynevent.h), so they are declared here again, member for
 * member, as they have been since Linux 5.12 (commit d262271d0483,
 * "tracing/dynevent: Delegate parsing to create function"). Before, all that
 * was different in Linux 5.10 is what @create is given. canary.c compares them
 * with the kernel's sources, ue_layout_check() with what the running kernel says
 * about itself.
 *
 * Before Linux 5.0 (commit 5448d44c3855, "tracing: Add unified dynamic event
 * framework"; later also in 4.19.y) there are none. A module for such a kernel
 * would have to bring a file dynamic_events of its own, which knows user events
 * alone.
 */
#ifndef USER_EVENTS_INTERNALS_DYN_EVENT_H
#define USER_EVENTS_INTERNALS_DYN_EVENT_H

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
 * @create_words: in its place before Linux 5.12: the same with the words of the
 *		  line, which are not to be changed
 * @show: writes the line that dynamic_events lists; under event_mutex
 * @is_busy: may the event not be deleted now? under event_mutex
 * @free: deletes the event, or returns an errno with nothing changed; under
 *	  event_mutex
 * @match: is this event meant? under event_mutex
 */
struct dyn_event_operations {
	struct list_head list;
	union {
		int (*create)(const char *raw_command);
		int (*create_words)(int argc, const char *argv[]);
	};
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

#endif /* USER_EVENTS_INTERNALS_DYN_EVENT_H */
