// SPDX-License-Identifier: GPL-2.0-only
/*
 * Since Linux 6.6 and stable kernels of October 2023 (commit f5ca233e2e66,
 * "tracing: Increase trace array ref count on enable and filter files"), open()
 * of "enable" and "filter" takes a reference to the instance, and close() drops
 * it. Both find the instance through the inode's pointer to the struct
 * trace_event_file, which the kernel clears and frees with the event. The
 * reference count of that structure came two months later. In between, open()
 * and close() of a removed file dereference NULL, and the instance can never be
 * removed. Linux 5.4.y has the reference count, but frees the structure anyway.
 *
 * On these kernels, this file finds the open files of an event before the event
 * is removed, and drops their references to the instance itself. The files then
 * have the operations of "id", which has no release() and reports that the event
 * was deleted. A task in open() is not found, but has a reference to the dentry,
 * see event_files.c.
 */
#include "internals/open_files.h"

#include <linux/dcache.h>
#include <linux/fdtable.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/string.h>
#include <linux/trace.h>

#include "compat/thread.h"
#include "internals/dentries.h"
#include "internals/resolve.h"

/* An event with more open files stays. */
#define MAX_OPEN_FILES 64

/**
 * struct open_file - an open file of the event that is being removed
 * @file: the file, with a reference, so that close() comes after the removal
 * @instance: the instance to which the file has a reference, or NULL
 */
struct open_file {
	struct file *file;
	struct trace_array *instance;
};

/**
 * struct search - the files to search for
 * @dir: their directory
 * @instance: the instance of the directory
 * @names: their names
 * @count: number of names
 */
struct search {
	const struct dentry *dir;
	struct trace_array *instance;
	const char *const *names;
	size_t count;
};

/* Under event_mutex. */
static struct open_file open_files[MAX_OPEN_FILES];
static size_t nr_open_files;

/* The operations of "id" of the event. */
static const struct file_operations *id_fops;

static bool is_collected(const struct file *file)
{
	size_t i;

	for (i = 0; i < nr_open_files; i++)
		if (open_files[i].file == file)
			return true;

	return false;
}

/* Called with the lock of a table of descriptors. */
static int collect_file(const void *data, struct file *file, unsigned int fd)
{
	const struct dentry *dentry = file->f_path.dentry;
	const struct search *search = data;
	struct open_file *open = &open_files[nr_open_files];

	if (READ_ONCE(dentry->d_parent) != search->dir ||
	    match_string(search->names, search->count, dentry->d_name.name) <
		    0 ||
	    nr_open_files == MAX_OPEN_FILES || is_collected(file))
		return 0;

	open->file = get_file(file);
	/* Those opened with O_PATH have no reference. */
	open->instance = file->f_mode & FMODE_PATH ? NULL : search->instance;
	nr_open_files++;

	return 0;
}

/**
 * ue_open_files_collect - Finds the open files of an event that are counted
 * @dir: the directory of the files
 * @instance: its instance
 * @names: names of the files
 * @count: number of names
 *
 * Context: Under event_mutex. ue_open_files_release() must follow.
 * Return: their number; more can be open than are found.
 */
unsigned int ue_open_files_collect(struct dentry *dir,
				   struct trace_array *instance,
				   const char *const *names, size_t count)
{
	const struct search search = { dir, instance, names, count };
	struct dentry *id = ue_dentry_child(dir, "id");
	struct task_struct *process, *task;
	size_t nr_before = nr_open_files;

	if (!id)
		return 0;

	id_fops = d_inode(id)->i_fop;
	dput(id);

	rcu_read_lock();
	for_each_process_thread(process, task)
	{
		if (task != process &&
		    READ_ONCE(task->files) == READ_ONCE(process->files))
			continue;

		task_lock(task);
		if (task->files)
			iterate_fd(task->files, 0, collect_file, &search);
		task_unlock(task);
	}
	rcu_read_unlock();

	return nr_open_files - nr_before;
}

static void instance_put(struct trace_array *instance)
{
#ifdef HAVE_TRACE_ARRAY_PUT
	trace_array_put(instance);
#else
	static_call(unexported_trace_array_put)(instance);
#endif
}

/**
 * ue_open_files_release - Releases the files that were found
 * @is_removed: whether the event was removed
 *
 * Context: Under event_mutex.
 */
void ue_open_files_release(bool is_removed)
{
	while (nr_open_files) {
		struct open_file *open = &open_files[--nr_open_files];

		if (is_removed && open->instance) {
			WRITE_ONCE(open->file->f_op, id_fops);
			instance_put(open->instance);
		}
		fput(open->file);
	}
}
