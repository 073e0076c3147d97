// SPDX-License-Identifier: GPL-2.0-only
#include "internals/dynamic_events.h"

#include <linux/cache.h>
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "common.h"
#include "internals/call.h"
#include "internals/words.h"

/* Bytes around an exported variable of tracing to search for the list. */
#define SEARCH_RANGE SZ_32M

/* Interval in which the list of types is left, if out of memory. */
#define RUN_RETRY_MS 10

/* More types of dynamic events than any kernel has. */
#define MAX_TYPES 64

/* The kernel's list of dynamic events. Set once by ue_dynamic_events_init(). */
static struct list_head *events __ro_after_init;

/*
 * The last of our entries, or the head of the list. Ours are in front of all
 * others, which the kernel adds at the end. So a search for a name among the
 * others does not pass ours, of which there can be tens of thousands. Under
 * event_mutex.
 */
static struct list_head *our_last;

/* The kernel passes words, not lines. Set once by ue_dynamic_events_init(). */
static bool create_takes_words __ro_after_init;

/* Our type. Set once by ue_dynamic_events_join(). */
static struct dyn_event_operations *our_ops;

/* The create() of our type, under dyn_event_ops_mutex. */
static int (*create_from_line)(const char *raw_command);

/*
 * create_dyn_event() if create_takes_words: its prototype differs. No such
 * kernel has IBT.
 */
static int (*create_dyn_event_words)(int argc, char **argv) __ro_after_init;

/*
 * A line for our type only, which compares its address. All types reject the
 * text, also that of another copy of the module. It has a blank, because some
 * synthetic types answer lines without one for all types.
 */
static char run_line[] = "= ";

/* Function to run for run_line, and its result, under dyn_event_ops_mutex. */
static int (*to_run)(void);
static int run_result;

static int run(void)
{
	run_result = to_run();
	to_run = NULL;
	return 0;
}

static int create(const char *raw_command)
{
	return raw_command == run_line ? run() : create_from_line(raw_command);
}

static int create_words(int argc, const char *argv[])
{
	char *line;
	int ret;

	if (argv[0] == run_line)
		return run();

	line = join_words(argc, argv);
	if (!line)
		return -ENOMEM;

	ret = create_from_line(line);
	kfree(line);

	return ret;
}

static int run_through_dyn_event_create(int (*function)(void))
{
	struct dyn_event_operations runner = { .create = create };

	to_run = function;
	static_call(unexported_dyn_event_create)(run_line, &runner);
	return run_result;
}

static int run_locked(int (*function)(void))
{
	int ret;

	mutex_lock(unexported_dyn_event_ops_mutex);
	ret = function();
	mutex_unlock(unexported_dyn_event_ops_mutex);
	return ret;
}

/* Passes run_line to all types, until one does not reject it. */
static int pass_run_line(void)
{
	char *words[] = { run_line, NULL };

	if (create_takes_words)
		return create_dyn_event_words(1, words);

	return static_call(unexported_create_dyn_event)(run_line);
}

/*
 * A type before ours rejects the line, unless it is out of memory. None is before
 * ours after it has become the first.
 */
static int run_through_our_type(int (*function)(void))
{
	to_run = function;
	pass_run_line();
	while (READ_ONCE(to_run)) {
		msleep(RUN_RETRY_MS);
		pass_run_line();
	}

	return run_result;
}

/*
 * The kernel has no function to leave the list of types, so the module does it
 * under dyn_event_ops_mutex. Without the name of the mutex, create() of a type
 * does it, which the kernel calls under the mutex: dyn_event_create() calls that
 * of a given type, create_dyn_event() those of all types in the list. Only
 * module init and exit call this, so calls are serialized.
 */
static int run_under_ops_mutex(int (*function)(void))
{
	if (unexported_dyn_event_create_found)
		return run_through_dyn_event_create(function);

	if (unexported_dyn_event_ops_mutex)
		return run_locked(function);

	return run_through_our_type(function);
}

/*
 * Verifies that the list of types can be left. Our type is not in the list yet, so
 * all types must reject the line, unless they are out of memory for it.
 */
