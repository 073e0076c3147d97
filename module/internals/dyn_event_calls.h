/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Prototypes that are private to the kernel (kernel/trace/trace_dynevent.h and
 * trace.h), for resolve.h. layout_assert.c compares them with the kernel's.
 * dyn_event_create() is new in Linux 6.15 (commit fd837de3c9cb, "tracing:
 * probes: Fix a possible race in trace_probe_log APIs"), and in 5.15.184,
 * 6.1.140, 6.12.30 and other stable kernels of May 2025. create_dyn_event() is
 * static, so it is not compared, nor is btf_module_notify() of kernel/bpf/btf.c.
 * Their addresses are taken, so all kernels have their names.
 */
#ifndef USER_EVENTS_INTERNALS_DYN_EVENT_CALLS_H
#define USER_EVENTS_INTERNALS_DYN_EVENT_CALLS_H

#include <linux/types.h>

struct dyn_event_operations;
struct file;
struct notifier_block;
struct seq_file;
struct trace_array;
struct trace_event_file;

void *dyn_event_seq_start(struct seq_file *m, loff_t *pos);
void *dyn_event_seq_next(struct seq_file *m, void *v, loff_t *pos);
void dyn_event_seq_stop(struct seq_file *m, void *v);
int dyn_event_register(struct dyn_event_operations *ops);
int dyn_event_create(const char *raw_command,
		     struct dyn_event_operations *type);
int create_dyn_event(const char *raw_command);
/* layout_assert.c knows whether the kernel splits lines, the module does not. */
ssize_t trace_parse_run_command(struct file *file, const char __user *buffer,
				size_t count, loff_t *ppos,
#ifdef HAVE_TRACE_RUN_COMMAND
				int (*createfn)(int argc, char **argv));
#else
				int (*createfn)(const char *line));
#endif
int btf_module_notify(struct notifier_block *block, unsigned long state,
		      void *module);
void event_file_put(struct trace_event_file *file);
#ifndef HAVE_TRACE_ARRAY_PUT
void trace_array_put(struct trace_array *tr);
#endif

#endif /* USER_EVENTS_INTERNALS_DYN_EVENT_CALLS_H */
