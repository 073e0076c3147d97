// SPDX-License-Identifier: GPL-2.0-only
#include "internals/dentries.h"

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
 * ue_dentries_root - Returns the root of tracefs
 *
 * Return: the root, without a reference.
 */
struct dentry *ue_dentries_root(void)
{
	return root;
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
 * ue_dentry_event_dir - Finds the directory of an event
 * @instance: the directory of an instance of tracefs
 * @system: name of the directory below events/
 * @name: name of the event
 *
 * Return: the directory, or NULL.
 */
struct dentry *ue_dentry_event_dir(struct dentry *instance, const char *system,
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

	return name ? !strcmp(child->d_name.name, name) : !d_unhashed(child);
}

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(name, names[i]))
			return true;

	return false;
}

/**
 * ue_dentry_has_children - Tells whether a directory has all named children
 * @dir: the directory, with a reference, or NULL
 * @names: names of the children, each once
 * @count: number of names
 *
 * Walks the children, so it is for directories that have few others.
 *
 * Return: false also if @dir is NULL.
 */
bool ue_dentry_has_children(struct dentry *dir, const char *const *names,
			    size_t count)
{
	struct dentry *child = NULL;
	size_t missing = count;

	if (!dir)
		return false;

	spin_lock(&dir->d_lock);
	while (missing && (child = sibling_of(dir, child))) {
		spin_lock_nested(&child->d_lock, DENTRY_D_LOCK_NESTED);
		if (is_wanted(child, NULL) &&
		    is_one_of(child->d_name.name, names, count))
			missing--;
		spin_unlock(&child->d_lock);
	}
	spin_unlock(&dir->d_lock);

	return !missing;
}

/**
 * ue_dentry_next_child - Iterates over the children of a directory
 * @dir: the directory
 * @child: the previous result, which is released, or NULL
 * @name: name of the children; or NULL for all that lookups can find
 *
 * With eventfs, only children in use are in the dentry cache. Lookups do not
 * find those of a removed event.
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
 * ue_dentry_next_instance - Iterates over the instances of tracefs
 * @instance: the previous result, which is released, or NULL
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

static struct timespec64 mtime_of(struct inode *inode)
{
#ifdef HAVE_INODE_GET_MTIME
	return inode_get_mtime(inode);
#else
	return inode->i_mtime;
#endif
}

/**
 * ue_dentry_last_removal - Returns when an instance was last removed
 *
 * The directory of instances has this as modification time, which
 * inode_get_mtime() returns since Linux 6.7 (commit 077c212f0344, "fs: new
 * accessor methods for atime and mtime").
 *
 * Return: the time, to be compared for equality only.
 */
struct timespec64 ue_dentry_last_removal(void)
{
	return instances ? mtime_of(d_inode(instances)) : (struct timespec64){};
}
