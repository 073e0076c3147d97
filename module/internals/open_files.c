// SPDX-License-Identifier: GPL-2.0-only
/*
 * Since Linux 6.6 and stable kernels of October 2023 (commit f5ca233e2e66,
 * "tracing: Increase trace array ref count on enable and filter files"), open()
 * of "enable" and "filter" takes a reference to the instance, and close() drops
 * it. Both find the instance through the inode's pointer to the struct
 * trace_event_file, which the kernel clears and frees with the event. The
 * reference count of that structure came two months later. In between, open()
 * of a removed file dereferences NULL, and close() leaves a reference behind, so
 * that the instance can never be removed.
 *
 * Linux 5.4.y has that reference count, but frees the structure anyway.
 * There open files get another structure, see event_files.c.
 *
 * On these kernels, this file finds the open files of an event before the event
 * is removed, and drops their references to the instance itself. A task in
 * open() is not found, but has a reference to the dentry. An event with such a
 * reference stays.
 */
#include "internals/open_files.h"

#include <linux/cache.h>
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#include "internals/call.h"
#include "internals/dentries.h"
#include "internals/resolve.h"
#include "internals/tracefs.h"

/* Whether close() of a file of a removed event finds the instance. */
#ifdef HAVE_EVENT_FILE_REF_IGNORED
#define CLOSE_DROPS_INSTANCE true
#else
#define CLOSE_DROPS_INSTANCE false
#endif

/* An event with more open files stays. */
#define MAX_OPEN_FILES 64

static const char *const file_names[] = { "enable", "filter", "inject" };

#define NR_FILES ARRAY_SIZE(file_names)

/**
 * struct open_file - an open file of the event that is being removed
 * @file: the file, with a reference, so that close() comes after the removal
 * @instance: the instance to which the file has a reference, or NULL
 */
struct open_file {
	struct file *file;
	struct trace_array *instance;
};

/* Under event_mutex. */
static struct open_file open_files[MAX_OPEN_FILES];
static size_t nr_open_files;

/* The kernel's operations of each file while it is suspended; event_mutex. */
static const struct file_operations *suspended_fops[NR_FILES];

/* Whether files are suspended, under event_mutex. */
static bool is_suspended;

/* Whether the kernel has the defect. Set once by ue_open_files_init(). */
static bool is_needed __ro_after_init;

static bool is_collected(const struct file *file)
{
	size_t i;

	for (i = 0; i < nr_open_files; i++)
		if (open_files[i].file == file)
			return true;

	return false;
}

/* Called with the lock of a table of descriptors. */
static int collect_file(const void *dentry, struct file *file, unsigned int fd)
{
	if (file->f_path.dentry != dentry || nr_open_files == MAX_OPEN_FILES ||
	    is_collected(file))
		return 0;

	open_files[nr_open_files++] = (struct open_file){ get_file(file) };
	return 0;
}

static void collect_from_tasks(const struct dentry *dentry)
{
	struct task_struct *process, *task;

	rcu_read_lock();
	for_each_process_thread(process, task)
	{
		if (task != process &&
		    READ_ONCE(task->files) == READ_ONCE(process->files))
			continue;

		task_lock(task);
		if (task->files)
			iterate_fd(task->files, 0, collect_file, dentry);
		task_unlock(task);
	}
	rcu_read_unlock();
}

static unsigned int nr_users(struct dentry *dentry)
{
	unsigned int refs;

	spin_lock(&dentry->d_lock);
	refs = d_count(dentry);
	spin_unlock(&dentry->d_lock);

	/* One of tracefs, one of the caller. */
	return refs - 2;
}

/*
 * Collects the open files of a dentry. Returns false if a task that has none of
 * them has a reference to the dentry. The collected files keep theirs, so the
 * references are counted last.
 */
static bool collect_files_of(struct dentry *dentry,
			     const struct file_operations *fops)
{
	const struct trace_event_file *data = d_inode(dentry)->i_private;
	size_t i = nr_open_files, nr_before = nr_open_files;

	if (!nr_users(dentry))
		return true;

	collect_from_tasks(dentry);
	/* Others were opened with O_PATH, or while the file was suspended. */
	for (; i < nr_open_files; i++)
		if (!CLOSE_DROPS_INSTANCE && open_files[i].file->f_op == fops)
			open_files[i].instance = data->tr;

	return nr_users(dentry) == nr_open_files - nr_before;
}

