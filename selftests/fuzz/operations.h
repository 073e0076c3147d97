/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The operations. An operation cannot fail: the results of its system calls are
 * only counted.
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
void do_unusual(const struct operation *operation);
void do_map(const struct operation *operation);

/* memory.c: changes of the memory that a program uses */
void do_memory(const struct operation *operation);
void do_unmap(const struct operation *operation);
void do_remap(const struct operation *operation);
void do_protect(const struct operation *operation);
void do_advise(const struct operation *operation);
void do_touch(const struct operation *operation);
void do_truncate(const struct operation *operation);
void do_userfault(const struct operation *operation);
void do_userfault_close(const struct operation *operation);

/* process.c: process creation, exec, exit and signals */
void do_fork(const struct operation *operation);
void do_exec(const struct operation *operation);
void do_exit(const struct operation *operation);
void do_kill(const struct operation *operation);
void do_pause(const struct operation *operation);
void do_pin(const struct operation *operation);
void do_timer(const struct operation *operation);
void do_user(const struct operation *operation);

/* tracing.c: tracefs */
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

/* perf.c: perf events and BPF programs */
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
 * A file of the module that is opened while the module is unloaded triggers a
 * known and documented kernel warning. This lock, a read-write lock, keeps the
 * two apart. It is released when its file is closed or its process exits.
 */
enum module_lock_mode {
	MODULE_LOCK_OPEN,
	MODULE_LOCK_UNLOAD,
};

int module_lock(enum module_lock_mode mode);
void module_unlock(int lock);

/* Path of the module; set once. */
extern const char *module_file;

/* finit_module(), delete_module(), and whether the module is loaded. */
int module_load(const char *parameters);
int module_unload(void);
bool module_is_loaded(void);

/*
 * event_directory - directory of an event relative to the root of tracefs
 * @event: an EVENT argument
 * @instance: an INSTANCE argument
 *
 * Return: allocated text.
 */
char *event_directory(uint64_t event, uint64_t instance);

#endif /* SELFTESTS_FUZZ_OPERATIONS_H */
