// SPDX-License-Identifier: GPL-2.0-only
/*
 * Before eventfs (Linux 6.6) some files of an event have a pointer to it
 * without a reference. If that pointer is NULL, they report to open files that
 * the event was deleted. This file clears the pointers.
 *
 * The other files have a pointer to the event's struct trace_event_file. They
 * take a reference to it at the end of open(), but use it before. So this file
 * keeps a reference while a task may be in open().
 */
#include "internals/event_files.h"

#include <linux/atomic.h>
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/kmemleak.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/trace_events.h>
#include <linux/tracepoint-defs.h>
#include <linux/workqueue.h>

#include "internals/call.h"
#include "internals/dentries.h"
#include "internals/tracefs.h"

/* Interval of checks, and time and interval of the last checks, in ms. */
#define PIN_RETRY_MS 200
#define EXIT_TIMEOUT_MS 1000
#define EXIT_RETRY_MS 20

/*
 * Files with a pointer without a reference. Other files have a reference; those
 * of histograms only since the kernel has a function to drop it. A file with a
 * reference must keep its pointer. "inject" is one of these. Writing to it uses
 * an event that was deleted, as for any other dynamic event.
 */
static const char *const uncounted_files[] = {
	"format",
	"trigger",
	"hist",
	"hist_debug",
};

/* Number of files without a reference; set once by ue_event_files_init(). */
static size_t nr_uncounted_files = ARRAY_SIZE(uncounted_files);

/*
 * Files that take a reference to struct trace_event_file when opened. Those of
 * histograms come last, since on some kernels they take none.
 */
static const char *const counted_files[] = {
	"enable", "filter", "inject", "hist", "hist_debug",
};

#define NR_HIST_FILES 2

/*
 * Files of an event in an instance; the kernel does not report if some of them
 * cannot be created.
 */
static const char *const all_files[] = {
	"enable", "filter", "trigger", "format",
#ifdef CONFIG_PERF_EVENTS
	"id",
#endif
#ifdef CONFIG_HIST_TRIGGERS
	"hist",
#endif
};

/* Files of a system. */
static const char *const system_files[] = { "enable", "filter" };

/* The dentries exist from the start. Set once by ue_event_files_init(). */
static bool dentries_exist;

/**
 * struct pinned_file - the struct trace_event_file of an event in an instance
 * @list: entry in files_of_event, then in pinned_files
 * @file: the structure, with a reference, or a stand-in
 * @original: the structure for which @file stands in, or NULL
 * @dentries: the dentries of its files, with references; some are NULL
 */
struct pinned_file {
	struct list_head list;
	struct trace_event_file *file;
	struct trace_event_file *original;
	struct dentry *dentries[ARRAY_SIZE(counted_files)];
};

/* Files of the event that is being removed, under event_mutex. */
static LIST_HEAD(files_of_event);

/* Files of removed events that a task is opening. */
static LIST_HEAD(pinned_files);

/* Protects pinned_files. Only locks of dput() are taken inside it. */
static DEFINE_MUTEX(pinned_files_mutex);

static void release_pins_later(struct work_struct *work);
static DECLARE_DELAYED_WORK(release_pins_work, release_pins_later);

/*
 * struct trace_event_file has a reference count since Linux 6.7 (commit
 * bb32500fb9b7, "tracing: Have trace_event_file have ref counters"), and in
 * stable kernels of that time. It is a refcount_t in newer kernels. Before, a
 * file that is being opened cannot be protected.
 */
#ifdef HAVE_EVENT_FILE_REF
static bool has_file_refs(void)
{
	return unexported_event_file_get_found &&
	       unexported_event_file_put_found;
}

static bool file_get(struct pinned_file *pin)
{
	static_call(unexported_event_file_get)(pin->file);
	return true;
}

static void file_restore(struct pinned_file *pin)
{
}

static void file_put(struct pinned_file *pin)
{
	static_call(unexported_event_file_put)(pin->file);
}

