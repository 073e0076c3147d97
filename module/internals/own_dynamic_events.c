// SPDX-License-Identifier: GPL-2.0-only
/*
 * Before Linux 5.0 (commit 5448d44c3855, "tracing: Add unified dynamic event
 * framework"), and in kernels with neither probes nor synthetic events, there is
 * no dynamic_events. This file provides it, for user events only.
 */
#include "internals/dynamic_events.h"

#include <linux/dcache.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "internals/call.h"
#include "internals/dentries.h"
#include "internals/tracefs.h"
#include "internals/words.h"

#ifdef EVENT_CALLS_TAKE_MUTEX
DEFINE_MUTEX(ue_registry_mutex);
#endif

/* All entries, under event_mutex. */
static LIST_HEAD(entries);

/* Our type. Set once by ue_dynamic_events_join(). */
static struct dyn_event_operations *our_ops;

static void *lines_start(struct seq_file *m, loff_t *pos)
{
	event_mutex_lock();
	return seq_list_start(&entries, *pos);
}

static void *lines_next(struct seq_file *m, void *v, loff_t *pos)
{
	return seq_list_next(v, &entries, pos);
}

static void lines_stop(struct seq_file *m, void *v)
{
	event_mutex_unlock();
}

static int lines_show(struct seq_file *m, void *v)
{
	return our_ops->show(m, list_entry(v, struct dyn_event, list));
}

static const struct seq_operations lines = {
	.start = lines_start,
	.next = lines_next,
	.stop = lines_stop,
	.show = lines_show,
};

static bool any_is_busy(void)
{
	struct dyn_event *ev;

	list_for_each_entry(ev, &entries, list)
		if (our_ops->is_busy(ev))
			return true;

	return false;
}

/* Deletes all events, or none if one is busy. */
static int delete_all(void)
{
	struct dyn_event *ev, *next;
	int ret = 0;

	event_mutex_lock();
	if (any_is_busy())
		ret = -EBUSY;
	else
		list_for_each_entry_safe(ev, next, &entries, list) {
			ret = our_ops->free(ev);
			if (ret)
				break;
		}
	event_mutex_unlock();

	return ret;
}

static int file_open(struct inode *inode, struct file *filp)
{
	int ret = 0;

	if (filp->f_mode & FMODE_WRITE && filp->f_flags & O_TRUNC)
		ret = delete_all();

	return ret ?: seq_open(filp, &lines);
}

static int delete_matching(const char *system, const char *name, int argc,
			   const char **argv)
{
	struct dyn_event *ev, *next;
	int ret = -ENOENT;

	event_mutex_lock();
	list_for_each_entry_safe(ev, next, &entries, list) {
		if (!our_ops->match(system, name, argc, argv, ev))
			continue;
		ret = our_ops->free(ev);
		if (ret)
			break;
	}
	event_mutex_unlock();

	return ret;
}

/* "-:[SYSTEM/]NAME [FIELD...]" or "!u:..." */
static int delete_words(int argc, char **argv)
{
	char *name = strchr(argv[0], ':');
	char *system = NULL, *slash;

	if (!name || (argv[0][0] == '-' && name != argv[0] + 1))
		return -EINVAL;

	name++;
	slash = strchr(name, '/');
	if (slash) {
		*slash = '\0';
		system = name;
		name = slash + 1;
	}
	if (!*name)
		return -EINVAL;

	return delete_matching(system, name, argc - 1, (const char **)argv + 1);
}

static int run_line(const char *line)
{
	char **argv;
	int argc, ret = 0;

	argv = argv_split(GFP_KERNEL, line, &argc);
	if (!argv)
		return -ENOMEM;

	if (argc && (argv[0][0] == '-' || argv[0][0] == '!'))
		ret = delete_words(argc, argv);
	else if (argc)
		ret = our_ops->create(line);
	argv_free(argv);

	return ret == -ECANCELED ? -EINVAL : ret;
}

static int run_words(int argc, char **argv)
{
	char *line = join_words(argc, (const char *const *)argv);
	int ret = line ? run_line(line) : -ENOMEM;

	kfree(line);
	return ret;
}

/* Before Linux 5.12, the kernel splits lines, as in dynamic_events.c. */
static bool run_takes_words __ro_after_init;

static ssize_t file_write(struct file *filp, const char __user *from,
			  size_t count, loff_t *pos)
{
	void *run = run_takes_words ? (void *)run_words : (void *)run_line;

	return static_call(unexported_trace_parse_run_command)(filp, from,
							       count, pos, run);
}

static const struct file_operations file_fops = {
	.owner = THIS_MODULE,
	.open = file_open,
	.read = seq_read,
	.llseek = seq_lseek,
	.write = file_write,
	.release = seq_release,
};

static struct tracefs_file file = {
	.name = "dynamic_events",
	.fops = &file_fops,
	.mode = 0640,
};

/**
 * ue_dynamic_events_init - As for kernels with dynamic_events
 *
 * Return: 0.
 */
int __init ue_dynamic_events_init(void)
{
	run_takes_words = ue_lookup_symbol("trace_run_command");
	return 0;
}

/**
 * ue_dynamic_events_add - Adds an entry at the end of dynamic_events
 * @entry: the entry
 */
void ue_dynamic_events_add(struct dyn_event *entry)
{
	event_mutex_assert_held();

	entry->ops = our_ops;
	list_add_tail(&entry->list, &entries);
}

/**
 * ue_dynamic_events_remove - Removes an entry from dynamic_events
 * @entry: the entry
 */
void ue_dynamic_events_remove(struct dyn_event *entry)
{
	event_mutex_assert_held();

	list_del_init(&entry->list);
}

/**
 * ue_dynamic_events_have - Tells whether another event has a name
 * @system: name of the directory below events/
 * @name: name of the event
 *
 * Since Linux 5.0, a kernel with another type of such events has dynamic_events.
 * Before, an event has its directory, unless there was no memory for it. Walking
 * the list of all events instead takes milliseconds if there are thousands.
 */
bool ue_dynamic_events_have(const char *system, const char *name)
{
#ifdef EVENT_CALLS_TAKE_MUTEX
	struct dentry *root = ue_dentry_next_instance(NULL);
	struct dentry *dir = ue_dentry_of_event(root, system, name);
	bool have = dir && d_is_dir(dir);

	event_mutex_assert_held();

	dput(dir);
	dput(root);
	return have;
#else
	return false;
#endif
}

/**
 * ue_dynamic_events_join - Creates the file
 * @ops: our type
 *
 * A failure is not a reason to have no user_events.
 */
void ue_dynamic_events_join(struct dyn_event_operations *ops)
{
	our_ops = ops;
	ue_tracefs_file_publish(&file);
}

/**
 * ue_dynamic_events_leave - Removes the file; no event exists any more
 *
 * On return no task is in a section of event_mutex_lock().
 */
void ue_dynamic_events_leave(void)
{
	ue_tracefs_file_unpublish(&file);
	ue_tracefs_wait_for_openers();
	ue_tracefs_file_remove(&file);

	event_mutex_lock();
	event_mutex_unlock();
}
