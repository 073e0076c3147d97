/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parts of unload_test: loading and unloading the module, and what must be true
 * afterwards. Each test starts with the module loaded without parameters.
 */
#ifndef SELFTESTS_UNLOAD_H
#define SELFTESTS_UNLOAD_H

#include <stdbool.h>
#include <sys/types.h>

#define MODULE "user_events"
#define LIMIT "/proc/sys/kernel/user_events_max"

/* Loads the module with parameters. Return: as finit_module(2) */
int load(const char *parameters);

/* Unloads the module, and loads it with parameters. */
void must_load(const char *parameters);

bool is_loaded(void);

/* Registers an event, and closes the file. */
void create_event(const char *event, const char *args);

/* The module is unloaded, and all its objects are removed. */
void check_unloaded(void);

/* Whether the kernel has BTF. */
bool has_btf(void);

int kmsg_open(void);

/* The log lines of the module since kmsg_open(); closes the file. */
char *kmsg_lines(int fd, unsigned int *count);

/* Loading must fail with one log line. Return: false if it succeeds. */
bool check_refusal(const char *path, const char *parameters, const char *word);

/* The same, and nothing of the module is left. */
void check_not_loaded(const char *path, const char *parameters,
		      const char *word);

/* A file of tracefs has this mode, owner and group. */
void check_file(const char *name, mode_t mode, uid_t uid, gid_t gid);

#endif /* SELFTESTS_UNLOAD_H */