static unsigned int file_refs(const struct pinned_file *pin)
{
#ifdef HAVE_EVENT_FILE_REF_ATOMIC
	return atomic_read(&pin->file->ref);
#else
	return refcount_read(&pin->file->ref);
#endif
}
#elif defined(HAVE_EVENT_FILE_REF_IGNORED)
/* More than open files can drop. */
#define STAND_IN_REFS (INT_MAX / 2)

static bool has_file_refs(void)
{
	return true;
}

static void set_file(const struct pinned_file *pin,
		     struct trace_event_file *file)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pin->dentries); i++)
		if (pin->dentries[i] && d_really_is_positive(pin->dentries[i]))
			WRITE_ONCE(d_inode(pin->dentries[i])->i_private, file);
}

/*
 * Linux 5.4.y has the reference count, but frees the structure with the event.
 * Open files get another one, which tells that the event was removed. No task
 * uses the original meanwhile, see open_files.c.
 */
static bool file_get(struct pinned_file *pin)
{
	struct trace_event_file *stand_in =
		kzalloc(sizeof(*stand_in), GFP_KERNEL);

	if (!stand_in)
		return false;

	stand_in->tr = pin->file->tr;
	stand_in->flags = EVENT_FILE_FL_FREED;
	atomic_set(&stand_in->ref, STAND_IN_REFS);
	pin->original = pin->file;
	pin->file = stand_in;
	set_file(pin, stand_in);
	return true;
}

static void file_restore(struct pinned_file *pin)
{
	set_file(pin, pin->original);
}

static void file_put(struct pinned_file *pin)
{
	kfree(pin->file);
}

/* The stand-in is needed until the last file is closed. */
static unsigned int file_refs(const struct pinned_file *pin)
{
	return 1;
}
#else
static bool has_file_refs(void)
{
	return false;
}

static bool file_get(struct pinned_file *pin)
{
	return false;
}

static void file_restore(struct pinned_file *pin)
{
}

static void file_put(struct pinned_file *pin)
{
}

static unsigned int file_refs(const struct pinned_file *pin)
{
	return 0;
}
#endif

static size_t nr_counted_files(void)
{
	if (nr_uncounted_files < ARRAY_SIZE(uncounted_files))
		return ARRAY_SIZE(counted_files);

	return ARRAY_SIZE(counted_files) - NR_HIST_FILES;
}

static void put_dentries(struct pinned_file *pin)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pin->dentries); i++)
		dput(pin->dentries[i]);
}

static void unpin_file(struct pinned_file *pin)
{
	put_dentries(pin);
	file_put(pin);
	kfree(pin);
}

/* If out of memory, the file is not protected. */
static void pin_file(struct dentry *dir)
{
	struct pinned_file *pin;
	struct dentry *name;
	size_t i;

	if (!dir || !has_file_refs())
		return;

	pin = kzalloc(sizeof(*pin), GFP_KERNEL);
	if (!pin)
		return;

	for (i = 0; i < nr_counted_files(); i++) {
		name = ue_dentry_child(dir, counted_files[i]);
		pin->dentries[i] = name;
		if (!pin->file && name && d_really_is_positive(name))
			pin->file = d_inode(name)->i_private;
	}

	if (!pin->file || !file_get(pin)) {
		put_dentries(pin);
		kfree(pin);
		return;
	}

	list_add_tail(&pin->list, &files_of_event);
}

/*
 * The dentries of a removed event cannot be looked up any more. A task in
 * open() has a reference to a dentry; after open() it has references to the
 * dentry and to the trace_event_file; close() drops the latter first. So with
 * more references to dentries than to the trace_event_file, a task is in
 * open(), or can call it (O_PATH). The dentries are read first: a task takes
 * the reference to the dentry first.
 */
static bool is_being_opened(const struct pinned_file *pin)
{
	unsigned int dentry_refs = 0, refs;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pin->dentries); i++)
		if (pin->dentries[i])
			dentry_refs += d_count(pin->dentries[i]) - 1;

	smp_rmb();
	refs = file_refs(pin) - 1;

	return dentry_refs > refs;
}

