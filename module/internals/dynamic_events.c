// SPDX-License-Identifier: GPL-2.0-only
#include "internals/dynamic_events.h"

#include <linux/cache.h>
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

/* How far from another variable of tracing the list is looked for, in bytes. */
#define SEARCH_RANGE SZ_32M

/* More kinds of dynamic events than any kernel has. */
#define MAX_KINDS 64

/* The kernel's list of dynamic events. Set once by dynamic_events_init(). */
static struct list_head *events __ro_after_init;

/* Does the kernel hand on words, not lines? Set once by dynamic_events_init(). */
static bool by_words __ro_after_init;

/* The kind of ours. Set once by dynamic_events_join(). */
static struct dyn_event_operations *our_kind;

/* What creates events of a line, where by_words; under dyn_event_ops_mutex. */
static int (*create_from_line)(const char *raw_command);

/* The words of a line, one blank between two; to be released with kfree(). */
static char *join(int argc, const char *argv[])
{
	size_t size = 1;
	char *line;
	int i;

	for (i = 0; i < argc; i++)
		size += strlen(argv[i]) + 1;

	line = kzalloc(size, GFP_KERNEL);
	for (i = 0; line && i < argc; i++) {
		if (i)
			strcat(line, " ");
		strcat(line, argv[i]);
	}

	return line;
}

static int create_from_words(int argc, const char *argv[])
{
	char *line = join(argc, argv);
	int ret;

	if (!line)
		return -ENOMEM;

	ret = create_from_line(line);
	kfree(line);

	return ret;
}

/* What run_under_ops_mutex() is to run. */
static int (*to_run)(void);

static int run(const char *raw_command)
{
	return to_run();
}

/*
 * The kernel's dyn_event_create() does nothing but to call create() under
 * dyn_event_ops_mutex, so that the mutex itself need not be known. Callers are
 * the beginning and the end of the module, one at a time.
 */
static int run_under_ops_mutex(int (*function)(void))
{
	struct dyn_event_operations runner = { .create = run };
	int ret;

	if (borrowed_dyn_event_create_found) {
		to_run = function;
		return static_call(borrowed_dyn_event_create)("", &runner);
	}

	mutex_lock(borrowed_dyn_event_ops_mutex);
	ret = function();
	mutex_unlock(borrowed_dyn_event_ops_mutex);
	return ret;
}

/*
 * Is this the head of the kernel's list? The kernel is asked which entry comes
 * after one whose successor is @candidate. It says none if that is the head,
 * and does not look at it otherwise.
 */
static bool __init is_list_of_events(struct list_head *candidate)
{
	struct list_head before = { .next = candidate };
	loff_t pos = 0;

	return !static_call(borrowed_dyn_event_seq_next)(NULL, &before, &pos);
}

/* Near a variable of tracing that is exported, ever further away from it. */
static struct list_head *__init search_events(void)
{
	unsigned long centre =
		ALIGN_DOWN((unsigned long)&tracepoint_srcu, sizeof(long));
	unsigned long distance;

	for (distance = 0; distance < SEARCH_RANGE; distance += sizeof(long)) {
		if (is_list_of_events((struct list_head *)(centre + distance)))
			return (struct list_head *)(centre + distance);

		if (is_list_of_events((struct list_head *)(centre - distance)))
			return (struct list_head *)(centre - distance);
	}

	return NULL;
}

static int __init find_events(void)
{
	struct list_head *list = borrowed_dyn_event_list;
	bool sound = false;

	if (!list)
		list = search_events();

	if (list && is_list_of_events(list)) {
		tracing_lock();
		sound = list->next->prev == list && list->prev->next == list;
		tracing_unlock();
	}

	if (!sound) {
		pr_err("cannot load: dyn_event_list, needed to list the events in dynamic_events, was not found in this kernel\n");
		return -ENOEXEC;
	}

	events = list;
	return 0;
}

/* A kind that makes no events. */
static int rehearse_create(const char *raw_command)
{
	return -ECANCELED;
}

static int rehearse_create_words(int argc, const char *argv[])
{
	return -ECANCELED;
}

static int rehearse_show(struct seq_file *m, struct dyn_event *ev)
{
	return 0;
}

static bool rehearse_is_busy(struct dyn_event *ev)
{
	return true;
}

static int rehearse_free(struct dyn_event *ev)
{
	return -EBUSY;
}

static bool rehearse_match(const char *system, const char *event, int argc,
			   const char **argv, struct dyn_event *ev)
{
	return false;
}

static struct dyn_event_operations rehearsal = {
	.show = rehearse_show,
	.is_busy = rehearse_is_busy,
	.free = rehearse_free,
	.match = rehearse_match,
};

static bool __init is_kernel_symbol(const void *address)
{
	char text[KSYM_SYMBOL_LEN];

	/* An address without a name is printed as a number. */
	sprint_symbol(text, (unsigned long)address);
	return text[0] != '0';
}

static bool __init kind_is_plausible(const struct dyn_event_operations *ops)
{
	return is_kernel_symbol(ops->create) && is_kernel_symbol(ops->show) &&
	       is_kernel_symbol(ops->is_busy) && is_kernel_symbol(ops->free) &&
	       is_kernel_symbol(ops->match);
}

