// SPDX-License-Identifier: GPL-2.0-only
/*
 * Before eventfs (Linux 6.6) some files of an event carry a plain pointer to
 * it, without a count, and tell whoever still has them open that the event is
 * gone once that pointer is cleared. This clears it.
 *
 * The others carry a pointer to the event's struct trace_event_file, which is
 * counted, but only from the end of open() on: the kernel itself looks at it
 * before. So it is kept here for as long as somebody may be on the way there.
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
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>
#include <linux/trace_events.h>
#include <linux/tracepoint-defs.h>
#include <linux/workqueue.h>

#include "internals/call.h"

/* In milliseconds: how often it is looked, and for how long at the end. */
#define PIN_RETRY_MS 200
#define EXIT_TIMEOUT_MS 1000
#define EXIT_RETRY_MS 20

/*
 * The files with a plain pointer. The others of an event are counted, those of
 * histograms since the kernel has a function that gives the count back. One
 * that is counted must keep its pointer; "inject" is such a one, and whoever
 * writes to it reaches an event that is gone, as with any other event.
 */
static const char *const uncounted_files[] = {
	"format",
	"trigger",
	"hist",
	"hist_debug",
};

/* How many of them; set once by ue_event_files_init(). */
static size_t nr_uncounted_files = ARRAY_SIZE(uncounted_files);

/*
 * The files with a pointer to struct trace_event_file, counted once open; those
 * of histograms, which come last, if they are not plain.
 */
static const char *const counted_files[] = {
	"enable", "filter", "inject", "hist", "hist_debug",
};

#define NR_HIST_FILES 2

/* What the kernel makes of an event in an instance, and tells nobody if not. */
static const char *const all_files[] = {
	"enable", "filter", "trigger", "format",
#ifdef CONFIG_PERF_EVENTS
	"id",
#endif
#ifdef CONFIG_HIST_TRIGGERS
	"hist",
#endif
};

/* And of all events of a kind. */
static const char *const system_files[] = { "enable", "filter" };

/* Has every file a name from the beginning? Set once by ue_event_files_init(). */
static bool dentries_exist;

/**
 * struct pinned_file - the struct trace_event_file of an event in an instance
 * @list: in files_of_event, then in pinned_files
 * @file: the structure, counted
 * @dentries: the names of its files, counted, some NULL
 */
struct pinned_file {
	struct list_head list;
	struct trace_event_file *file;
	struct dentry *dentries[ARRAY_SIZE(counted_files)];
};

/* Those of the event that is being removed, under the tracing mutex. */
static LIST_HEAD(files_of_event);

/* Those of removed events that a task is opening. */
static LIST_HEAD(pinned_files);

/* Protects pinned_files; inside it only what dput() takes is taken. */
static DEFINE_MUTEX(pinned_files_mutex);

static void release_pins_later(struct work_struct *work);
static DECLARE_DELAYED_WORK(release_pins_work, release_pins_later);

/* Root of tracefs: it lives as long as the module's own files in it. */
static struct dentry *root;

/* Everything in tracefs is in the cache of names. To be undone with dput(). */
static struct dentry *child_of(struct dentry *dir, const char *name)
{
	struct qstr qstr = QSTR_INIT(name, strlen(name));

	if (!dir)
		return NULL;

	qstr.hash = full_name_hash(dir, name, qstr.len);
	return d_lookup(dir, &qstr);
}

static struct dentry *next_child(struct dentry *dir, struct dentry *child)
{
	struct dentry *next = NULL;
	struct list_head *pos;

	spin_lock(&dir->d_lock);
	pos = child ? child->d_child.next : dir->d_subdirs.next;
	for (; pos != &dir->d_subdirs && !next; pos = pos->next) {
		next = list_entry(pos, struct dentry, d_child);
		spin_lock_nested(&next->d_lock, DENTRY_D_LOCK_NESTED);
		if (d_really_is_positive(next) && !d_unhashed(next))
			dget_dlock(next);
		else
			next = NULL;
		spin_unlock(&list_entry(pos, struct dentry, d_child)->d_lock);
	}
	spin_unlock(&dir->d_lock);

	dput(child);
	return next;
}