/* Releases the files that no task is opening. Returns whether any is left. */
static bool release_pins(void)
{
	struct pinned_file *pin, *next;
	bool has_more;

	mutex_lock(&pinned_files_mutex);
	list_for_each_entry_safe(pin, next, &pinned_files, list) {
		if (is_being_opened(pin))
			continue;

		list_del(&pin->list);
		unpin_file(pin);
	}
	has_more = !list_empty(&pinned_files);
	mutex_unlock(&pinned_files_mutex);

	return has_more;
}

static void schedule_release_pins(void)
{
	schedule_delayed_work(&release_pins_work,
			      msecs_to_jiffies(PIN_RETRY_MS));
}

static void release_pins_later(struct work_struct *work)
{
	if (release_pins())
		schedule_release_pins();
}

/* Keeps a file of a removed event while a task is opening it. */
static void keep_while_opened(struct pinned_file *pin)
{
	if (!is_being_opened(pin)) {
		unpin_file(pin);
		return;
	}

	mutex_lock(&pinned_files_mutex);
	list_add_tail(&pin->list, &pinned_files);
	mutex_unlock(&pinned_files_mutex);
	schedule_release_pins();
}

/* Handles @system/@name in the "events" directory of an instance. */
static void disconnect_in(struct dentry *instance, const char *system,
			  const char *name)
{
	struct dentry *dir = ue_dentry_event_dir(instance, system, name);
	struct dentry *file;
	size_t i;

	pin_file(dir);

	for (i = 0; i < nr_uncounted_files; i++) {
		file = ue_dentry_child(dir, uncounted_files[i]);
		if (file && d_really_is_positive(file))
			WRITE_ONCE(d_inode(file)->i_private, NULL);
		dput(file);
	}

	dput(dir);
}

/* The last removal of an instance after which no unlinked file was open. */
static struct timespec64 last_clean_removal;

static bool time_has_passed(const struct timespec64 *time)
{
	struct timespec64 now;

	ktime_get_coarse_real_ts64(&now);
	return !timespec64_equal(&now, time);
}

/*
 * The files of a removed instance are unlinked, but a task can still have them
 * open. "trigger" needs no handling: its struct trace_event_file was removed
 * with the instance.
 *
 * Searches all inodes of tracefs. If there is no unlinked file, the search is
 * skipped until the next instance is removed. A removal in the current tick of
 * the clock does not count, since another one could have the same time.
 */
static void disconnect_unlinked(const struct trace_event_call *call,
				const struct timespec64 *removal)
{
	struct super_block *sb = ue_dentries_root()->d_sb;
	bool is_clean = time_has_passed(removal);
	struct inode *inode;

	spin_lock(&sb->s_inode_list_lock);
	list_for_each_entry(inode, &sb->s_inodes, i_sb_list) {
		if (inode->i_nlink || !inode->i_private)
			continue;

		is_clean = false;
		if (inode->i_private == call)
			WRITE_ONCE(inode->i_private, NULL);
	}
	spin_unlock(&sb->s_inode_list_lock);

	if (is_clean)
		last_clean_removal = *removal;
}

/**
 * ue_event_files_init - Sets the root of tracefs, before events exist
 * @tracefs_root: the root
 */
void ue_event_files_init(struct dentry *tracefs_root)
{
	ue_dentries_init(tracefs_root);
	if (ue_lookup_symbol("tracing_single_release_file_tr"))
		nr_uncounted_files = 2;

	dentries_exist = !ue_lookup_symbol("eventfs_create_events_dir");
}

/* Looks up each name, since the directory of a system has a child per event. */
static bool has_files(struct dentry *dir, const char *const *names,
		      size_t count)
{
	struct dentry *file;
	bool has = dir;
	size_t i;

	for (i = 0; i < count && has; i++) {
		file = ue_dentry_child(dir, names[i]);
		has = file && d_really_is_positive(file);
		dput(file);
	}

	return has;
}

