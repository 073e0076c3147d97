/* SPDX-License-Identifier: GPL-2.0-only */
/* inject_test: the objects of its operations, and what several topics do. */
#ifndef SELFTESTS_OBJECTS_H
#define SELFTESTS_OBJECTS_H

#include <linux/user_events.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../../lib/user_events.h"

/* Size of a record that is not assembled on the stack. */
#define LARGE 2000

extern const char *event, *command, *instance;
extern int file, helper, control;
extern int result_fd;
extern unsigned int index_of_event;
extern struct user_reg_status registered;
extern volatile uint32_t *words;
extern char buffer[65536];
extern void *mapping;
extern pid_t child;
extern bool has_kmemleak;

/* What call_control() writes */
extern const char *value;
extern unsigned int enabler_flags, enabler_bit;

/* --- objects.c --- */

/* The event of most operations, with fields of several kinds. */
void name_event(void);
void *new_words(void);
const char *system_of(const char *name);
void check_directory(const char *parent, const char *name);

/* Checks that an event is complete. */
void check_complete(const char *name);
void close_file(void);
void open_file(void);

/* --- files.c --- */

void setup_event(void);
void open_status(void);
int call_mmap(void);
void undo_mmap(void);

/* --- register.c --- */

int call_reg_enabler(void);
void check_bit_is_updated(const char *name);
void check_enabler(void);
void undo_enabler(void);
void setup_enabler(void);
pid_t start_child(void);
void stop_child(void);
void arrange_enabler(void);
void check_event_is_deleted(void);

/* --- enable.c --- */

void setup_enable(void);
void close_control(void);
int call_control(void);
void check_disabled(void);

/* --- load.c --- */

int call_load(void);
bool is_loaded(void);
void open_module(void);

/* --- leaks.c --- */

/*
 * kmemleak disables itself permanently after a failed allocation, and rejects
 * commands then.
 */
bool is_kmemleak_enabled(void);

/* Makes kmemleak forget its leaks if all of them are from a function. */
void forget_leaks_of(const char *function);

#endif /* SELFTESTS_OBJECTS_H */
