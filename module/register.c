// SPDX-License-Identifier: GPL-2.0-only
#include "register.h"

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "compat/call.h"
#include "compat/dynamic_events.h"
#include "group.h"
#include "limits.h"
#include "mm.h"
#include "parse.h"
#include "trace_call.h"
#include "user_event.h"

/* In this order nobody sees an event that is not complete. */
static int publish(struct user_event_group *group, struct user_event *event)
{
	int ret = group_add(group, event);

	if (ret)
		return ret;

	ret = trace_call_add(event);
	if (ret) {
		group_remove(event);
		return ret;
	}

	dynamic_events_add(&event->dyn_entry);
	return 0;
}

/* Name of the next of several formats; to be released with kfree(). */
static char *next_multi_name(struct user_event_group *group, const char *name)
{
	char *text = kasprintf(GFP_KERNEL_ACCOUNT, "%s.%llx", name,
			       group->next_multi++);

	if (!text)
		return ERR_PTR(-ENOMEM);

	if (strlen(text) <= USER_EVENT_NAME_MAX)
		return text;

	kfree(text);
	return ERR_PTR(-EINVAL);
}

static struct user_event *create(struct user_event_group *group,
				 const struct event_command *command,
				 unsigned int flags)
{
	struct event_desc *desc = event_desc_parse(command);
	struct user_event *event;
	char *name = NULL;

	if (IS_ERR(desc))
		return ERR_CAST(desc);

	if (flags & REGISTER_MULTI)
		name = next_multi_name(group, command->name);

	event = IS_ERR(name) ? ERR_CAST(name) : user_event_create(desc, name);
	if (IS_ERR(event)) {
		if (!IS_ERR(name))
			kfree(name);
		event_desc_free(desc);
	}

	return event;
}

/* Makes the event, with one user beside the registry. */
static struct user_event *define(struct user_event_group *group,
				 const struct event_command *command,
				 unsigned int flags)
{
	struct user_event *event;
	int ret;

	/*
	 * Said before the fields are looked at, as the in-kernel ones with a
	 * page of status bits do; the others say it after.
	 */
	if (!(flags & REGISTER_STRICT) && group_is_full(group))
		return ERR_PTR(-EMFILE);

	event = create(group, command, flags);
	if (IS_ERR(event))
		return event;

	ret = publish(group, event);
	if (ret) {
		user_event_free(event);
		return ERR_PTR(ret);
	}

	return user_event_get(event);
}

/* Takes an event that is not busy from everywhere. */
static int destroy(struct user_event *event)
{
	int ret = trace_call_remove(event);

	if (ret)
		return ret;

	dynamic_events_remove(&event->dyn_entry);
	group_remove(event);
	user_event_free(event);

	return 0;
}

/* Is it left by everybody, and waits to be taken away? */
static bool is_over(const struct user_event *event)
{
	return !event->persistent && user_event_is_idle(event);
}

/*
 * Takes the events of a name away that are about to go anyway, so that whoever
 * sees that their last user has gone sees that they have, too.
 */
static void destroy_over(struct user_event_group *group, const char *name)
{
	struct user_event *event;
	struct hlist_node *next;

	mms_sweep();
	group_for_each_like(group, event, next, name)
		if (user_event_is_named(event, name) && is_over(event) &&
		    !user_event_is_busy(event))
			destroy(event);
}

static struct user_event *find_multi(struct user_event_group *group,
				     const struct event_command *command)
{
	struct user_event *event;
	struct hlist_node *next;

	group_for_each_like(group, event, next, command->name)
		if (event->multi && user_event_is_named(event, command->name) &&
		    event_desc_match_text(event->desc, command->args))
			return event;

	return NULL;
}

static struct user_event *find(struct user_event_group *group,
			       const struct event_command *command,
			       unsigned int flags)
{
	struct user_event *event;

	if (flags & REGISTER_MULTI)
		return find_multi(group, command);

	event = group_find(group, command->name);
	if (!event || event_desc_match_text(event->desc, command->args))
		return event;

	destroy_over(group, command->name);
	return group_find(group, command->name) ? ERR_PTR(-EADDRINUSE) : NULL;
}

/* @stays: whether the caller wants it to, and may have it so */
static struct user_event *find_or_define(struct user_event_group *group,
					 const struct event_command *command,
					 unsigned int flags, bool *stays)
{
	struct user_event *event = find(group, command, flags);

	if (IS_ERR(event))
		return event;

	if (!event) {
		*stays = flags & REGISTER_PERSIST;
		return define(group, command, flags);
	}

	/* Who asks strictly finds it as it is. */
	*stays = !(flags & REGISTER_STRICT);
	return user_event_get(event);
}

static int check_strictly(const struct event_command *command,
			  unsigned int flags)
{
	if (!(flags & REGISTER_STRICT))
		return 0;

	if (command->flags)
		return -EINVAL;

	if (flags & REGISTER_PERSIST && !perfmon_capable())
		return -EPERM;

	return 0;
}

