// SPDX-License-Identifier: GPL-2.0-only
/*
 * Before eventfs (Linux 6.6) the kernel removes an event although its files are
 * in use:
 *
 * a) Some files have a pointer to the event without a reference. If it is NULL,
 *    they report that the event was deleted.
 * b) The others use their struct trace_event_file in open(), and take a
 *    reference to it last. That reference is counted.
 *
 * One rule for all: under event_mutex, before an event is removed, the pointers
 * of a) are cleared, and the operations of b) are exchanged, so that a later
 * open() fails with ENODEV. A task has a reference to the dentry before it reads
 * the operations. So while the dentries have more references than the kernel has
 * counted for open files, a task might be in an earlier open(), and the
 * structure stays.
 */
#include "internals/event_files.h"

#include <linux/atomic.h>
#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kmemleak.h>
#include <linux/list.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/tracepoint-defs.h>
#include <linux/workqueue.h>

#include "internals/call.h"
#include "internals/dentries.h"
#include "internals/open_files.h"
#include "internals/tracefs.h"

/* Interval in which structures that are not used any more are released. */
#define RELEASE_RETRY_JIFFIES (HZ / 5)

/*
 * Structures that are examined in one hold of event_mutex. A process can have
 * descriptors of any number of them.
 */
#define RELEASE_MAX 16U

/*
 * Files of a) and b). The last ones, those of histograms, change from a) to b)
 * in kernels that have a function to drop the reference. "inject" uses the event
 * when it is written after the removal, as with any other dynamic event.
 */
static const char *const uncounted_files[] = { "format", "trigger", "hist",
					       "hist_debug" };
static const char *const counted_files[] = { "enable", "filter", "inject",
					     "hist", "hist_debug" };

#define NR_HIST_FILES 2

/* Set once by ue_event_files_init(). */
static size_t nr_uncounted_files, nr_counted_files;

/* Number of files of an event, and operations of a file that cannot be opened. */
static unsigned int nr_files;
static const struct file_operations *closed_fops;

/* The kernel's operations of closed files, under event_mutex. */
static const struct file_operations *kernel_fops[ARRAY_SIZE(counted_files)];

/*
 * The directory of a system in the root of tracefs, which has its files, or NULL.
 * With a reference, under event_mutex.
 */
static struct dentry *whole_system;

static void keep_system(struct dentry *system)
{
	dput(whole_system);
	whole_system = dget(system);
}

/*
 * Iterates over the directories of an event in all instances that exist. Returns
 * NULL if @instance becomes NULL.
 */
static struct dentry *next_dir(const struct trace_event_call *call,
			       struct dentry **instance, struct dentry *dir)
{
	dput(dir);
	do {
		*instance = ue_dentry_next_instance(*instance);
		dir = ue_dentry_of_event(*instance, call->class->system,
					 call->tp->name);
	} while (*instance && !dir);

	return dir;
}

static bool is_live(const struct dentry *instance)
{
	return IS_ROOT(instance) || !d_unhashed(instance);
}

/* Returns -EINVAL if the file is none of them. */
static int counted_index(const struct dentry *file)
{
	return match_string(counted_files, nr_counted_files, file->d_name.name);
}

/*
 * Counts the references of tasks to the files that are counted, and sets @data
 * to their struct trace_event_file, unless there is no such file. With
 * @is_closing, exchanges the operations of each file before.
 */
static unsigned int count_users(struct dentry *dir,
				struct trace_event_file **data, bool is_closing)
{
	struct dentry *file = NULL;
	unsigned int users = 0;
	int i;

	while ((file = ue_dentry_next_child(dir, file, NULL))) {
		i = counted_index(file);
		if (i < 0)
			continue;

		if (is_closing) {
			kernel_fops[i] = d_inode(file)->i_fop;
			ue_tracefs_set_fops(file, closed_fops);
			/* Pairs with the reference that precedes open(). */
			smp_mb();
		}
		*data = d_inode(file)->i_private;
		/* One is ours; tracefs has one until it removes the file. */
		users += d_count(file) - 1 - !d_unhashed(file);
	}

	return users;
}

static void reopen(struct dentry *dir)
{
	struct dentry *file = NULL;
	int i;

	while ((file = ue_dentry_next_child(dir, file, NULL))) {
		i = counted_index(file);
		if (i >= 0)
			ue_tracefs_set_fops(file, kernel_fops[i]);
	}
}

/* --- structures that are kept ----------------------------------------------- */

/**
 * struct kept_data - a struct trace_event_file of a removed event
 * @list: entry in kept_list
 * @dir: the directory of its files, with a reference
 * @data: the structure, with a reference
 */
struct kept_data {
	struct list_head list;
	struct dentry *dir;
	struct trace_event_file *data;
};

/* Under event_mutex. */
static LIST_HEAD(kept_list);
static unsigned int kept_count;

static void release_later(struct work_struct *work);
static DECLARE_DELAYED_WORK(release_work, release_later);

