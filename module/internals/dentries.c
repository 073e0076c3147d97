// SPDX-License-Identifier: GPL-2.0-only
#include "internals/dentries.h"

#include <linux/dcache.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/stringhash.h>

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

static struct dentry *sibling_of(struct dentry *dir, struct dentry *child)
{
	struct list_head *pos = child ? child->d_child.next
				      : dir->d_subdirs.next;

	if (pos == &dir->d_subdirs)
		return NULL;

	return list_entry(pos, struct dentry, d_child);
}

/* Returns the child behind @child, which it releases, or the first one. */
static struct dentry *next_child(struct dentry *dir, struct dentry *child)
{
	struct dentry *next;
	bool found = false;

	spin_lock(&dir->d_lock);
	for (next = sibling_of(dir, child); next;
	     next = sibling_of(dir, next)) {
		spin_lock_nested(&next->d_lock, DENTRY_D_LOCK_NESTED);
		found = d_really_is_positive(next) && !d_unhashed(next);
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
 * @root: root of tracefs, the first result
 * @instances: the directory of the other instances, or NULL
 * @instance: the previous result, which is released, or NULL
 *
 * Context: Under event_mutex, which also prevents changes of instances.
 * Return: the next instance, or NULL.
 */
struct dentry *ue_dentry_next_instance(struct dentry *root,
				       struct dentry *instances,
				       struct dentry *instance)
{
	if (!instance)
		return dget(root);

	if (instance == root) {
		dput(instance);
		instance = NULL;
	}

	return instances ? next_child(instances, instance) : NULL;
}