/**
 * user_event_register - Finds the event of a command, or makes it
 * @group: the registry
 * @text: the command "name[:flags] [fields]"; is cut into pieces in place
 * @flags: REGISTER_*
 * @stays: for user_event_settle()
 *
 * Until the caller has done all that it wants to, the event is like one that
 * does not stay, so that it goes again if that fails.
 *
 * Return: the event with a user for the caller, to be given back with
 *	   user_event_settle(); or as ERR_PTR
 *	   -EINVAL: the name is not valid, or the fields are not;
 *	   -EPERM: the caller may not have events that stay;
 *	   -EADDRINUSE: an event of that name has other fields, or is of another
 *			kind;
 *	   -EMFILE: there are as many events as there may be;
 *	   -ENODEV: the kernel has no numbers for events left, or the module is
 *		    being unloaded;
 *	   -ENOMEM.
 */
struct user_event *user_event_register(struct user_event_group *group,
				       char *text, unsigned int flags,
				       bool *stays)
{
	struct event_command command;
	struct user_event *event;
	int ret;

	ret = event_command_split(text, &command)
		      ?: check_strictly(&command, flags);
	if (ret)
		return ERR_PTR(ret);

	tracing_lock();
	event = find_or_define(group, &command, flags, stays);
	tracing_unlock();

	return event;
}

/**
 * user_event_settle - Ends what user_event_register() began
 * @event: what it returned
 * @stays: what it said, or false if something failed since
 */
void user_event_settle(struct user_event *event, bool stays)
{
	tracing_lock();
	if (stays)
		event->persistent = true;
	user_event_release(event);
	tracing_unlock();
}

/**
 * user_event_delete - Deletes an event
 * @event: the event, under the tracing mutex
 *
 * Return: 0, and the event is gone;
 *	   -EBUSY: somebody uses it;
 *	   -EPERM: the caller neither made it nor may manage others' events.
 */
int user_event_delete(struct user_event *event)
{
	tracing_assert_held();

	if (user_event_is_busy(event))
		return -EBUSY;

	if (!user_event_may_delete(event))
		return -EPERM;

	return destroy(event);
}

/**
 * user_event_delete_by_name - Deletes the events that were registered as a name
 * @group: the registry
 * @name: the name
 *
 * Return: 0, -ENOENT if there is none, or what user_event_delete() says of the
 *	   first that cannot be deleted.
 */
int user_event_delete_by_name(struct user_event_group *group, const char *name)
{
	struct user_event *event;
	struct hlist_node *next;
	int ret = -ENOENT;

	tracing_lock();
	destroy_over(group, name);
	group_for_each_like(group, event, next, name) {
		if (!user_event_is_named(event, name))
			continue;

		ret = user_event_delete(event);
		if (ret)
			break;
	}
	tracing_unlock();

	return ret;
}

/* --- events that do not stay ---------------------------------------------- */

/*
 * What could not go when its last user went: because the tracing core was in
 * the middle of it, or because it is counted as used by something that does not
 * tell when it ends. The first is over at once, the second is looked for.
 */
#define RELEASE_AGAIN HZ

/* Whose events; set once by registers_init(). */
static struct user_event_group *release_group;
static struct delayed_work release_work;

static void release_all(struct work_struct *work)
{
	struct user_event *event;
	struct hlist_node *next;
	bool again = false;
	int bucket;

	tracing_lock();
	hash_for_each_safe(release_group->events, bucket, next, event, node)
		if (is_over(event) &&
		    (user_event_is_busy(event) || destroy(event)))
			again = true;
	tracing_unlock();

	if (again)
		schedule_delayed_work(&release_work, RELEASE_AGAIN);
}

/**
 * user_event_release - Takes a user away, and with the last an event that does
 *			not stay
 * @event: the event, under the tracing mutex
 */
void user_event_release(struct user_event *event)
{
	tracing_assert_held();

	user_event_put(event);
	if (!is_over(event))
		return;

	if (user_event_is_busy(event) || destroy(event))
		schedule_delayed_work(&release_work, RELEASE_AGAIN);
}

/**
 * user_event_release_later - user_event_release() where the event must not go
 * @event: the event, under the tracing mutex
 */
void user_event_release_later(struct user_event *event)
{
	tracing_assert_held();

	user_event_put(event);
	if (!is_over(event))
		return;

	/* It may be waiting for something else that takes longer. */
	cancel_delayed_work(&release_work);
	schedule_delayed_work(&release_work, 0);
}

/**
 * registers_init - Prepares to release events in the background
 * @group: the registry
 */
void registers_init(struct user_event_group *group)
{
	release_group = group;
	INIT_DELAYED_WORK(&release_work, release_all);
}

/**
 * registers_exit - Undoes registers_init(); no event is left
 */
void registers_exit(void)
{
	cancel_delayed_work_sync(&release_work);
}