/* Checks @system/@name in the "events" directory of an instance. */
static bool is_whole_in(struct dentry *instance, const char *system,
			const char *name)
{
	struct dentry *events = ue_dentry_child(instance, "events");
	struct dentry *system_dir = ue_dentry_child(events, system);
	struct dentry *dir = ue_dentry_child(system_dir, name);
	bool whole =
		has_files(system_dir, system_files, ARRAY_SIZE(system_files)) &&
		ue_dentry_has_children(dir, all_files, ARRAY_SIZE(all_files));

	dput(dir);
	dput(system_dir);
	dput(events);
	return whole;
}

/**
 * ue_event_files_are_whole - Tells whether an event has all its files
 * @call: an event that was just added, under event_mutex
 *
 * If out of memory, the kernel omits some files of the event, or all files of
 * an instance, and reports no error.
 *
 * Return: true if all files exist in all instances, or if the kernel creates
 *	   files on demand.
 */
bool ue_event_files_are_whole(const struct trace_event_call *call)
{
	const char *system = call->class->system;
	const char *name = call->tp->name;
	struct dentry *instance = NULL;
	bool whole = true;

	event_mutex_assert_held();

	if (!dentries_exist)
		return true;

	while ((instance = ue_dentry_next_instance(instance)))
		whole = whole && is_whole_in(instance, system, name);

	return whole;
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

/**
 * ue_event_files_disconnect - Clears the pointers of open files to an event
 * @call: the event
 * @last_removal: result of ue_event_files_last_removal() before the event was
 *		  added
 *
 * Called directly before the event is removed; ue_event_files_removed() must
 * follow.
 *
 * Context: Under event_mutex, which also prevents changes of instances and uses
 *	    of the pointers.
 */
void ue_event_files_disconnect(const struct trace_event_call *call,
			       const struct timespec64 *last_removal)
{
	const char *system = call->class->system;
	const char *name = call->tp->name;
	struct timespec64 removal = ue_event_files_last_removal();
	struct dentry *instance = NULL;

	event_mutex_assert_held();

	if (!timespec64_equal(&removal, last_removal) &&
	    !timespec64_equal(&removal, &last_clean_removal))
		disconnect_unlinked(call, &removal);

	while ((instance = ue_dentry_next_instance(instance)))
		disconnect_in(instance, system, name);
}

/**
 * ue_event_files_removed - Releases the files of the removed event
 * @call: the event
 * @last_removal: as for ue_event_files_disconnect()
 * @is_removed: whether the event was removed
 *
 * Files that a task is opening are released later.
 *
 * Context: Under event_mutex.
 */
void ue_event_files_removed(const struct trace_event_call *call,
			    const struct timespec64 *last_removal,
			    bool is_removed)
{
	struct pinned_file *pin, *next;

	event_mutex_assert_held();

	list_for_each_entry_safe(pin, next, &files_of_event, list) {
		list_del(&pin->list);
		if (is_removed) {
			keep_while_opened(pin);
		} else {
			file_restore(pin);
			unpin_file(pin);
		}
	}
}

/**
 * ue_event_files_exit - Releases all files, while tracefs has the module's
 * files
 *
 * The struct trace_event_file of a file that a task is still opening, or can
 * open through a descriptor with O_PATH, is never freed.
 */
void ue_event_files_exit(void)
{
	struct pinned_file *pin, *next;
	unsigned int time;

	cancel_delayed_work_sync(&release_pins_work);
	for (time = 0; time < EXIT_TIMEOUT_MS && release_pins();
	     time += EXIT_RETRY_MS)
		msleep(EXIT_RETRY_MS);

	list_for_each_entry_safe(pin, next, &pinned_files, list) {
		/* Without its dentries, no code is left that frees it. */
		kmemleak_not_leak(pin->file);
		put_dentries(pin);
		kfree(pin);
	}
}
