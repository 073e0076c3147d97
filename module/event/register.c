// SPDX-License-Identifier: GPL-2.0-only
#include "event/register.h"

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat/capability.h"
#include "event/group.h"
#include "event/lookup.h"
#include "event/quota.h"
#include "event/removed.h"
#include "event/rights.h"
#include "event/trace_call.h"
#include "event/user_event.h"
#include "format/parse.h"
#include "internals/call.h"
#include "internals/dynamic_events.h"
#include "internals/event_files.h"
#include "limits.h"

/* The order matters: an event becomes visible only when it is complete. */
static int publish(struct user_event_group *group, struct user_event *event)
{
	struct user_quota *quota = event->quota;
	int ret;

	if (!ue_quota_permits(quota->events, READ_ONCE(ue_user_limits.events)
						     ?: ue_group_half(group)))
		return -EMFILE;

	ret = ue_group_add(group, event);
	if (ret)
		return ret;

	ret = ue_trace_call_add(event);
	if (ret) {
		/* A tracer can have come and gone, see attach_tracer(). */
		list_del_init(&event->orphan_node);
		ue_group_remove(event);
		return ret;
	}

	quota->events++;
	ue_dynamic_events_add(&event->dyn_event);
	ue_lookup_add(event);
	return 0;
}

/*
 * Returns the name of an event with REGISTER_MULTI, to be freed with kfree().
 */
static char *multi_name(const char *name, u64 number)
{
	char *text = kasprintf(GFP_KERNEL_ACCOUNT, "%s.%llx", name, number);

	if (!text)
		return ERR_PTR(-ENOMEM);

	if (strlen(text) <= USER_EVENT_NAME_MAX)
		return text;

	kfree(text);
	return ERR_PTR(-EINVAL);
}

/* Owns @desc and @name, as user_event_create() does. */
static struct user_event *create_event(struct event_desc *desc, char *name)
{
	struct user_event *event = user_event_create(desc, name);
	int ret;

	if (IS_ERR(event))
		return event;

	ret = ue_trace_call_prepare(event);
	if (!ret)
		return event;

	user_event_free(event);
	return ERR_PTR(ret);
}

/**
 * struct registration - a registration in progress
 * @group: the registry
 * @command: the command
 * @flags: REGISTER_*
 * @number: number for the name, with REGISTER_MULTI
 * @fields_key: key of the fields, with REGISTER_MULTI
 * @rights: rights of the event, if they are set
 * @prepared: a new event that is not published yet, or NULL
 * @nr_added: that of @group when the event was not found, with @prepared
 * @persist: for user_event_register_commit()
 */
struct registration {
	struct user_event_group *group;
	struct event_command command;
	unsigned int flags;
	u64 number;
	u32 fields_key;
	struct event_rights rights;
	struct user_event *prepared;
	u64 nr_added;
	bool persist;
};

/* A module does not change the rights that an administrator has set. */
static void set_rights(struct user_event *event, const struct registration *reg)
{
	if (reg->flags & REGISTER_ENABLER_ABI && event->rights.is_set)
		return;

	if (reg->rights.is_set)
		event->rights = reg->rights;
}

/* A module cannot emit a record of the event. */
static bool is_too_large(const struct registration *reg,
			 const struct event_desc *desc)
{
	return (reg->flags & REGISTER_MODULE) == REGISTER_MODULE &&
	       desc->fixed_size > USER_EVENT_RECORD_KERNEL;
}

/*
 * Holds no lock: the allocations are charged to the caller's memory cgroup,
 * which can make the caller wait.
 */
static int prepare_event(struct registration *reg)
{
	struct event_desc *desc = ue_desc_parse(&reg->command);
	char *name = NULL;
	struct user_event *event;

	if (IS_ERR(desc))
		return PTR_ERR(desc);

	if (is_too_large(reg, desc)) {
		ue_desc_free(desc);
		return -E2BIG;
	}

	if (reg->flags & REGISTER_MULTI)
		name = multi_name(reg->command.name, reg->number);
	if (IS_ERR(name)) {
		ue_desc_free(desc);
		return PTR_ERR(name);
	}

	event = create_event(desc, name);
	if (IS_ERR(event))
		return PTR_ERR(event);

	set_rights(event, reg);
	event->fields_key = reg->fields_key;
	reg->prepared = event;
	return 0;
}

/*
 * Removes an event that is not busy from all lists and frees it. BPF programs have
 * no reference, so they must not find it before its tracers are freed.
 */