static struct dentry *event_dir(struct dentry *instance, const char *system,
				const char *name)
{
	struct dentry *events = child_of(instance, "events");
	struct dentry *subsystem = child_of(events, system);
	struct dentry *dir = child_of(subsystem, name);

	dput(subsystem);
	dput(events);
	return dir;
}

/*
 * Struct trace_event_file is counted since Linux 6.7 (commit bb32500fb9b7,
 * "tracing: Have trace_event_file have ref counters"), and in the stable
 * kernels of the time. Before, opening is as unsafe as it always was.
 */
#ifdef HAVE_EVENT_FILE_REF
static bool has_file_refs(void)
{
	return unexported_event_file_get_found &&
	       unexported_event_file_put_found;
}

static void file_get(struct trace_event_file *file)
{
	static_call(unexported_event_file_get)(file);
}

static void file_put(struct trace_event_file *file)
{
	static_call(unexported_event_file_put)(file);
}

static unsigned int file_refs(const struct trace_event_file *file)
{
	return atomic_read(&file->ref);
}
#else
static bool has_file_refs(void)
{
	return false;
}

static void file_get(struct trace_event_file *file)
{
}

static void file_put(struct trace_event_file *file)
{
}

static unsigned int file_refs(const struct trace_event_file *file)
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
	file_put(pin->file);
	kfree(pin);
}

/* Without memory it is as it always was. */
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
		name = child_of(dir, counted_files[i]);
		pin->dentries[i] = name;
		if (!pin->file && name && d_really_is_positive(name))
			pin->file = d_inode(name)->i_private;
	}

	if (!pin->file) {
		put_dentries(pin);
		kfree(pin);
		return;
	}

	file_get(pin->file);
	list_add_tail(&pin->list, &files_of_event);
}

/*
 * Nobody finds the name of an event that is gone. Whoever had found it and is
 * about to open it has the name, and whoever has opened it has the name and a
 * count; who closes it gives the count back first. So while there are more
 * names than counts, somebody is on the way, or may set out again (O_PATH).
 * Names are looked at first: a count that comes later had its name before.
 */
static bool is_being_opened(const struct pinned_file *pin)
{
	unsigned int dentry_refs = 0, refs;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pin->dentries); i++)
		if (pin->dentries[i])
			dentry_refs += d_count(pin->dentries[i]) - 1;

	smp_rmb();
	refs = file_refs(pin->file) - 1;

	return dentry_refs > refs;
}

/* Lets go of what need not be kept. Return: is anything left? */
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

/* Keeps a file of a removed event for as long as a task is opening it. */
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

/* Looks @system/@name up below the "events" of one instance. */
static void disconnect_in(struct dentry *instance, const char *system,
			  const char *name)
{
	struct dentry *dir = event_dir(instance, system, name);
	struct dentry *file;
	size_t i;

	pin_file(dir);

	for (i = 0; i < nr_uncounted_files; i++) {
		file = child_of(dir, uncounted_files[i]);
		if (file && d_really_is_positive(file))
			WRITE_ONCE(d_inode(file)->i_private, NULL);
		dput(file);
	}

	dput(dir);
}

/* The last removal of an instance after which no open file was without a name. */
static struct timespec64 last_clean_removal;

static bool time_has_passed(const struct timespec64 *time)
{
	struct timespec64 now;

	ktime_get_coarse_real_ts64(&now);
	return !timespec64_equal(&now, time);
}

/*
 * The files of an instance that was removed have no name any more, but a task
 * that opened them before still has them. "trigger" is not among them: what it
 * points at went with the instance.
 *
 * Looks at all files of tracefs. That need not be done again until the next
 * instance is removed if there are no such files; a removal that may still
 * happen at the same time is another one.
 */