/* Keeps @data while files in @dir are in use. The memory is not charged. */
static void keep(struct dentry *dir, struct trace_event_file *data)
{
	struct kept_data *kept =
		kmalloc(sizeof(*kept), GFP_KERNEL | __GFP_NOFAIL);

	kept->dir = dget(dir);
	kept->data = data;
	list_add_tail(&kept->list, &kept_list);
	kept_count++;
	schedule_delayed_work(&release_work, RELEASE_RETRY_JIFFIES);
}

/* --- what the kernel counts ------------------------------------------------- */

/*
 * struct trace_event_file has a reference count since Linux 6.7 (commit
 * bb32500fb9b7, "tracing: Have trace_event_file have ref counters"), and in
 * stable kernels of that time. It is a refcount_t in newer kernels, which is the
 * same in memory. Without it, see open_files.c.
 */
#ifdef HAVE_EVENT_FILE_REF
static atomic_t *refs_of(struct trace_event_file *data)
{
	static_assert(sizeof(data->ref) == sizeof(atomic_t));

	return (atomic_t *)&data->ref;
}

/* The kernel has a reference besides those of open files. */
static unsigned int count_open(struct dentry *dir,
			       struct trace_event_file *data)
{
	return atomic_read(refs_of(data)) - 1;
}

/* Open files need their pointer in close(). */
static void clear_counted(struct dentry *dir)
{
}

static bool can_keep(void)
{
	return unexported_event_file_put_found;
}

static void data_get(struct trace_event_file *data)
{
	atomic_inc(refs_of(data));
}

static void data_put(struct trace_event_file *data)
{
	static_call(unexported_event_file_put)(data);
}
#else
static unsigned int count_open(struct dentry *dir,
			       struct trace_event_file *data)
{
	return ue_open_files_collect(dir, data->tr, counted_files,
				     nr_counted_files);
}

static void clear_counted(struct dentry *dir)
{
	ue_dentry_clear_files(dir, counted_files, nr_counted_files);
}

static bool can_keep(void)
{
	return false;
}

static void data_get(struct trace_event_file *data)
{
}

static void data_put(struct trace_event_file *data)
{
}
#endif

/*
 * Tells whether the event must stay, because a task might be in open(), or keeps
 * what the task uses.
 */
static bool must_stay(const struct trace_event_call *call, bool is_closing)
{
	struct dentry *instance = NULL, *dir = NULL;
	struct trace_event_file *data;
	bool is_opening = false;
	unsigned int users;

	while ((dir = next_dir(call, &instance, dir))) {
		users = count_users(dir, &data, is_closing);
		/* A task takes the reference to the dentry first. */
		smp_rmb();
		if (!users || users <= count_open(dir, data))
			continue;

		is_opening = true;
		if (can_keep()) {
			data_get(data);
			keep(dir, data);
		}
	}

	return is_opening && !can_keep();
}

/*
 * Releases what no task uses. The files cannot be opened any more, so the number
 * of their users only falls. Examines the next RELEASE_MAX structures in turn.
 * Returns whether one was released.
 */
static bool release_unused(void)
{
	unsigned int left = RELEASE_MAX;
	struct trace_event_file *data;
	struct kept_data *kept;
	bool is_released = false;
	LIST_HEAD(list);

	event_mutex_lock();
	list_splice_init(&kept_list, &list);
	while (left-- && !list_empty(&list)) {
		kept = list_first_entry(&list, struct kept_data, list);
		list_move_tail(&kept->list, &kept_list);
		if (count_users(kept->dir, &data, false))
			continue;

		is_released = true;
		list_del(&kept->list);
		kept_count--;
		data_put(kept->data);
		dput(kept->dir);
		kfree(kept);
	}
	list_splice(&list, &kept_list);
	event_mutex_unlock();

	return is_released;
}

static void release_later(struct work_struct *work)
{
	while (release_unused())
		cond_resched();
	if (!list_empty(&kept_list))
		schedule_delayed_work(&release_work, RELEASE_RETRY_JIFFIES);
}

/**
 * ue_event_files_exit - Releases all structures, while tracefs has the module's
 * files
 *
 * What a task still uses, or can use through a descriptor with O_PATH, is never
 * freed.
 */
void ue_event_files_exit(void)
{
	struct kept_data *kept, *next;
	unsigned int left;

	keep_system(NULL);
	cancel_delayed_work_sync(&release_work);
	for (left = kept_count; left; left -= min(left, RELEASE_MAX))
		release_unused();
	list_for_each_entry_safe(kept, next, &kept_list, list) {
		/* Without its directory, no code is left that frees it. */
		kmemleak_not_leak(kept->data);
		dput(kept->dir);
		kfree(kept);
	}
}

/* --- adding and removing an event ------------------------------------------- */

/**
 * ue_event_files_init - Sets the root of tracefs, before events exist
 * @root: the root
 *
 * The files of a system have operations that find their object by comparing the
 * pointer of the inode, so open() of another file fails with ENODEV.
 */