static int destroy_event(struct user_event *event)
{
	int ret;

	ue_lookup_remove(event);
	ret = ue_trace_call_remove(event);
	if (ret) {
		ue_lookup_add(event);
		return ret;
	}

	list_del(&event->orphan_node);
	ue_dynamic_events_remove(&event->dyn_event);
	event->quota->events--;
	ue_removed_add(&event->group->removed, event);
	ue_group_remove(event);
	user_event_free(event);

	return 0;
}

/* --- orphans ---------------------------------------------------------------- */

/*
 * An orphan is an event that does not persist and has lost its last reference.
 * It is on this list if it could not be removed at once. Either the tracing
 * core was using it, which takes a moment, or the kernel has built something on
 * it, or on some kernels a task was opening one of its files. The kernel does
 * not report when that ends, so the work item retries.
 */
#define ORPHAN_RETRY_JIFFIES HZ

/* Orphans to be removed, under event_mutex. */
static LIST_HEAD(orphans);
static struct delayed_work orphans_work;

/*
 * Start of the keys of fields, so that programs do not know which fields have the
 * same key. Set once by ue_register_init().
 */
static u32 fields_seed;

/* Set once by ue_register_init(). */
static void (*reap_users)(struct user_event *event);

static bool is_orphan(const struct user_event *event)
{
	return !event->persistent && user_event_is_idle(event);
}

static void queue_orphan(struct user_event *event, unsigned long delay)
{
	event_mutex_assert_held();

	if (list_empty(&event->orphan_node))
		list_add_tail(&event->orphan_node, &orphans);

	/* Shorten the delay of a retry that is pending. */
	if (!delay)
		cancel_delayed_work(&orphans_work);
	schedule_delayed_work(&orphans_work, delay);
}

static bool destroy_if_idle(struct user_event *event)
{
	return !user_event_is_busy(event) && !destroy_event(event);
}

/* Handles one orphan of a list. Returns false if the list is empty. */
static bool release_next(struct list_head *list)
{
	struct user_event *event =
		list_first_entry_or_null(list, struct user_event, orphan_node);

	event_mutex_assert_held();

	if (!event)
		return false;

	list_del_init(&event->orphan_node);
	if (is_orphan(event) && !destroy_if_idle(event))
		queue_orphan(event, ORPHAN_RETRY_JIFFIES);

	return true;
}

/* Removing an event takes long, so event_mutex is released after each. */
static void release_orphans(struct work_struct *work)
{
	LIST_HEAD(list);
	bool has_more;

	event_mutex_lock();
	list_splice_init(&orphans, &list);
	event_mutex_unlock();

	do {
		event_mutex_lock();
		has_more = release_next(&list);
		event_mutex_unlock();
		cond_resched();
	} while (has_more);
}

/* References of dead processes do not count. Returns whether the event is an orphan. */
static bool reap(struct user_event *event)
{
	reap_users(event);
	if (!is_orphan(event))
		return false;

	queue_orphan(event, 0);
	return true;
}

/*
 * Removes an event if it is an orphan. A process that sees that the last
 * process of an event has exited then also sees the event gone.
 */
static bool destroy_orphan(struct user_event *event)
{
	return reap(event) && destroy_if_idle(event);
}

/* --- registering ------------------------------------------------------------ */

static struct user_event *find_multi(const struct registration *reg)
{
	const struct event_command *command = &reg->command;
	struct user_event *event = ue_group_find_format(
		reg->group, command->name, command->name_key, reg->fields_key);

	for (; event; event = ue_group_next_format(event))
		if (ue_desc_match_text(event->desc, command->args))
			return destroy_orphan(event) ? NULL : event;

	return NULL;
}

/*
 * A new user of an orphan would not set its flags, nor become its owner, so an
 * orphan is not found, unless it cannot be removed. The rights of an event also
 * reserve its name for events with several formats.
 */
static struct user_event *find_event(const struct registration *reg)
{
	struct user_event *event = ue_group_find(reg->group, reg->command.name,
						 reg->command.name_key, false);

	if (event && destroy_orphan(event))
		event = NULL;
	if (event && !ue_rights_permit(&event->rights, RIGHT_REGISTER))
		return ERR_PTR(-EACCES);

	if (reg->flags & REGISTER_MULTI)
		return find_multi(reg);

	return !event || ue_desc_match_text(event->desc, reg->command.args)
		       ? event
		       : ERR_PTR(-EADDRINUSE);
}

