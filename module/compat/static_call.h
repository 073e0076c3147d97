/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Static calls are new in Linux 5.10 (commit 115284d89a43, "static_call: Add
 * basic static call infrastructure"). Before, they are calls through pointers.
 * That is safe there: no such kernel has indirect branch tracking, see
 * internals/resolve.h.
 */
#ifndef USER_EVENTS_COMPAT_STATIC_CALL_H
#define USER_EVENTS_COMPAT_STATIC_CALL_H

#ifdef HAVE_LINUX_STATIC_CALL
#include <linux/static_call.h>
#else
#include <linux/cache.h>

#ifdef CONFIG_X86_KERNEL_IBT
#error "user_events: this kernel has indirect branch tracking without static calls"
#endif

#define DECLARE_STATIC_CALL(name, function) \
	extern typeof(&(function)) static_call_##name
#define DEFINE_STATIC_CALL_NULL(name, function) \
	typeof(&(function)) static_call_##name __ro_after_init
#define static_call(name) (*static_call_##name)
#define static_call_update(name, function) (static_call_##name = (function))
#endif

#endif /* USER_EVENTS_COMPAT_STATIC_CALL_H */
