/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols of the kernel that the module needs and that are not exported.
 *
 * One row each: the symbol, its type, and what it is needed for. None has a
 * substitute: without it the module refuses to load and names it.
 *
 * Functions are called through static calls. These become direct calls where
 * the architecture has them, which need no landing pad at their target: a
 * kernel with indirect branch tracking removes the pads of functions whose
 * address it never takes, and an indirect call to one of those would be fatal.
 *
 * Only main.c and compat/ use what is declared here; the rest uses the
 * wrappers in compat/call.h.
 */
#ifndef USER_EVENTS_COMPAT_RESOLVE_H
#define USER_EVENTS_COMPAT_RESOLVE_H

#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/static_call.h>
#include <linux/tracefs.h>

/* clang-format off */
#define BORROWED_FUNCTIONS(BORROW)					\
	BORROW(tracefs_create_file, "to create the files")		\
	BORROW(tracefs_remove, "to remove the files")

#define BORROWED_DATA(BORROW)						\
	BORROW(event_mutex, struct mutex,				\
	       "to add and remove trace events")			\
	BORROW(dyn_event_list, struct list_head,			\
	       "to list the events in dynamic_events")			\
	BORROW(dyn_event_ops_list, struct list_head,			\
	       "to create events through dynamic_events")		\
	BORROW(dyn_event_ops_mutex, struct mutex,			\
	       "to create events through dynamic_events")
/* clang-format on */

#define DECLARE_BORROWED_FUNCTION(name, why) \
	DECLARE_STATIC_CALL(borrowed_##name, name);
BORROWED_FUNCTIONS(DECLARE_BORROWED_FUNCTION)
#undef DECLARE_BORROWED_FUNCTION

/* Set once by borrowed_resolve(), before anything else runs. */
#define DECLARE_BORROWED_DATA(name, type, why) extern type *borrowed_##name;
BORROWED_DATA(DECLARE_BORROWED_DATA)
#undef DECLARE_BORROWED_DATA

int borrowed_resolve(void);
unsigned long borrowed_lookup(const char *name);

#endif /* USER_EVENTS_COMPAT_RESOLVE_H */