/*
 * Joins an event, with a reference. The enabler ABI does not change an event that
 * exists. The other one makes it persist if the caller may delete it.
 */
static struct user_event *join(struct registration *reg,
			       struct user_event *event)
{
	if (is_too_large(reg, event->desc))
		return ERR_PTR(-E2BIG);

	if (!(reg->flags & REGISTER_ENABLER_ABI) && !event->persistent) {
		reg->persist = user_event_may_delete(event);
		if (!reg->persist && reg->flags & REGISTER_RIGHTS)
			return ERR_PTR(-EPERM);
	}

	set_rights(event, reg);
	return user_event_get(event);
}

/*
 * Tells whether the event is still absent, because none was added since it was looked
 * for. The rights of another event, which can change without that, concern formats.
 */
static bool is_absent(const struct registration *reg)
{
	return reg->prepared && reg->nr_added == reg->group->nr_added &&
	       !(reg->flags & REGISTER_MULTI);
}

/*
 * Finds the event, or publishes the prepared one, and takes a reference.
 *
 * Return: the event; NULL if an event must be prepared first; or an ERR_PTR.
 */
static struct user_event *find_or_publish(struct registration *reg)
{
	struct user_event *event = is_absent(reg) ? NULL : find_event(reg);
	int ret;

	if (IS_ERR(event))
		return event;

	if (event)
		return join(reg, event);

	if (!reg->prepared) {
		/*
		 * The in-kernel user_events with a status page checks the limit
		 * before it parses the fields; the one with enablers checks it
		 * afterwards.
		 */
		if (!(reg->flags & REGISTER_ENABLER_ABI) &&
		    ue_group_is_full(reg->group))
			return ERR_PTR(-EMFILE);

		if (reg->flags & REGISTER_MULTI)
			reg->number = reg->group->next_multi++;
		reg->nr_added = reg->group->nr_added;
		return NULL;
	}

	ret = publish(reg->group, reg->prepared);
	if (ret)
		return ERR_PTR(ret);

	event = reg->prepared;
	reg->prepared = NULL;
	reg->persist = reg->flags & REGISTER_PERSIST;
	return user_event_get(event);
}

static struct user_event *register_event(struct registration *reg)
{
	struct user_event *event;
	int ret;

	for (;;) {
		event_mutex_lock();
		event = find_or_publish(reg);
		event_mutex_unlock();
		if (event)
			return event;

		ret = prepare_event(reg);
		if (ret)
			return ERR_PTR(ret);
	}
}

/* Flags in the name are rights, are rejected by the enabler ABI, or are none. */
static int check_flags(struct registration *reg)
{
	if (reg->flags & REGISTER_RIGHTS)
		return ue_rights_parse(&reg->rights, reg->command.flags);

	if (!(reg->flags & REGISTER_ENABLER_ABI))
		return 0;

	if (reg->command.flags)
		return -EINVAL;

	if (reg->flags & REGISTER_PERSIST && !perfmon_capable())
		return -EPERM;

	return 0;
}

/**
 * user_event_register - Finds or creates the event of a command
 * @group: the registry
 * @text: the command "name[:flags] [fields]"; split in place
 * @flags: REGISTER_*
 * @persist: set to the argument for user_event_register_commit()
 *
 * The event does not persist until user_event_register_commit() says so. If a
 * later step of the caller fails, a new event is therefore removed again.
 *
 * Return: the event with a reference for the caller, to be passed to
 *	   user_event_register_commit(); or as ERR_PTR
 *	   -EINVAL: the name, the fields or the rights are not valid;
 *	   -E2BIG: no record of a module has room for the fixed fields;
 *	   -EACCES: the rights of the event exclude the caller;
 *	   -EPERM: the caller must not make the event persist, or set rights;
 *	   -EADDRINUSE: an event of that name has other fields, or is a dynamic
 *			event of another type;
 *	   -EMFILE: the registry is full, or the user has the limit of events;
 *	   -ENODEV: the kernel has no event number left, or the module is being
 *		    unloaded;
 *	   -ENOMEM.
 */
struct user_event *user_event_register(struct user_event_group *group,
				       char *text, unsigned int flags,
				       bool *persist)
{
	struct registration reg = { .group = group, .flags = flags };
	struct user_event *event;
	int ret;

	ret = ue_command_split(text, &reg.command) ?: check_flags(&reg);
	if (ret)
		return ERR_PTR(ret);

	if (flags & REGISTER_MULTI)
		reg.fields_key = ue_fields_key(reg.command.args, fields_seed);

	event = register_event(&reg);
	/* Another process may have published the event first. */
	if (reg.prepared)
		user_event_free(reg.prepared);

	*persist = reg.persist;
	return event;
}

