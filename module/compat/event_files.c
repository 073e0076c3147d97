// SPDX-License-Identifier: GPL-2.0-only
/*
 * Before eventfs (Linux 6.6) some files of an event carry a plain pointer to
 * it, without a count, and tell whoever still has them open that the event is
 * gone once that pointer is cleared. This clears it.
 */
#include "event_files.h"

#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <linux/stringhash.h>
#include <linux/time64.h>
#include <linux/trace_events.h>
#include <linux/tracepoint-defs.h>

#include "call.h"

/*
 * The files with a plain pointer. The others of an event are counted, those of
 * histograms since the kernel has a function that gives the count back. One
 * that is counted must keep its pointer; "inject" is such a one, and whoever
 * writes to it reaches an event that is gone, as with any other event.
 */
static const char *const plain_files[] = {
	"format",
	"trigger",
	"hist",
	"hist_debug",
};

/* How many of them; set once by event_files_init(). */
static size_t nr_plain_files = ARRAY_SIZE(plain_files);

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

/* Looks @system/@name up below the "events" of one instance. */
static void disconnect_in(struct dentry *instance, const char *system,
			  const char *name)
{
	struct dentry *dir = event_dir(instance, system, name);
	struct dentry *file;
	size_t i;

	for (i = 0; i < nr_plain_files; i++) {
		file = child_of(dir, plain_files[i]);
		if (file && d_really_is_positive(file))
			WRITE_ONCE(d_inode(file)->i_private, NULL);
		dput(file);
	}

	dput(dir);
}

/*
 * The files of an instance that was removed have no name any more, but whoever
 * opened them before still has them. "trigger" is not among them: what it
 * points at went with the instance.
 */
static void disconnect_nameless(const struct trace_event_call *call)
{
	struct super_block *sb = root->d_sb;
	struct inode *inode;

	spin_lock(&sb->s_inode_list_lock);
	list_for_each_entry(inode, &sb->s_inodes, i_sb_list)
		if (inode->i_private == call)
			WRITE_ONCE(inode->i_private, NULL);
	spin_unlock(&sb->s_inode_list_lock);
}

/**
 * event_files_init - Tells where tracefs is, before there are events
 * @tracefs_root: its root
 */
void event_files_init(struct dentry *tracefs_root)
{
	root = tracefs_root;
	if (borrowed_lookup("tracing_single_release_file_tr"))
		nr_plain_files = 2;
}

/**
 * event_files_last_removal - When was an instance last removed?
 *
 * A directory notes when something was removed from it.
 *
 * Return: the time, of which only matters whether it has changed.
 */
struct timespec64 event_files_last_removal(void)
{
	struct dentry *instances = child_of(root, "instances");
	struct timespec64 time = {};

	if (instances)
		time = d_inode(instances)->i_mtime;

	dput(instances);
	return time;
}

/**
 * event_files_disconnect - Tells open files of an event that it is gone
 * @call: the event
 * @last_removal: what event_files_last_removal() said before it was added
 *
 * To be called just before the event is removed for good, under the tracing
 * mutex, which also keeps instances from coming and going and is held by
 * whoever uses the pointer.
 */
void event_files_disconnect(const struct trace_event_call *call,
			    const struct timespec64 *last_removal)
{
	const char *system = call->class->system;
	const char *name = call->tp->name;
	struct timespec64 removal = event_files_last_removal();
	struct dentry *instances, *instance;

	tracing_assert_held();

	disconnect_in(root, system, name);

	/* To look through all of tracefs takes its time. */
	if (!timespec64_equal(&removal, last_removal))
		disconnect_nameless(call);

	instances = child_of(root, "instances");
	if (!instances)
		return;

	for (instance = next_child(instances, NULL); instance;
	     instance = next_child(instances, instance))
		disconnect_in(instance, system, name);

	dput(instances);
}