void __init ue_event_files_init(struct dentry *root)
{
	bool hist_is_counted =
		ue_lookup_symbol("tracing_single_release_file_tr");
	struct dentry *file, *dir;

	ue_dentries_init(root);
	file = ue_dentry_of_event(root, "sched", "enable");
	dir = ue_dentry_of_event(root, "sched", "sched_process_exit");

	nr_files = ue_dentry_count(dir);
	if (file && ue_lookup_symbol("tracing_release_file_tr")) {
		closed_fops = d_inode(file)->i_fop;
		nr_counted_files = ARRAY_SIZE(counted_files) -
				   (hist_is_counted ? 0 : NR_HIST_FILES);
	}
	nr_uncounted_files = ARRAY_SIZE(uncounted_files) -
			     (hist_is_counted ? NR_HIST_FILES : 0);

	dput(dir);
	dput(file);
}

static bool has_all_files(struct dentry *dir)
{
	return ue_dentry_count(dir) >= nr_files;
}

static bool is_whole(struct dentry *dir)
{
	struct dentry *enable = ue_dentry_child(dir->d_parent, "enable");
	struct dentry *filter = ue_dentry_child(dir->d_parent, "filter");
	bool is_whole = enable && filter && has_all_files(dir);

	dput(filter);
	dput(enable);
	return is_whole;
}

/*
 * Tells whether the event is in that system, with all its files, without searching
 * for five names. A new directory is the first child.
 */
static bool is_whole_in_system(const struct trace_event_call *call)
{
	struct dentry *dir;
	bool whole;

	if (!whole_system ||
	    strcmp(whole_system->d_name.name, call->class->system))
		return false;

	dir = ue_dentry_next_child(whole_system, NULL, NULL);
	whole = dir && !strcmp(dir->d_name.name, call->tp->name) &&
		has_all_files(dir);
	dput(dir);
	return whole;
}

static bool is_whole_in(struct dentry *instance,
			const struct trace_event_call *call)
{
	struct dentry *dir;
	bool whole;

	if (IS_ROOT(instance) && is_whole_in_system(call))
		return true;

	dir = ue_dentry_of_event(instance, call->class->system, call->tp->name);
	whole = dir && is_whole(dir);
	if (whole && IS_ROOT(instance))
		keep_system(dir->d_parent);

	dput(dir);
	return whole;
}

/**
 * ue_event_files_are_whole - Tells whether an event has all its files
 * @call: an event that was just added, under event_mutex
 *
 * If out of memory, the kernel omits some files of the event, or of its system, or
 * all files of an instance, and reports no error.
 *
 * Return: true if the event has as many files as another one, in all instances.
 */
bool ue_event_files_are_whole(const struct trace_event_call *call)
{
	struct dentry *instance = NULL;
	bool whole = true;

	event_mutex_assert_held();

	while ((instance = ue_dentry_next_instance(instance)))
		if (is_live(instance))
			whole = whole && is_whole_in(instance, call);

	return whole;
}

/**
 * ue_event_files_are_opened - Tells whether the event stays because of its files
 * @call: the event, under event_mutex
 *
 * Return: true if a task might be opening one, and the kernel cannot keep its
 *	   struct trace_event_file without the event.
 */
bool ue_event_files_are_opened(const struct trace_event_call *call)
{
	bool stays;

	event_mutex_assert_held();

	stays = !can_keep() && must_stay(call, false);
	ue_open_files_release(false);
	return stays;
}

/* In an instance that was removed, only dentries in use are left. */
static void clear_in_removed_instances(const struct trace_event_call *call)
{
	struct dentry *instance = NULL;

	while ((instance = ue_dentry_next_instance(instance)))
		if (!is_live(instance))
			ue_dentry_clear_unhashed(instance, call->class->system,
						 call->tp->name,
						 uncounted_files,
						 nr_uncounted_files);
}

/**
 * ue_event_files_close - Prepares the files of an event for its removal
 * @call: the event
 *
 * The event must be removed, and ue_event_files_removed() called, under the same
 * hold.
 *
 * Context: Under event_mutex, which also prevents changes of instances and uses
 *	    of the pointers.
 * Return: 0; or -EBUSY as ue_event_files_are_opened(), and nothing has changed.
 */
int ue_event_files_close(const struct trace_event_call *call)
{
	struct dentry *instance = NULL, *dir = NULL;

	/* A task that opens a file meanwhile would get ENODEV. */
	if (ue_event_files_are_opened(call))
		return -EBUSY;

	if (must_stay(call, true)) {
		ue_event_files_removed(call, false);
		return -EBUSY;
	}

	while ((dir = next_dir(call, &instance, dir))) {
		clear_counted(dir);
		ue_dentry_clear_files(dir, uncounted_files, nr_uncounted_files);
	}
	clear_in_removed_instances(call);

	return 0;
}

/**
 * ue_event_files_removed - Ends the removal of an event
 * @call: the event, under event_mutex
 * @is_removed: whether the event was removed
 */
void ue_event_files_removed(const struct trace_event_call *call,
			    bool is_removed)
{
	struct dentry *instance = NULL, *dir = NULL;

	event_mutex_assert_held();

	ue_open_files_release(is_removed);
	if (whole_system && d_unhashed(whole_system))
		keep_system(NULL);
	while (!is_removed && (dir = next_dir(call, &instance, dir)))
		reopen(dir);
}
