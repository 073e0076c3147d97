/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What operations do. None fails: whatever the kernel says is counted and
 * otherwise taken as it is.
 */
#ifndef SELFTESTS_FUZZ_OPERATIONS_H
#define SELFTESTS_FUZZ_OPERATIONS_H

#include "kinds.h"

/* files.c: the module's files, registration and records */
void do_open(const struct operation *operation);
void do_close(const struct operation *operation);
void do_dup(const struct operation *operation);
void do_pass(const struct operation *operation);
void do_register_status(const struct operation *operation);
void do_register_enabler(const struct operation *operation);
void do_unregister(const struct operation *operation);
void do_delete(const struct operation *operation);
void do_ioctl(const struct operation *operation);
void do_write(const struct operation *operation);
void do_read(const struct operation *operation);
void do_seek(const struct operation *operation);
void do_poll(const struct operation *operation);
void do_odd(const struct operation *operation);
void do_map(const struct operation *operation);

/* memory.c: memory that changes under a program */
void do_memory(const struct operation *operation);
void do_unmap(const struct operation *operation);
void do_remap(const struct operation *operation);
void do_protect(const struct operation *operation);
void do_advise(const struct operation *operation);
void do_touch(const struct operation *operation);
void do_truncate(const struct operation *operation);
void do_faults(const struct operation *operation);
void do_faults_end(const struct operation *operation);

/* process.c: processes that come and go */
void do_fork(const struct operation *operation);
void do_exec(const struct operation *operation);
void do_exit(const struct operation *operation);
void do_kill(const struct operation *operation);
void do_pause(const struct operation *operation);
void do_pin(const struct operation *operation);
void do_timer(const struct operation *operation);
void do_user(const struct operation *operation);

/* tracing.c: who listens through tracefs */
void do_line(const struct operation *operation);
void do_enable(const struct operation *operation);
void do_enable_all(const struct operation *operation);
void do_filter(const struct operation *operation);
void do_trigger(const struct operation *operation);
void do_set_event(const struct operation *operation);
void do_instance(const struct operation *operation);
void do_show(const struct operation *operation);
void do_trace(const struct operation *operation);
void do_set_trace(const struct operation *operation);

/* perf.c: who listens through perf, and BPF */
void do_perf_open(const struct operation *operation);
void do_perf_close(const struct operation *operation);
void do_perf_map(const struct operation *operation);
void do_perf_control(const struct operation *operation);
void do_perf_filter(const struct operation *operation);
void do_perf_read(const struct operation *operation);
void do_perf_bpf(const struct operation *operation);

/* module.c: the module itself */
void do_unload(const struct operation *operation);
void do_load(const struct operation *operation);
void do_limit(const struct operation *operation);

/*
 * Opening a file of the module in the very instant in which it is unloaded
 * makes the kernel warn, which is known and documented. So the two take turns;
 * the turn ends with the file, or with its process.
 */
enum turn {
	TURN_OPEN,
	TURN_UNLOAD,
};

int turn_take(enum turn turn);
void turn_end(int turn);

/* Where the module is; set once. */
extern const char *module_file;

/* finit_module(), and whether it is there. */
int module_load(const char *parameters);
int module_unload(void);
bool module_is_loaded(void);

/*
 * event_directory - directory of an event, below the root of tracefs
 * @event: as an argument of an operation
 * @instance: the same
 *
 * Return: to be freed.
 */
char *event_directory(uint64_t event, uint64_t instance);

#endif /* SELFTESTS_FUZZ_OPERATIONS_H */
