// SPDX-License-Identifier: GPL-2.0-only
#include "tracefs/dyn_event.h"

#include <linux/err.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "common.h"
#include "event/group.h"
#include "event/register.h"
#include "event/user_event.h"
#include "format/fields.h"
#include "format/print_fmt.h"
#include "internals/call.h"
#include "internals/dynamic_events.h"

/*
 * The registry for events created through dynamic_events, whose callbacks have
 * no argument for it. Set once by ue_dyn_event_init().
 */
static struct user_event_group *dyn_event_group;

static struct user_event *to_user_event(struct dyn_event *ev)
{
	return container_of(ev, struct user_event, dyn_event);
}

/**
 * ue_dyn_event_create - Creates an event that persists until it is deleted
 * @command: its name, rights and fields, as in a line of dynamic_events without
 *	     prefix
 *
 * Context: Sleeps; without event_mutex.
 * Return: 0, or a negative errno as for a line of dynamic_events.
 */
int ue_dyn_event_create(const char *command)
{
	struct user_event *event;
	bool persist;
	char *text;

	text = kstrdup(skip_spaces(command), GFP_KERNEL);
	if (!text)
		return -ENOMEM;

	event = user_event_register(dyn_event_group, text, REGISTER_DEFINITION,
				    &persist);
	kfree(text);
	if (IS_ERR(event))
		return PTR_ERR(event);

	user_event_register_commit(event, persist);
	return 0;
}

static int create_from_line(const char *raw_command)
{
	size_t prefix = str_has_prefix(raw_command, USER_EVENTS_PREFIX);

	return prefix ? ue_dyn_event_create(raw_command + prefix) : -ECANCELED;
}

/* The kernel reads the line again with a larger buffer if it does not fit. */
static void show_fields(struct seq_file *m, const struct event_desc *desc)
{
	char *buf;
	size_t room = seq_get_buf(m, &buf);
	size_t len = ue_desc_text(desc, buf, room);

	seq_commit(m, len < room ? (int)len : -1);
}

static int show_line(struct seq_file *m, struct dyn_event *ev)
{
	const struct user_event *event = to_user_event(ev);

	seq_printf(m, "%s%s", USER_EVENTS_PREFIX, user_event_reg_name(event));
	ue_rights_show(m, &event->rights);
	if (event->desc->nr_fields) {
		seq_putc(m, ' ');
		show_fields(m, event->desc);
	}
	seq_putc(m, '\n');

	return 0;
}

/*
 * The kernel asks this for all events before it deletes them, so that it
 * deletes either all or none.
 */
static bool is_busy(struct dyn_event *ev)
{
	struct user_event *event = to_user_event(ev);

	return user_event_is_in_use(event) || !user_event_may_delete(event);
}

static int free_event(struct dyn_event *ev)
{
	return user_event_delete(to_user_event(ev));
}

/*
 * Without fields, all events of the name match. Rights behind the name, which a
 * listed line has, make no difference.
 */
static bool matches(const char *system, const char *name, int argc,
		    const char **argv, struct dyn_event *ev)
{
	const struct user_event *event = to_user_event(ev);
	const char *reg_name = user_event_reg_name(event);
	size_t len = strcspn(name, ":");

	if (system && strcmp(system, USER_EVENTS_SYSTEM) &&
	    strcmp(system, USER_EVENTS_MULTI_SYSTEM))
		return false;

	if (strncmp(reg_name, name, len) || reg_name[len])
		return false;

	return !argc || ue_desc_match(event->desc, argc, argv);
}

static struct dyn_event_operations dyn_event_ops = {
	.create = create_from_line,
	.show = show_line,
	.is_busy = is_busy,
	.free = free_event,
	.match = matches,
};

/**
 * ue_dyn_event_init - Adds user events to dynamic_events
 * @group: the registry
 */
void ue_dyn_event_init(struct user_event_group *group)
{
	dyn_event_group = group;
	ue_dynamic_events_join(&dyn_event_ops);
}
