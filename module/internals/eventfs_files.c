// SPDX-License-Identifier: GPL-2.0-only
/*
 * With eventfs (Linux 6.6), and before Linux 6.11 and stable kernels of that time
 * (commit b1560408692c, "tracing: Have format file honor EVENT_FILE_FL_FREED"),
 * "format" and "trigger" have a pointer to the event without a reference. Open
 * files use it after the event was removed. If the pointer is NULL, they report
 * that the event was deleted. This file clears the pointers.
 *
 * All uses are under event_mutex, and eventfs creates no inode of a removed
 * event. So the pointers are cleared after the event was removed, before
 * event_mutex is released.
 */
#include "internals/event_files.h"

#include <linux/dcache.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/namei.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint-defs.h>

#include "internals/call.h"
#include "internals/dentries.h"

static const char *const uncounted_files[] = { "trigger", "format" };

/* Whether the kernel has the defect. Set once by ue_event_files_init(). */
static bool is_needed;

/* Returns a child of @dir, which it releases, or an ERR_PTR. */
static struct dentry *lookup(struct dentry *dir, const char *name)
{
	struct dentry *child = ERR_CAST(dir);

	if (!IS_ERR(dir)) {
		child = lookup_one_len_unlocked(name, dir, strlen(name));
		dput(dir);
	}

	if (!IS_ERR(child) && d_really_is_negative(child)) {
		dput(child);
		child = ERR_PTR(-ENOENT);
	}

	return child;
}

/* Returns the pointer of a file of an event that all kernels have. */
static const void *pointer_of(struct dentry *root, const char *file)
{
	const char *const path[] = { "events", "sched", "sched_process_exit",
				     file };
	struct dentry *dentry = dget(root);
	const void *data;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(path); i++)
		dentry = lookup(dentry, path[i]);
	if (IS_ERR(dentry))
		return dentry;

	data = d_inode(dentry)->i_private;
	dput(dentry);
	return data;
}

/**
 * ue_event_files_init - Sets the root of tracefs and detects the defect
 * @root: the root
 *
 * In kernels without the defect, "format" has the same pointer as "enable": to
 * the event in its instance. If the caller may not search tracefs, the kernel
 * counts as one with the defect, since others only report that an event that was
 * removed is deleted, too.
 */
void ue_event_files_init(struct dentry *root)
{
	const void *format = pointer_of(root, "format");

	ue_dentries_init(root);
	is_needed = IS_ERR(format) || format != pointer_of(root, "enable");
}

/**
 * ue_event_files_removed - Clears the pointers of open files to an event
 * @call: the event
 * @is_removed: whether the event was removed
 *
 * A lookup can find that the event is removed, and unhash its dentries.
 *
 * Context: Under event_mutex, and under the same hold in which the event was
 *	    removed.
 */
void ue_event_files_removed(const struct trace_event_call *call,
			    bool is_removed)
{
	struct dentry *instance = NULL;

	event_mutex_assert_held();

	while (is_needed && is_removed &&
	       (instance = ue_dentry_next_instance(instance)))
		ue_dentry_clear_unhashed(instance, call->class->system,
					 call->tp->name, uncounted_files,
					 ARRAY_SIZE(uncounted_files));
}
