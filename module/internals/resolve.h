/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of the kernel that the module needs and that are not exported, or not
 * by every kernel: one row each, with what it is needed for and what happens
 * without it.
 *
 * Functions are called through static calls. These become direct calls where
 * the architecture has them, which need no landing pad at their target: a
 * kernel with indirect branch tracking removes the pads of functions whose
 * address it never takes, and an indirect call to one of those would be fatal.
 * The prototype of a function is the one that a header declares, the kernel's
 * or dyn_event_calls.h; canary.c compares the latter with the kernel's sources.
 *
 * Names of data are only kept by kernels with CONFIG_KALLSYMS_ALL, so the
 * module can do without each of them where it is possible at all.
 *
 * Only main.c and internals/ use what is declared here; the rest uses the
 * wrappers in internals/call.h.
 */
#ifndef USER_EVENTS_COMPAT_RESOLVE_H
#define USER_EVENTS_COMPAT_RESOLVE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/static_call.h>
#include <linux/task_work.h>
#include <linux/trace_events.h>
#include <linux/tracefs.h>

#include "internals/dyn_event_calls.h"

/* What is said of a symbol without which the module refuses to load. */
#define REFUSE NULL

/*
 * The first two are exported since Linux 5.18 (commit 8bcd06632b73, "tracing:
 * Allow custom events to be added to the tracefs directory"), the third since
 * Linux 7.1 (commit ea908a2b79c8, "tracing: Add a trace remote module for
 * testing"), but they are found in the same way everywhere.
 */
/* clang-format off */
#define BORROWED_FUNCTIONS(BORROW)					\
	BORROW(trace_add_event_call,					\
	       "to add trace events", REFUSE)				\
	BORROW(trace_remove_event_call,					\
	       "to remove trace events", REFUSE)			\
	BORROW(tracefs_create_file,					\
	       "to create the files", REFUSE)				\
	BORROW(tracefs_remove,						\
	       "to remove the files", REFUSE)				\
	BORROW(dyn_event_seq_start,					\
	       "to hold event_mutex", REFUSE)				\
	BORROW(dyn_event_seq_stop,					\
	       "to release event_mutex", REFUSE)			\
	BORROW(dyn_event_seq_next,					\
	       "to know dyn_event_list when it is found", REFUSE)	\
	BORROW(dyn_event_register,					\
	       "to create events through dynamic_events", REFUSE)	\
	BORROW(dyn_event_create,					\
	       "to run under dyn_event_ops_mutex",			\
	       "that mutex must be found by its name")			\
	BORROWED_FILE_FUNCTIONS(BORROW)					\
	BORROWED_TASK_FUNCTIONS(BORROW)

/* For event_files.c, which eventfs has no need of. */
#if defined(HAVE_EVENT_FILE_REF) && !defined(HAVE_EVENTFS)
#define BORROWED_FILE_FUNCTIONS(BORROW)					\
	BORROW(event_file_get,						\
	       "to keep files of an event that is removed",		\
	       "opening them at that moment is as unsafe as ever")	\
	BORROW(event_file_put,						\
	       "to let go of them",					\
	       "they are not kept")
#else
#define BORROWED_FILE_FUNCTIONS(BORROW)
#endif

/* For mm_fork.c, where memory cannot be allocated while a task forks. */
#ifdef CONFIG_PREEMPT_RT
#define BORROWED_TASK_FUNCTIONS(BORROW)					\
	BORROW(task_work_add,						\
	       "to allocate what the next child of a process needs", REFUSE)
#else
#define BORROWED_TASK_FUNCTIONS(BORROW)
#endif

#define BORROWED_DATA(BORROW)						\
	BORROW(event_mutex, struct mutex,				\
	       "to let lockdep check that it is held",			\
	       "it is not checked")					\
	BORROW(dyn_event_list, struct list_head,			\
	       "to list the events in dynamic_events",			\
	       "it is searched for with dyn_event_seq_next()")		\
	BORROW(dyn_event_ops_mutex, struct mutex,			\
	       "to leave dynamic_events",				\
	       "dyn_event_create() is needed")
/* clang-format on */

#define DECLARE_BORROWED_FUNCTION(name, why, without) \
	DECLARE_STATIC_CALL(borrowed_##name, name);
BORROWED_FUNCTIONS(DECLARE_BORROWED_FUNCTION)
#undef DECLARE_BORROWED_FUNCTION

/* NULL if the kernel keeps no names of data. */
#define DECLARE_BORROWED_DATA(name, type, why, without) \
	extern type *borrowed_##name;
BORROWED_DATA(DECLARE_BORROWED_DATA)
#undef DECLARE_BORROWED_DATA

/* Is an optional function there? Set by borrowed_resolve(). */
#define DECLARE_BORROWED_FOUND(name, why, without) \
	extern bool borrowed_##name##_found;
BORROWED_FUNCTIONS(DECLARE_BORROWED_FOUND)
#undef DECLARE_BORROWED_FOUND

int borrowed_resolve(void);
unsigned long borrowed_lookup(const char *name);

#endif /* USER_EVENTS_COMPAT_RESOLVE_H */
