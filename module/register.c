// SPDX-License-Identifier: GPL-2.0-only
#include "register.h"

#include <linux/err.h>
#include <linux/errno.h>

#include "compat/call.h"
#include "compat/dynamic_events.h"
#include "group.h"
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

/* Makes the event, with one user beside the registry. */
static struct user_event *define(struct user_event_group *group,
				 const struct event_command *command)
{
	struct event_desc *desc;
	struct user_event *event;
	int ret;

	/* Said before the fields are looked at, as the in-kernel one does. */
	if (group_is_full(group))
		return ERR_PTR(-EMFILE);

	desc = event_desc_parse(command);
	if (IS_ERR(desc))
		return ERR_CAST(desc);

	event = user_event_create(desc);
	if (IS_ERR(event)) {
		event_desc_free(desc);
		return event;
	}

	ret = publish(group, event);
	if (ret) {
		user_event_free(event);
		return ERR_PTR(ret);
	}

	return user_event_get(event);
}

static struct user_event *join(struct user_event *event,
			       const struct event_command *command)
{
	if (!event_desc_match_text(event->desc, command->args))
		return ERR_PTR(-EADDRINUSE);

	return user_event_get(event);
}

/**
 * user_event_register - Finds the event of a command, or makes it
 * @group: the registry
 * @text: the command "name[:flags] [fields]"; is cut into pieces in place
 *
 * Return: the event with a user for the caller, to be given back with
 *	   user_event_put(); or as ERR_PTR
 *	   -EINVAL: the name is not valid, or the fields are not;
 *	   -EADDRINUSE: an event of that name has other fields, or is of another
 *			kind;
 *	   -EMFILE: there are as many events as there may be;
 *	   -ENODEV: the kernel has no numbers for events left, or the module is
 *		    being unloaded;
 *	   -ENOMEM.
 */
struct user_event *user_event_register(struct user_event_group *group,
				       char *text)
{
	struct event_command command;
	struct user_event *event;
	int ret;

	ret = event_command_split(text, &command);
	if (ret)
		return ERR_PTR(ret);

	tracing_lock();
	event = group_find(group, command.name);
	event = event ? join(event, &command) : define(group, &command);
	tracing_unlock();

	return event;
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
	int ret;

	tracing_assert_held();

	if (user_event_is_busy(event))
		return -EBUSY;

	if (!user_event_may_delete(event))
		return -EPERM;

	ret = trace_call_remove(event);
	if (ret)
		return ret;

	dynamic_events_remove(&event->dyn_entry);
	group_remove(event);
	user_event_free(event);

	return 0;
}

/**
 * user_event_delete_by_name - Deletes the event of a name
 * @group: the registry
 * @name: the name
 *
 * Return: 0, -ENOENT if there is none, or what user_event_delete() says.
 */
int user_event_delete_by_name(struct user_event_group *group, const char *name)
{
	struct user_event *event;
	int ret = -ENOENT;

	tracing_lock();
	event = group_find(group, name);
	if (event)
		ret = user_event_delete(event);
	tracing_unlock();

	return ret;
}
