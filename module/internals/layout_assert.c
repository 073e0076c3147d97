// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares the private structures and prototypes that the module uses with the
 * kernel's sources. Not part of the module: scripts/check/vm/compat compiles
 * this file for every kernel of the matrix, with the headers of the same
 * version. It passes if the compiler reports nothing.
 */
#include <linux/build_bug.h>
#include <linux/stddef.h>

/* Our structures, renamed. */
#define dyn_event our_dyn_event
#define dyn_event_operations our_dyn_event_operations
#include "internals/dyn_event.h"
#undef dyn_event
#undef dyn_event_operations

#include "internals/event_field.h"

/* The kernel's structures, from kernel/trace. */
#ifdef CONFIG_DYNAMIC_EVENTS
#include <trace_dynevent.h>
#else
#include <trace.h>
#endif

/* A prototype that differs from the kernel's is a compiler error. */
#include "internals/dyn_event_calls.h"

#ifdef CONFIG_DYNAMIC_EVENTS
#define SAME_MEMBER(structure, member)                                \
	static_assert(offsetof(struct our_##structure, member) ==     \
		      offsetof(struct structure, member));            \
	static_assert(sizeof_field(struct our_##structure, member) == \
		      sizeof_field(struct structure, member))

#define SAME_SIZE(structure)                            \
	static_assert(sizeof(struct our_##structure) == \
		      sizeof(struct structure))

SAME_MEMBER(dyn_event, list);
SAME_MEMBER(dyn_event, ops);
SAME_SIZE(dyn_event);

SAME_MEMBER(dyn_event_operations, list);
SAME_MEMBER(dyn_event_operations, create);
SAME_MEMBER(dyn_event_operations, show);
SAME_MEMBER(dyn_event_operations, is_busy);
SAME_MEMBER(dyn_event_operations, free);
SAME_MEMBER(dyn_event_operations, match);
SAME_SIZE(dyn_event_operations);

/*
 * Callbacks whose types do not involve our structures, except behind a pointer.
 */
#define KERNELS(member) typeof(((struct dyn_event_operations *)0)->member)

static_assert(__same_type(KERNELS(show),
			  int (*)(struct seq_file *, struct dyn_event *)));
static_assert(__same_type(KERNELS(is_busy), bool (*)(struct dyn_event *)));
static_assert(__same_type(KERNELS(free), int (*)(struct dyn_event *)));
static_assert(__same_type(KERNELS(match),
			  bool (*)(const char *, const char *, int,
				   const char **, struct dyn_event *)));

/*
 * ue_dynamic_events_init() uses the same criterion. The script searches trace.h
 * for the function.
 */
#ifdef HAVE_TRACE_RUN_COMMAND
static_assert(__same_type(KERNELS(create), int (*)(int, const char **)));
#else
static_assert(__same_type(KERNELS(create), int (*)(const char *)));
#endif
#endif /* CONFIG_DYNAMIC_EVENTS */

static_assert(offsetof(struct ftrace_event_field, offset) ==
	      EVENT_FIELD_OFFSET);
static_assert(offsetof(struct ftrace_event_field, size) == EVENT_FIELD_SIZE);
