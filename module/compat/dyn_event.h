/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dynamic_events: what an entry is to the kernel, and how a module adds some.
 *
 * The kernel keeps these two structures and the prototypes of its functions in
 * a header of its own (kernel/trace/trace_dynevent.h), so they are declared
 * here again, member for member, as they have been since Linux 5.13 (commit
 * d262271d0483, "tracing/dynevent: Delegate parsing to create function").
 * canary.c compares them with the kernel's sources, layout_check() with what
 * the running kernel says about itself.
 *
 * Before Linux 5.0 (commit 5448d44c3855, "tracing: Add unified dynamic event
 * framework") there are none. A module for such a kernel would have to bring a
 * file dynamic_events of its own, which knows user events alone.
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
 * @create_words: in its place before Linux 5.13: the same with the words of the
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

/**
 * struct dyn_entry - an entry of ours
 * @ev: what the kernel knows of it
 * @first: if it is the last of entries of ours in a row, the first of them,
 *	   else NULL
 * @last: if it is the first of them, the last one, else NULL
 *
 * Rows are there to be skipped: there can be ten thousands of ours.
 */
struct dyn_entry {
	struct dyn_event ev;
	struct dyn_entry *first;
	struct dyn_entry *last;
};

/* Functions of the kernel, borrowed; dyn_event_create() since Linux 5.17. */
void *dyn_event_seq_start(struct seq_file *m, loff_t *pos);
void *dyn_event_seq_next(struct seq_file *m, void *v, loff_t *pos);
void dyn_event_seq_stop(struct seq_file *m, void *v);
int dyn_event_register(struct dyn_event_operations *ops);
int dyn_event_create(const char *raw_command,
		     struct dyn_event_operations *type);

/* Ours. */
int dyn_event_init(void);
void dyn_event_add(struct dyn_entry *entry);
void dyn_event_remove(struct dyn_entry *entry);
bool dyn_event_exists(const char *system, const char *name);
void dyn_event_ops_add(struct dyn_event_operations *ops);
void dyn_event_ops_remove(void);

#endif /* USER_EVENTS_COMPAT_DYN_EVENT_H */