/*
 * The rehearsal went to the end of the list, so the list's head comes next, and
 * then every other kind. They must be what they are taken for.
 */
static bool __init kinds_are_plausible(void)
{
	struct list_head *pos = rehearsal.list.next;
	int kinds = 0;

	if (!pos || pos == &rehearsal.list)
		return false;

	for (; pos->next != &rehearsal.list; pos = pos->next) {
		if (pos->next->prev != pos || ++kinds > MAX_KINDS ||
		    !kind_is_plausible(list_entry(
			    pos->next, struct dyn_event_operations, list)))
			return false;
	}

	return rehearsal.list.prev == pos;
}

static int __init end_rehearsal(void)
{
	bool plausible = kinds_are_plausible();

	/* Else it went nowhere. */
	if (rehearsal.list.next && rehearsal.list.prev)
		list_del(&rehearsal.list);

	return plausible ? 0 : -ENOEXEC;
}

/* Joins and leaves once while nobody can be harmed, to see that both work. */
static int __init rehearse(void)
{
	int ret;

	if (by_words)
		rehearsal.create_words = rehearse_create_words;
	else
		rehearsal.create = rehearse_create;

	ret = static_call(borrowed_dyn_event_register)(&rehearsal);
	if (!ret)
		ret = run_under_ops_mutex(end_rehearsal);

	if (ret)
		pr_err("cannot load: the kinds of dynamic events in this kernel are not what this module was made for\n");

	return ret;
}

/**
 * dynamic_events_init - Finds out how dynamic_events works in this kernel
 *
 * Return: 0, or -ENOEXEC with the reason in the kernel log.
 */
int __init dynamic_events_init(void)
{
	/*
	 * As long as kinds were handed words, trace_run_command() cut the line.
	 * It is gone since they are handed lines.
	 */
	by_words = borrowed_lookup("trace_run_command");

	if (!borrowed_dyn_event_create_found && !borrowed_dyn_event_ops_mutex) {
		pr_err("cannot load: neither dyn_event_create nor dyn_event_ops_mutex, needed to leave dynamic_events, was found in this kernel\n");
		return -ENOEXEC;
	}

	return find_events() ?: rehearse();
}

static bool is_ours(const struct list_head *pos)
{
	return pos != events &&
	       list_entry(pos, struct dyn_event, list)->ops == our_kind;
}

static struct dyn_entry *to_entry(struct list_head *pos)
{
	return list_entry(pos, struct dyn_entry, ev.list);
}

/**
 * dynamic_events_add - Puts an entry of ours at the end of dynamic_events
 * @entry: the entry
 */
void dynamic_events_add(struct dyn_entry *entry)
{
	struct list_head *tail = events->prev;

	tracing_assert_held();

	entry->first = entry;
	entry->last = entry;
	if (is_ours(tail)) {
		/* What was the end of a row no longer is. */
		entry->last = NULL;
		entry->first = to_entry(tail)->first;
		to_entry(tail)->first = NULL;
		entry->first->last = entry;
	}

	entry->ev.ops = our_kind;
	list_add_tail(&entry->ev.list, events);
}

/**
 * dynamic_events_remove - Takes an entry out of dynamic_events
 * @entry: the entry
 */
void dynamic_events_remove(struct dyn_entry *entry)
{
	struct dyn_entry *heir;

	tracing_assert_held();

	if (entry->last && entry->last != entry) {
		heir = to_entry(entry->ev.list.next);
		heir->last = entry->last;
		heir->last->first = heir;
	} else if (entry->first && entry->first != entry) {
		heir = to_entry(entry->ev.list.prev);
		heir->first = entry->first;
		heir->first->last = heir;
	}

	list_del_init(&entry->ev.list);
}

/**
 * dynamic_events_have - Has a dynamic event of another kind this name?
 * @system: name of the directory below events/
 * @name: name of the event
 *
 * A kprobe event, for one, can be put into any directory.
 */
bool dynamic_events_have(const char *system, const char *name)
{
	const char *no_words[] = { NULL };
	struct list_head *pos;
	struct dyn_event *ev;

	tracing_assert_held();

	list_for_each(pos, events) {
		if (is_ours(pos)) {
			pos = &to_entry(pos)->last->ev.list;
			continue;
		}

		ev = list_entry(pos, struct dyn_event, list);
		if (ev->ops->match(system, name, 0, no_words, ev))
			return true;
	}

	return false;
}

/**
 * dynamic_events_join - Lets dynamic_events create events of a new kind
 * @ops: the kind; only one can be added
 */
void dynamic_events_join(struct dyn_event_operations *ops)
{
	our_kind = ops;
	if (by_words) {
		create_from_line = ops->create;
		ops->create_words = create_from_words;
	}

	/* Fails only if a callback is missing. */
	static_call(borrowed_dyn_event_register)(ops);
}

static int leave(void)
{
	list_del(&our_kind->list);
	return 0;
}

/**
 * dynamic_events_leave - Undoes dynamic_events_join(); no event is left
 *
 * When it returns, no callback of the kind runs or will run: create() is called
 * entirely under the first mutex, the others under the second.
 */
void dynamic_events_leave(void)
{
	run_under_ops_mutex(leave);

	tracing_lock();
	tracing_unlock();
}
