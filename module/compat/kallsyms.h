/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Since Linux 5.12 (commit 013c1667cf78, "kallsyms: refactor
 * {,module_}kallsyms_on_each_symbol") and in stable kernels,
 * kallsyms_on_each_symbol() does not visit the symbols of modules. Before, it
 * does, and the caller holds module_mutex. The same series ended the export of
 * the mutex.
 */
#ifndef USER_EVENTS_COMPAT_KALLSYMS_H
#define USER_EVENTS_COMPAT_KALLSYMS_H

#include <linux/module.h>
#include <linux/mutex.h>

static inline void kallsyms_lock(void)
{
#ifdef HAVE_MODULE_MUTEX
	mutex_lock(&module_mutex);
#endif
}

static inline void kallsyms_unlock(void)
{
#ifdef HAVE_MODULE_MUTEX
	mutex_unlock(&module_mutex);
#endif
}

#endif /* USER_EVENTS_COMPAT_KALLSYMS_H */