static int __init check_leave(void)
{
	int ret;

	if (unexported_dyn_event_create_found || unexported_dyn_event_ops_mutex)
		return 0;

	ret = unexported_create_dyn_event_found ? pass_run_line() : -ENOENT;
	if (ret == -EINVAL)
		return 0;

	if (ret == -ENOMEM)
		return ret;

	pr_err("cannot load: none of dyn_event_create, dyn_event_ops_mutex and create_dyn_event works: needed to leave dynamic_events\n");
	return -ENOEXEC;
}

/*
 * Tells whether an address is the head of the kernel's list. The kernel is
 * asked for the entry behind one whose successor is @candidate. It returns NULL
 * for the head, and does not dereference other addresses.
 */
static bool __init is_list_of_events(struct list_head *candidate)
{
	struct list_head before = { .next = candidate };
	loff_t pos = 0;

	return !static_call(unexported_dyn_event_seq_next)(NULL, &before, &pos);
}

/* Searches in both directions from an exported variable of tracing. */
static struct list_head *__init search_events(void)
{
	unsigned long center =
		ALIGN_DOWN((unsigned long)&tracepoint_srcu, sizeof(long));
	unsigned long distance;

	for (distance = 0; distance < SEARCH_RANGE; distance += sizeof(long)) {
		if (is_list_of_events((struct list_head *)(center + distance)))
			return (struct list_head *)(center + distance);

		if (is_list_of_events((struct list_head *)(center - distance)))
			return (struct list_head *)(center - distance);
	}

	return NULL;
}

static int __init find_events(void)
{
	struct list_head *list = unexported_dyn_event_list;
	bool is_valid = false;

	if (!list)
		list = search_events();

	if (list && is_list_of_events(list)) {
		event_mutex_lock();
		is_valid = list->next->prev == list && list->prev->next == list;
		event_mutex_unlock();
	}

	if (!is_valid) {
		pr_err("cannot load: dyn_event_list not found: needed to list the events in dynamic_events\n");
		return -ENOEXEC;
	}

	events = list;
	our_last = list;
	return 0;
}

/* A type that creates no events. */
static int dry_run_create(const char *raw_command)
{
	return -ECANCELED;
}

static int dry_run_show(struct seq_file *m, struct dyn_event *ev)
{
	return 0;
}

static bool dry_run_is_busy(struct dyn_event *ev)
{
	return true;
}

static int dry_run_free(struct dyn_event *ev)
{
	return -EBUSY;
}

static bool dry_run_match(const char *system, const char *event, int argc,
			  const char **argv, struct dyn_event *ev)
{
	return false;
}

static struct dyn_event_operations dry_run_ops = {
	.create = dry_run_create,
	.show = dry_run_show,
	.is_busy = dry_run_is_busy,
	.free = dry_run_free,
	.match = dry_run_match,
};

static bool __init is_kernel_symbol(const void *address)
{
	char text[KSYM_SYMBOL_LEN];

	/* An address without a symbol is printed as a number. */
	sprint_symbol(text, (unsigned long)address);
	return text[0] != '0';
}

static bool __init type_is_plausible(const struct dyn_event_operations *ops)
{
	return is_kernel_symbol(ops->create) && is_kernel_symbol(ops->show) &&
	       is_kernel_symbol(ops->is_busy) && is_kernel_symbol(ops->free) &&
	       is_kernel_symbol(ops->match);
}

/*
 * The dry run was added at the end of the list. So the head of the list comes
 * next, then all other types, which must have valid callbacks.
 */
static bool __init types_are_plausible(void)
{
	struct list_head *pos = dry_run_ops.list.next;
	int types = 0;

	if (!pos || pos == &dry_run_ops.list)
		return false;

	for (; pos->next != &dry_run_ops.list; pos = pos->next) {
		if (pos->next->prev != pos || ++types > MAX_TYPES ||
		    !type_is_plausible(list_entry(
			    pos->next, struct dyn_event_operations, list)))
			return false;
	}

	return dry_run_ops.list.prev == pos;
}

