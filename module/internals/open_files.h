/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef USER_EVENTS_INTERNALS_OPEN_FILES_H
#define USER_EVENTS_INTERNALS_OPEN_FILES_H

#include <linux/types.h>

struct dentry;
struct trace_array;

/* Not needed with a reference count. */
#ifndef HAVE_EVENT_FILE_REF
unsigned int ue_open_files_collect(struct dentry *dir,
				   struct trace_array *instance,
				   const char *const *names, size_t count);
void ue_open_files_release(bool is_removed);
#else
static inline void ue_open_files_release(bool is_removed)
{
}
#endif

#endif /* USER_EVENTS_INTERNALS_OPEN_FILES_H */
