/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prototypes that are private to the kernel (kernel/trace/trace_dynevent.h and
 * trace.h), for resolve.h. layout_assert.c compares them with the kernel's,
 * except create_dyn_event(), which is static. Its address is taken, so every
 * kernel has its name. It is called before the module depends on it.
 */
#ifndef USER_EVENTS_INTERNALS_DYN_EVENT_CALLS_H
#define USER_EVENTS_INTERNALS_DYN_EVENT_CALLS_H

#include <linux/types.h>

struct dyn_event_operations;
struct seq_file;
struct trace_event_file;

void *dyn_event_seq_start(struct seq_file *m, loff_t *pos);
void *dyn_event_seq_next(struct seq_file *m, void *v, loff_t *pos);
void dyn_event_seq_stop(struct seq_file *m, void *v);
int dyn_event_register(struct dyn_event_operations *ops);
int create_dyn_event(const char *raw_command);
void event_file_get(struct trace_event_file *file);
void event_file_put(struct trace_event_file *file);

#endif /* USER_EVENTS_INTERNALS_DYN_EVENT_CALLS_H */