static int __init dry_run_leave(void)
{
	bool plausible = types_are_plausible();

	/* Else it was not added to a list. */
	if (dry_run_ops.list.next && dry_run_ops.list.prev)
		list_del(&dry_run_ops.list);

	return plausible ? 0 : -ENOEXEC;
}

/* Adds a type. Fails only if a callback is missing. */
static int add_type(struct dyn_event_operations *ops)
{
	create_from_line = ops->create;
	if (create_takes_words)
		ops->create_words = create_words;
	else
		ops->create = create;

	return static_call(unexported_dyn_event_register)(ops);
}

/* Joins and leaves before there are events, to verify both. */
static int __init dry_run(void)
{
	int ret = add_type(&dry_run_ops);

	if (!ret)
		ret = run_under_ops_mutex(dry_run_leave);

	if (ret)
		pr_err("cannot load: dry run in dynamic_events failed: unexpected list of event types\n");

	return ret;
}

/**
 * ue_dynamic_events_init - Verifies the kernel's lists of dynamic_events
 *
 * Return: 0; -ENOEXEC with the reason in the kernel log; or -ENOMEM.
 */
int __init ue_dynamic_events_init(void)
{
	/*
	 * A kernel that passes words has trace_run_command(), which splits the
	 * line. It was removed when the kernel started to pass lines.
	 */
	create_takes_words = ue_lookup_symbol("trace_run_command");
	if (create_takes_words)
		create_dyn_event_words =
			(void *)(ue_lookup_symbol("create_dyn_event") |
				 THUMB_BIT);

	return check_leave() ?: find_events() ?: dry_run();
}

/**
 * ue_dynamic_events_add - Adds an entry to dynamic_events, behind our others
 * @entry: the entry
 */
void ue_dynamic_events_add(struct dyn_event *entry)
{
	event_mutex_assert_held();

	entry->ops = our_ops;
	list_add(&entry->list, our_last);
	our_last = &entry->list;
}

/**
 * ue_dynamic_events_remove - Removes an entry from dynamic_events
 * @entry: the entry
 */
void ue_dynamic_events_remove(struct dyn_event *entry)
{
	event_mutex_assert_held();

	if (our_last == &entry->list)
		our_last = entry->list.prev;

	list_del_init(&entry->list);
}

/**
 * ue_dynamic_events_have - Tells whether an event of another type has a name
 * @system: name of the directory below events/
 * @name: name of the event
 *
 * For example, a kprobe event can be created in any directory.
 */
bool ue_dynamic_events_have(const char *system, const char *name)
{
	const char *no_words[] = { NULL };
	struct list_head *pos;
	struct dyn_event *ev;

	event_mutex_assert_held();

	for (pos = our_last->next; pos != events; pos = pos->next) {
		ev = list_entry(pos, struct dyn_event, list);
		if (ev->ops->match(system, name, 0, no_words, ev))
			return true;
	}

	return false;
}

/* The type was added at the end of the list, so the head comes next. */
static int become_first(void)
{
	list_move(&our_ops->list, our_ops->list.next);
	return 0;
}

/**
 * ue_dynamic_events_join - Adds a type to dynamic_events
 * @ops: the type; only one can be added
 *
 * The kernel asks one type after the other, up to the first that does not answer
 * -ECANCELED. Some kernels have a synthetic type that answers -EINVAL to a line
 * without a blank, such as "u:NAME" (RHEL 9.0 to 9.6), so our type is the first.
 */
void ue_dynamic_events_join(struct dyn_event_operations *ops)
{
	our_ops = ops;
	add_type(ops);
	run_under_ops_mutex(become_first);
}

static int leave(void)
{
	list_del(&our_ops->list);
	return 0;
}

/**
 * ue_dynamic_events_leave - Removes the type; no event exists any more
 *
 * On return no callback of the type is running, and none will be called:
 * create() runs under dyn_event_ops_mutex, the others under event_mutex.
 */
void ue_dynamic_events_leave(void)
{
	run_under_ops_mutex(leave);

	event_mutex_lock();
	event_mutex_unlock();
}
