/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Structures of dynamic_events.
 *
 * They are private to the kernel (kernel/trace/trace_dynevent.h), so they are
 * declared here, member by member, as they are since Linux 5.12 (commit
 * d262271d0483, "tracing/dynevent: Delegate parsing to create function"). In
 * Linux 5.10 only the arguments of @create differ. layout_assert.c compares
 * them with the kernel's sources, ue_layout_check() with the BTF of the running
 * kernel.
 *
 * Before Linux 5.0 (commit 5448d44c3855, "tracing: Add unified dynamic event
 * framework"; later also in 4.19.y) they do not exist, and without
 * CONFIG_DYNAMIC_EVENTS only the module uses them: own_dynamic_events.c.
 */
#ifndef USER_EVENTS_INTERNALS_DYN_EVENT_H
#define USER_EVENTS_INTERNALS_DYN_EVENT_H

#include <linux/list.h>
#include <linux/types.h>

struct seq_file;
struct dyn_event;

/**
 * struct dyn_event_operations - a type of dynamic events
 * @list: entry in the kernel's list of types, under dyn_event_ops_mutex
 * @create: creates the event of a line written to dynamic_events, or returns
 *	    -ECANCELED if the line is for another type; called under
 *	    dyn_event_ops_mutex, without event_mutex
 * @create_words: replaces @create before Linux 5.12: the same with the words of
 *		  the line, which must not be modified
 * @show: prints the line of an event for dynamic_events; under event_mutex
 * @is_busy: tells whether the event is in use; under event_mutex
 * @free: deletes the event, or returns an errno and changes nothing; under
 *	  event_mutex
 * @match: tells whether the arguments describe the event; under event_mutex
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
 * @ops: its type
 */
struct dyn_event {
	struct list_head list;
	struct dyn_event_operations *ops;
};

#endif /* USER_EVENTS_INTERNALS_DYN_EVENT_H */
