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
#include <linux/list.h>
#include <linux/namei.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/trace_events.h>

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
static const void *pointer_of(const char *file)
{
	static const char *const path[] = { "events", "sched",
					    "sched_process_exit" };
	struct dentry *dentry = dget(ue_dentries_root());
	const void *data;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(path); i++)
		dentry = lookup(dentry, path[i]);
	dentry = lookup(dentry, file);
	if (IS_ERR(dentry))
		return dentry;

	data = d_inode(dentry)->i_private;
	dput(dentry);
	return data;
}

/**
 * ue_event_files_init - Sets the root of tracefs and detects the defect
 * @tracefs_root: the root
 *
 * In kernels without the defect, "format" has the same pointer as "enable": to
 * the event in its instance.
 */
void ue_event_files_init(struct dentry *tracefs_root)
{
	ue_dentries_init(tracefs_root);
	is_needed = pointer_of("format") != pointer_of("enable");
}

/**
 * ue_event_files_last_removal - Returns when an instance was last removed
 *
 * Return: as ue_dentry_last_removal().
 */
struct timespec64 ue_event_files_last_removal(void)
{
	return ue_dentry_last_removal();
}

static void clear_files(struct dentry *dir)
{
	struct dentry *file;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(uncounted_files); i++) {
		file = NULL;
		while ((file = ue_dentry_next_child(dir, file,
						    uncounted_files[i])))
			WRITE_ONCE(d_inode(file)->i_private, NULL);
	}
}

/*
 * The files of a removed instance are not found by their path. "trigger" needs
 * no handling, since it has no pointer to the event itself.
 */
static void clear_unlinked_files(const struct trace_event_call *call)
{
	struct super_block *sb = ue_dentries_root()->d_sb;
	struct inode *inode;

	spin_lock(&sb->s_inode_list_lock);
	list_for_each_entry(inode, &sb->s_inodes, i_sb_list)
		if (inode->i_private == call)
			WRITE_ONCE(inode->i_private, NULL);
	spin_unlock(&sb->s_inode_list_lock);
}

/* A lookup can find that the event is removed, and unhash its dentries. */
static void clear_files_in(struct dentry *instance,
			   const struct trace_event_call *call)
{
	struct dentry *events = ue_dentry_child(instance, "events");
	struct dentry *system = NULL, *dir;

	if (!events)
		return;

	while ((system = ue_dentry_next_child(events, system,
					      call->class->system))) {
		dir = NULL;
		while ((dir = ue_dentry_next_child(system, dir,
						   call->tp->name)))
			clear_files(dir);
	}

	dput(events);
}

/**
 * ue_event_files_removed - Clears the pointers of open files to an event
 * @call: the event
 * @last_removal: result of ue_event_files_last_removal() before the event was
 *		  added
 * @is_removed: whether the event was removed
 *
 * Context: Under event_mutex, and under the same hold in which the event was
 *	    removed.
 */
void ue_event_files_removed(const struct trace_event_call *call,
			    const struct timespec64 *last_removal,
			    bool is_removed)
{
	struct timespec64 removal = ue_event_files_last_removal();
	struct dentry *instance = NULL;

	event_mutex_assert_held();

	if (!is_needed || !is_removed)
		return;

	while ((instance = ue_dentry_next_instance(instance)))
		clear_files_in(instance, call);

	if (!timespec64_equal(&removal, last_removal))
		clear_unlinked_files(call);
}