/* Calls @function for each file of an event, until it returns false. */
static bool for_each_file(const struct trace_event_call *call,
			  bool (*function)(struct dentry *file, size_t index))
{
	struct dentry *instance = NULL, *dir, *file;
	bool ret = true;
	size_t i;

	while ((instance = ue_dentry_next_instance(instance))) {
		dir = ue_dentry_event_dir(instance, call->class->system,
					  call->tp->name);
		for (i = 0; i < NR_FILES; i++) {
			file = ue_dentry_child(dir, file_names[i]);
			if (ret && file && d_really_is_positive(file))
				ret = function(file, i);
			dput(file);
		}
		dput(dir);
	}

	return ret;
}

static bool collect(struct dentry *file, size_t index)
{
	return collect_files_of(file, suspended_fops[index]);
}

static void instance_put(struct trace_array *instance)
{
#ifdef HAVE_TRACE_ARRAY_PUT
	trace_array_put(instance);
#else
	static_call(unexported_trace_array_put)(instance);
#endif
}

static void release_open_files(bool is_removed)
{
	while (nr_open_files) {
		struct open_file *open = &open_files[--nr_open_files];

		if (is_removed && open->instance)
			instance_put(open->instance);
		fput(open->file);
	}
}

/*
 * With these operations, open() fails with ENODEV once the event is removed: it
 * needs an inode whose pointer is NULL then.
 */
static const struct file_operations *trigger_fops(struct dentry *file)
{
	struct dentry *trigger = ue_dentry_child(file->d_parent, "trigger");
	const struct file_operations *fops = NULL;

	if (!CLOSE_DROPS_INSTANCE && trigger && d_really_is_positive(trigger))
		fops = d_inode(trigger)->i_fop;

	dput(trigger);
	return fops;
}

static bool suspend(struct dentry *file, size_t index)
{
	const struct file_operations *fops = trigger_fops(file);

	suspended_fops[index] = d_inode(file)->i_fop;
	if (fops)
		ue_tracefs_file_publish(file, fops);
	else
		ue_tracefs_file_unpublish(file);

	return true;
}

static bool resume(struct dentry *file, size_t index)
{
	ue_tracefs_file_publish(file, suspended_fops[index]);
	return true;
}

/**
 * ue_open_files_init - Detects the defect
 *
 * Context: After ue_event_files_init().
 */
void __init ue_open_files_init(void)
{
	is_needed = ue_lookup_symbol("tracing_release_file_tr");
}

/**
 * ue_open_files_are_known - Tells whether all users of files are open files
 * @call: the event, under event_mutex
 *
 * Return: false if the event must stay for now.
 */
bool ue_open_files_are_known(const struct trace_event_call *call)
{
	bool known;

	event_mutex_assert_held();

	if (!is_needed)
		return true;

	known = for_each_file(call, collect);
	release_open_files(false);
	return known;
}

/**
 * ue_open_files_suspend - Prevents that open files lose their event
 * @call: the event, under event_mutex
 *
 * Exchanges the operations of the files, so that a task that opens one from now
 * on does not access the inode's pointer. open() reads the operations after it
 * has taken a reference to the dentry. So a task that has read the previous
 * ones, and has not returned from open(), has a reference that no open file has.
 *
 * Return: 0, and ue_open_files_removed() must follow; or -EBUSY, and nothing has
 *	   changed.
 */
int ue_open_files_suspend(const struct trace_event_call *call)
{
	if (!is_needed)
		return 0;

	/* A task that opens a file meanwhile must not get other operations. */
	if (!ue_open_files_are_known(call))
		return -EBUSY;

	for_each_file(call, suspend);
	is_suspended = true;
	/* Pairs with the reference that precedes open(). */
	smp_mb();
	if (for_each_file(call, collect))
		return 0;

	ue_open_files_removed(call, false);
	return -EBUSY;
}

/**
 * ue_open_files_disconnected - Restores files that can be opened again
 * @call: the event, under event_mutex, after ue_event_files_disconnect()
 *
 * Without this, open() of a file of a removed event would succeed through a
 * descriptor with O_PATH.
 */
void ue_open_files_disconnected(const struct trace_event_call *call)
{
	if (CLOSE_DROPS_INSTANCE && is_suspended)
		for_each_file(call, resume);
}

/**
 * ue_open_files_removed - Ends the removal of an event
 * @call: the event, under event_mutex
 * @is_removed: whether the event was removed
 */
void ue_open_files_removed(const struct trace_event_call *call, bool is_removed)
{
	event_mutex_assert_held();

	if (!is_needed)
		return;

	is_suspended = false;
	release_open_files(is_removed);
	if (!is_removed)
		for_each_file(call, resume);
}