static void disconnect_unlinked(const struct trace_event_call *call,
				const struct timespec64 *removal)
{
	struct super_block *sb = root->d_sb;
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
 * ue_event_files_init - Tells where tracefs is, before there are events
 * @tracefs_root: its root
 */
void ue_event_files_init(struct dentry *tracefs_root)
{
	root = tracefs_root;
	if (ue_lookup_symbol("tracing_single_release_file_tr"))
		nr_uncounted_files = 2;

	dentries_exist = !ue_lookup_symbol("eventfs_create_events_dir");
}

static bool has_files(struct dentry *dir, const char *const *names,
		      size_t count)
{
	struct dentry *file;
	bool has = dir;
	size_t i;

	for (i = 0; i < count && has; i++) {
		file = child_of(dir, names[i]);
		has = file && d_really_is_positive(file);
		dput(file);
	}

	return has;
}

/* Looks @system/@name up below the "events" of one instance. */
static bool is_whole_in(struct dentry *instance, const char *system,
			const char *name)
{
	struct dentry *events = child_of(instance, "events");
	struct dentry *system_dir = child_of(events, system);
	struct dentry *dir = child_of(system_dir, name);
	bool whole =
		has_files(system_dir, system_files, ARRAY_SIZE(system_files)) &&
		has_files(dir, all_files, ARRAY_SIZE(all_files));

	dput(dir);
	dput(system_dir);
	dput(events);
	return whole;
}

/**
 * ue_event_files_are_whole - Has an event got all its files?
 * @call: an event that was just added, under the tracing mutex
 *
 * Without memory the kernel leaves some out, or all those of an instance, and
 * does not tell who adds the event.
 *
 * Return: true if it has, in every instance, or if files are made when they are
 *	   looked for.
 */
bool ue_event_files_are_whole(const struct trace_event_call *call)
{
	const char *system = call->class->system;
	const char *name = call->tp->name;
	struct dentry *instances, *instance;
	bool whole;

	event_mutex_assert_held();

	if (!dentries_exist)
		return true;

	whole = is_whole_in(root, system, name);
	instances = child_of(root, "instances");
	if (!instances)
		return whole;

	for (instance = next_child(instances, NULL); instance;
	     instance = next_child(instances, instance))
		whole = whole && is_whole_in(instance, system, name);

	dput(instances);
	return whole;
}

/**
 * ue_event_files_last_removal - When was an instance last removed?
 *
 * A directory notes when something was removed from it.
 *
 * Return: the time, of which only matters whether it has changed.
 */
struct timespec64 ue_event_files_last_removal(void)
{
	struct dentry *instances = child_of(root, "instances");
	struct timespec64 time = {};

	if (instances)
		time = d_inode(instances)->i_mtime;

	dput(instances);
	return time;
}

/**
 * ue_event_files_disconnect - Tells open files of an event that it is gone
 * @call: the event
 * @last_removal: what ue_event_files_last_removal() said before it was added
 *
 * To be called just before the event is removed for good, under the tracing
 * mutex, which also keeps instances from coming and going and is held by
 * whoever uses the pointer. ue_event_files_removed() is to follow.
 */
void ue_event_files_disconnect(const struct trace_event_call *call,
			       const struct timespec64 *last_removal)
{
	const char *system = call->class->system;
	const char *name = call->tp->name;
	struct timespec64 removal = ue_event_files_last_removal();
	struct dentry *instances, *instance;

	event_mutex_assert_held();

	disconnect_in(root, system, name);

	if (!timespec64_equal(&removal, last_removal) &&
	    !timespec64_equal(&removal, &last_clean_removal))
		disconnect_unlinked(call, &removal);

	instances = child_of(root, "instances");
	if (!instances)
		return;

	for (instance = next_child(instances, NULL); instance;
	     instance = next_child(instances, instance))
		disconnect_in(instance, system, name);

	dput(instances);
}

/**
 * ue_event_files_removed - Lets go of the files of the event that was removed
 * @is_removed: was it?
 *
 * Under the tracing mutex still. A file that a task is opening is kept until
 * that is over. Those of other events are not looked at.
 */
void ue_event_files_removed(bool is_removed)
{
	struct pinned_file *pin, *next;

	event_mutex_assert_held();

	list_for_each_entry_safe(pin, next, &files_of_event, list) {
		list_del(&pin->list);
		if (is_removed)
			keep_while_opened(pin);
		else
			unpin_file(pin);
	}
}

/**
 * ue_event_files_exit - Lets go of all files, while tracefs is still there
 *
 * The structure behind one that somebody is still opening, or may open through
 * a descriptor that was made with O_PATH, is left behind.
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
		/* When its names are gone, nobody is left to free it. */
		kmemleak_not_leak(pin->file);
		put_dentries(pin);
		kfree(pin);
	}
}
