/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of the module, loading and unloading, and copies that do not find
 * certain symbols, as on other kernels.
 */
#ifndef SELFTESTS_LIB_MODULE_H
#define SELFTESTS_LIB_MODULE_H

#include <stdbool.h>

/* Path of the module, from USER_EVENTS_KO; else empty. */
const char *module_path(void);

/* Loads a file. Return: as finit_module(2) */
int module_load_file(const char *path, const char *parameters);

/* A module that uses user_events, and its file, which is beside that module. */
#define SAMPLE "user_events_sample"
const char *sample_path(void);

/* Return: as delete_module(2) with O_NONBLOCK */
int sample_unload(void);

/* Lets the sample emit a record in one of its ways. Return: 0, or -1 with errno. */
int sample_emit(const char *way);

/* Return: as delete_module(2) with O_NONBLOCK */
int module_unload(void);

/* Retries, since objects that were just closed are released with a delay. */
void module_must_unload(void);

/* Whether the module has this name as a complete string. */
bool module_has_name(const char *name);

/*
 * module_alter - copy the module and replace names in the copy
 * @names: pairs of a name, which must be a complete string in the module, and
 *	   another one of the same length, terminated by NULL
 *
 * Returns the path of the copy, which the next call overwrites.
 */
const char *module_alter(const char *const *names);

/*
 * module_alter_ways - copy the module and hide symbols, so that the copy finds
 * only one way to leave the list of types of dynamic events
 * @way: dyn_event_create, dyn_event_ops_mutex or create_dyn_event; else no way
 */
const char *module_alter_ways(const char *way);

#endif /* SELFTESTS_LIB_MODULE_H */