/**
 * user_event_register_commit - Completes user_event_register()
 * @event: the event; the caller's reference is dropped
 * @persist: the value from user_event_register(), or false if a later step
 *	     failed
 */
void user_event_register_commit(struct user_event *event, bool persist)
{
	if (persist) {
		event_mutex_lock();
		event->persistent = true;
		event_mutex_unlock();
	}

	user_event_release_unlocked(event);
}

/**
 * user_event_is_in_use - Tells whether an event is in use
 * @event: the event, under event_mutex
 *
 * Drops the references of processes that have exited but were not reaped yet.
 */
bool user_event_is_in_use(struct user_event *event)
{
	event_mutex_assert_held();

	reap(event);
	return user_event_is_busy(event) ||
	       ue_event_files_are_opened(&event->call);
}

/**
 * user_event_delete - Deletes an event
 * @event: the event, under event_mutex
 *
 * Return: 0 if the event was freed;
 *	   -EBUSY: the event is in use;
 *	   -EPERM: the caller neither owns it nor has CAP_PERFMON.
 */
int user_event_delete(struct user_event *event)
{
	if (user_event_is_in_use(event))
		return -EBUSY;

	if (!user_event_may_delete(event))
		return -EPERM;

	return destroy_event(event);
}

/* Returns true if another event of that name may have to be deleted. */
static bool delete_first(struct user_event_group *group, const char *name,
			 u32 key, int *ret)
{
	struct user_event *event =
		ue_group_find(group, name, key, false)
			?: ue_group_find(group, name, key, true);

	if (!event)
		return false;

	if (destroy_orphan(event))
		return true;

	*ret = user_event_delete(event);
	return !*ret;
}

/**
 * user_event_delete_by_name - Deletes all events registered under a name
 * @group: the registry
 * @name: the name
 *
 * Return: 0; -ENOENT if there is no such event; or the error of
 *	   user_event_delete() for the first event that cannot be deleted.
 */
int user_event_delete_by_name(struct user_event_group *group, const char *name)
{
	u32 key = ue_name_key(name, strlen(name));
	int ret = -ENOENT;
	bool has_more;

	/*
	 * Removing an event takes long, so event_mutex is released after each.
	 */
	do {
		event_mutex_lock();
		has_more = delete_first(group, name, key, &ret);
		event_mutex_unlock();
		cond_resched();
	} while (has_more);

	return ret;
}

/**
 * user_event_release - Drops a reference and removes an orphan
 * @event: the event, under event_mutex
 *
 * Return: whether the event was freed.
 */
bool user_event_release(struct user_event *event)
{
	event_mutex_assert_held();

	user_event_put(event);
	if (!is_orphan(event))
		return false;

	if (destroy_if_idle(event))
		return true;

	queue_orphan(event, ORPHAN_RETRY_JIFFIES);
	return false;
}

/**
 * user_event_release_unlocked - As user_event_release(), takes event_mutex
 * @event: the event
 *
 * Context: Takes event_mutex for the last reference only, so processes that
 *	    exit together do not queue for it, with tracers behind them.
 */
void user_event_release_unlocked(struct user_event *event)
{
	if (user_event_put_unless_last(event))
		return;

	event_mutex_lock();
	user_event_release(event);
	event_mutex_unlock();
}

/**
 * user_event_release_later - Drops a reference, removes an orphan later
 * @event: the event, under event_mutex
 *
 * For callers that still use the event, such as callbacks of the tracing core.
 */
void user_event_release_later(struct user_event *event)
{
	event_mutex_assert_held();

	user_event_put(event);
	if (is_orphan(event))
		queue_orphan(event, 0);
}

/**
 * ue_register_init - Prepares the removal of orphans
 * @reap: called under event_mutex; drops the references that dead processes
 *	  have to an event, without freeing the event
 */
void ue_register_init(void (*reap)(struct user_event *event))
{
	reap_users = reap;
	get_random_bytes(&fields_seed, sizeof(fields_seed));
	INIT_DELAYED_WORK(&orphans_work, release_orphans);
}

/**
 * ue_register_exit - Stops the removal of orphans; no event exists any more
 */
void ue_register_exit(void)
{
	cancel_delayed_work_sync(&orphans_work);
}
