/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols that the module needs and that the kernel, or some kernels, do not
 * export: one row each, with its purpose and the consequence if it is missing.
 *
 * Functions are called through static calls, which are direct calls where the
 * architecture supports them. A direct call needs no ENDBR instruction at its
 * target. A kernel with indirect branch tracking removes the ENDBR of functions
 * whose address it does not take, and an indirect call to one of these is
 * fatal. The prototypes come from headers of the kernel or from
 * dyn_event_calls.h, which layout_assert.c compares with the kernel's sources.
 *
 * Only kernels with CONFIG_KALLSYMS_ALL have names of data, so most data
 * symbols are optional.
 *
 * Only main.c and internals/ include this header. The rest of the module uses
 * the wrappers in internals/call.h.
 */
#ifndef USER_EVENTS_INTERNALS_RESOLVE_H
#define USER_EVENTS_INTERNALS_RESOLVE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched/mm.h>
#include <linux/task_work.h>
#include <linux/trace_events.h>
#include <linux/tracefs.h>

#include "compat/static_call.h"
#include "internals/dyn_event_calls.h"

/* Thumb functions have odd addresses, but kallsyms lists even ones. */
#ifdef CONFIG_THUMB2_KERNEL
#define THUMB_BIT 1UL
#else
#define THUMB_BIT 0UL
#endif

/* The module refuses to load without this symbol. */
#define REQUIRED NULL

/*
 * To look up all symbols at once. Linux 5.12 to 5.18 have the first one only
 * with CONFIG_LIVEPATCH.
 */
/* clang-format off */
#ifdef HAVE_KALLSYMS_WALK
#define UNEXPORTED_WALK_FUNCTIONS(SYMBOL)					\
	SYMBOL(kallsyms_on_each_symbol,					\
	       "to look up all symbols at once",				\
	       "each is looked up on its own")				\
	SYMBOL(module_kallsyms_lookup_name,				\
	       "to look up symbols of modules",				\
	       "each is looked up on its own")
#else
#define UNEXPORTED_WALK_FUNCTIONS(SYMBOL)
#endif
/* clang-format on */

/*
 * The first two are exported since Linux 5.18 (commit 8bcd06632b73, "tracing:
 * Allow custom events to be added to the tracefs directory"), the third since
 * Linux 7.1 (commit ea908a2b79c8, "tracing: Add a trace remote module for
 * testing"), mmput_async() since Linux 5.10, task_work_add() on some kernels.
 * They are looked up by name on every kernel.
 */
/* clang-format off */
#define UNEXPORTED_FUNCTIONS(SYMBOL)					\
	SYMBOL(trace_add_event_call,					\
	       "to add trace events", REQUIRED)				\
	SYMBOL(trace_remove_event_call,					\
	       "to remove trace events", REQUIRED)			\
	SYMBOL(tracefs_create_file,					\
	       "to create the files", REQUIRED)				\
	SYMBOL(tracefs_remove,						\
	       "to remove the files", REQUIRED)				\
	SYMBOL(mmput_async,						\
	       "to release the memory of a process", REQUIRED)		\
	UNEXPORTED_DYNAMIC_FUNCTIONS(SYMBOL)					\
	UNEXPORTED_FILE_FUNCTIONS(SYMBOL)					\
	UNEXPORTED_INSTANCE_FUNCTIONS(SYMBOL)					\
	UNEXPORTED_BTF_FUNCTION(SYMBOL)						\
	SYMBOL(task_work_add,						\
	       "to let processes write their bits", REQUIRED)		\
	UNEXPORTED_CANCEL_FUNCTION(SYMBOL)

#ifdef CONFIG_DYNAMIC_EVENTS
#define UNEXPORTED_DYNAMIC_FUNCTIONS(SYMBOL)				\
	SYMBOL(dyn_event_seq_start,					\
	       "to hold event_mutex", REQUIRED)				\
	SYMBOL(dyn_event_seq_stop,					\
	       "to release event_mutex", REQUIRED)			\
	SYMBOL(dyn_event_seq_next,					\
	       "to recognize dyn_event_list", REQUIRED)	\
	SYMBOL(dyn_event_register,					\
	       "to create events through dynamic_events", REQUIRED)	\
	SYMBOL(dyn_event_create,					\
	       "to run under dyn_event_ops_mutex",			\
	       "dyn_event_ops_mutex or create_dyn_event() is required")	\
	SYMBOL(create_dyn_event,					\
	       "to run under dyn_event_ops_mutex",			\
	       "dyn_event_ops_mutex or dyn_event_create() is required")
