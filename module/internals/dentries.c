// SPDX-License-Identifier: GPL-2.0-only
#include "internals/dentries.h"

#include <linux/compiler.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/stringhash.h>

/*
 * The root of tracefs and its directory of instances, which tracefs creates at
 * boot and never removes. Valid as long as the module has files in tracefs.
 */
static struct dentry *root, *instances;

/**
 * ue_dentries_init - Sets the root of tracefs and finds the instances
 * @tracefs_root: the root
 *
 * Context: Before all other functions for dentries.
 */
void ue_dentries_init(struct dentry *tracefs_root)
{
	struct dentry *dir = ue_dentry_child(tracefs_root, "instances");

	root = tracefs_root;
	instances = dir && d_really_is_positive(dir) ? dir : NULL;
	dput(dir);
}

/**
 * ue_dentry_child - Finds a child in the dentry cache
 * @dir: the directory, or NULL
 * @name: name of the child
 *
 * Without eventfs, tracefs has all its dentries in the dentry cache.
 *
 * Return: the child, or NULL.
 */
struct dentry *ue_dentry_child(struct dentry *dir, const char *name)
{
	struct qstr qstr = QSTR_INIT(name, strlen(name));

	if (!dir)
		return NULL;

	qstr.hash = full_name_hash(dir, name, qstr.len);
	return d_lookup(dir, &qstr);
}

/**
 * ue_dentry_of_event - Finds the directory of an event in the dentry cache
 * @instance: an instance of tracefs, or NULL
 * @system: name of the directory below events/
 * @name: name of the event, or of a file of the system
 *
 * Return: the directory or file, or NULL.
 */
struct dentry *ue_dentry_of_event(struct dentry *instance, const char *system,
				  const char *name)
{
	struct dentry *events = ue_dentry_child(instance, "events");
	struct dentry *subsystem = ue_dentry_child(events, system);
	struct dentry *dir = ue_dentry_child(subsystem, name);

	dput(subsystem);
	dput(events);
	return dir;
}

/*
 * Children are in an hlist since Linux 6.8 (commit da549bdd15c2, "dentry: switch
 * the lists of children to hlist").
 */
static struct dentry *sibling_of(struct dentry *dir, struct dentry *child)
{
#ifdef HAVE_D_CHILDREN
	struct hlist_node *pos = child ? child->d_sib.next
				       : dir->d_children.first;

	return hlist_entry_safe(pos, struct dentry, d_sib);
#else
	struct list_head *pos = child ? child->d_child.next
				      : dir->d_subdirs.next;

	if (pos == &dir->d_subdirs)
		return NULL;

	return list_entry(pos, struct dentry, d_child);
#endif
}

/* Called with d_lock of the child. */
static bool is_wanted(const struct dentry *child, const char *name)
{
	if (!d_really_is_positive(child) ||
	    __lockref_is_dead(&child->d_lockref))
		return false;

	return !name || !strcmp(child->d_name.name, name);
}

/**
 * ue_dentry_next_child - Iterates over the children of a directory
 * @dir: the directory
 * @child: the previous result, which is released, or NULL
 * @name: name of the children; or NULL for all
 *
 * Also returns children that were removed and are still in use. With eventfs,
 * only children in use are in the dentry cache.
 *
 * Return: the next child, or NULL.
 */
struct dentry *ue_dentry_next_child(struct dentry *dir, struct dentry *child,
				    const char *name)
{
	struct dentry *next;
	bool found = false;

	spin_lock(&dir->d_lock);
	for (next = sibling_of(dir, child); next;
	     next = sibling_of(dir, next)) {
		spin_lock_nested(&next->d_lock, DENTRY_D_LOCK_NESTED);
		found = is_wanted(next, name);
		if (found)
			dget_dlock(next);
		spin_unlock(&next->d_lock);
		if (found)
			break;
	}
	spin_unlock(&dir->d_lock);

	dput(child);
	return next;
}

/**
 * ue_dentry_count - Counts the children of a directory that lookups find
 * @dir: the directory, or NULL
 */
unsigned int ue_dentry_count(struct dentry *dir)
{
	struct dentry *child = NULL;
	unsigned int count = 0;

	if (!dir)
		return 0;

	spin_lock(&dir->d_lock);
	while ((child = sibling_of(dir, child)))
		count += simple_positive(child);
	spin_unlock(&dir->d_lock);

	return count;
}

/**
 * ue_dentry_next_instance - Iterates over the instances of tracefs
 * @instance: the previous result, which is released, or NULL
 *
 * Also returns instances that were removed and have files in use.
 *
 * Context: Under event_mutex, which also prevents changes of instances.
 * Return: the next instance, or NULL; the first one is the root of tracefs.
 */
struct dentry *ue_dentry_next_instance(struct dentry *instance)
{
	if (!instance)
		return dget(root);

	if (instance == root) {
		dput(instance);
		instance = NULL;
	}

	return instances ? ue_dentry_next_child(instances, instance, NULL)
			 : NULL;
}

/**
 * ue_dentry_clear_files - Clears the pointers of files of an event
 * @dir: a directory of the event
 * @names: names of the files
 * @count: number of names
 */
void ue_dentry_clear_files(struct dentry *dir, const char *const *names,
			   size_t count)
{
	struct dentry *file;
	size_t i;

	for (i = 0; i < count; i++) {
		file = NULL;
		while ((file = ue_dentry_next_child(dir, file, names[i])))
			WRITE_ONCE(d_inode(file)->i_private, NULL);
	}
}

/**
 * ue_dentry_clear_unhashed - Clears pointers in directories that lookups miss
 * @instance: an instance of tracefs
 * @system: name of the directory below events/
 * @event: name of the event
 * @names: names of the files
 * @count: number of names
 *
 * Walks all children, so it is for an instance of which only dentries in use are
 * in the dentry cache. Files of an event of that name that was removed before
 * have no pointer any more.
 */
void ue_dentry_clear_unhashed(struct dentry *instance, const char *system,
			      const char *event, const char *const *names,
			      size_t count)
{
	struct dentry *events = NULL, *dir, *event_dir;

	while ((events = ue_dentry_next_child(instance, events, "events"))) {
		dir = NULL;
		while ((dir = ue_dentry_next_child(events, dir, system))) {
			event_dir = NULL;
			while ((event_dir = ue_dentry_next_child(dir, event_dir,
								 event)))
				ue_dentry_clear_files(event_dir, names, count);
		}
	}
}