#else
#define UNEXPORTED_DYNAMIC_FUNCTIONS(SYMBOL)				\
	SYMBOL(trace_parse_run_command,					\
	       "to read the lines of dynamic_events", REQUIRED)
#endif

/* For open_files.c: Linux 5.4 does not export it. */
#if !defined(HAVE_TRACE_ARRAY_PUT) && !defined(HAVE_EVENT_FILE_REF) && \
	!defined(HAVE_EVENTFS)
#define UNEXPORTED_INSTANCE_FUNCTIONS(SYMBOL)				\
	SYMBOL(trace_array_put,						\
	       "to drop references to removed files", REQUIRED)
#else
#define UNEXPORTED_INSTANCE_FUNCTIONS(SYMBOL)
#endif

/* For event_files.c, which is not needed with eventfs. */
#if defined(HAVE_EVENT_FILE_REF) && !defined(HAVE_EVENTFS)
#define UNEXPORTED_FILE_FUNCTIONS(SYMBOL)					\
	SYMBOL(event_file_put,						\
	       "to release a file that was opened during the removal",	\
	       "an event with such a file stays")
#else
#define UNEXPORTED_FILE_FUNCTIONS(SYMBOL)
#endif

/* For kernel_btf.c: since Linux 6.11, the module's file has all. */
#if defined(HAVE_KFUNC_SETS) && !defined(HAVE_MODULE_BTF_BASE)
#define UNEXPORTED_BTF_FUNCTION(SYMBOL)					\
	SYMBOL(btf_module_notify,					\
	       "to describe functions for BPF programs",		\
	       "BPF programs cannot emit records")
#else
#define UNEXPORTED_BTF_FUNCTION(SYMBOL)
#endif

#ifdef HAVE_TASK_WORK_CANCEL_MATCH
#define UNEXPORTED_CANCEL_FUNCTION(SYMBOL)				\
	SYMBOL(task_work_cancel_match,					\
	       "to let processes write their bits", REQUIRED)
#else
#define UNEXPORTED_CANCEL_FUNCTION(SYMBOL)				\
	SYMBOL(task_work_cancel,					\
	       "to let processes write their bits", REQUIRED)
#endif

#ifdef CONFIG_DYNAMIC_EVENTS
#define UNEXPORTED_DATA(SYMBOL)						\
	SYMBOL(event_mutex, struct mutex,				\
	       "for lockdep assertions",			\
	       "nothing is asserted")					\
	SYMBOL(dyn_event_list, struct list_head,			\
	       "to list the events in dynamic_events",			\
	       "found by search with dyn_event_seq_next()")		\
	SYMBOL(dyn_event_ops_mutex, struct mutex,			\
	       "to leave dynamic_events",				\
	       "dyn_event_create() or create_dyn_event() is required")
#else
#define UNEXPORTED_DATA(SYMBOL)						\
	SYMBOL(event_mutex, struct mutex,				\
	       "to hold it", REQUIRED)
#endif

/* Names that ue_lookup_symbol() is called with, besides those above */
#define OTHER_SYMBOLS(NAME)		\
	NAME(__start_BTF)			\
	NAME(__stop_BTF)			\
	NAME(trace_run_command)		\
	NAME(tracing_release_file_tr)	\
	NAME(tracing_single_release_file_tr) \
	NAME(user_events_release)
/* clang-format on */

#define DECLARE_UNEXPORTED_FUNCTION(name, why, without) \
	DECLARE_STATIC_CALL(unexported_##name, name);
UNEXPORTED_WALK_FUNCTIONS(DECLARE_UNEXPORTED_FUNCTION)
UNEXPORTED_FUNCTIONS(DECLARE_UNEXPORTED_FUNCTION)
#undef DECLARE_UNEXPORTED_FUNCTION

/* NULL if the kernel has no names of data. */
#define DECLARE_UNEXPORTED_DATA(name, type, why, without) \
	extern type *unexported_##name;
UNEXPORTED_DATA(DECLARE_UNEXPORTED_DATA)
#undef DECLARE_UNEXPORTED_DATA

/* Whether an optional function was found. Set by ue_resolve_symbols(). */
#define DECLARE_UNEXPORTED_FOUND(name, why, without) \
	extern bool unexported_##name##_found;
UNEXPORTED_WALK_FUNCTIONS(DECLARE_UNEXPORTED_FOUND)
UNEXPORTED_FUNCTIONS(DECLARE_UNEXPORTED_FOUND)
#undef DECLARE_UNEXPORTED_FOUND

int ue_resolve_symbols(void);
unsigned long ue_lookup_symbol(const char *name);

#endif /* USER_EVENTS_INTERNALS_RESOLVE_H */
