// SPDX-License-Identifier: MIT
#include "events/delete.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include <userevents/userevents.h>

#include "events/admin.h"
#include "events/hist.h"
#include "events/report.h"
#include "tool.h"

#define SEPARATOR "; "

/* Adds "WHAT NAME[PID], NAME[PID]" if there are such processes. */
static void add_openers(struct uev_output *to, const char *what,
			const char *path)
{
	_cleanup_(users_free) struct users processes;
	_cleanup_free_ char *names = NULL;

	users_find_open(&processes, "/proc", path, getpid());
	names = users_text(&processes);
	if (*names)
		tool_join(to, SEPARATOR, "%s %s", what, names);
}

/* Adds the counters of "user-events count" among the triggers. */
static void add_counters(struct uev_output *to, const struct event_use *use)
{
	struct hist hist;
	size_t i;

	for (i = 0; !use->instance[0] && i < use->trigger_count; i++) {
		if (!hist_parse(&hist, use->triggers[i]))
			continue;
		tool_join(to, SEPARATOR, "counter %s", hist.name);
		hist_release(&hist);
	}
}

static void add_use(struct uev_output *to, const struct event_use *use)
{
	add_counters(to, use);
	if (!use->is_enabled && !use->is_soft)
		return;
	if (use->instance[0])
		tool_join(to, SEPARATOR, "enabled by ftrace in instance %s",
			  use->instance);
	else
		tool_join(to, SEPARATOR, "enabled by ftrace");
}

/* Adds the known users of an event. */
static void add_users(struct uev_output *to, const char *tracefs,
		      const struct event *event)
{
	_cleanup_free_ char *data = tool_print("%s/user_events_data", tracefs);
	size_t i;

	for (i = 0; i < event->use_count; i++)
		add_use(to, &event->uses[i]);
	if (event->tracers & EVENTS_PERF) {
		tool_join(to, SEPARATOR, "enabled by perf or BPF");
		add_openers(to, "perf events open in", PERF_EVENT_FILE);
	}
	add_openers(to, "user_events open in", data);
	if (!to->size)
		tool_join(to, SEPARATOR, "user unknown");
}

/* Returns the name without the suffix of a format. */
static char *registered_name(const struct event *event)
{
	const char *dot = strrchr(event->name, '.');

	if (strcmp(event->system, "user_events_multi") != 0 || !dot)
		return tool_copy(event->name);

	return tool_print("%.*s", (int)(dot - event->name), event->name);
}

/*
 * Events of a name are deleted together.
 *
 * Return: one of them that was not selected, or NULL
 */
static const struct event *find_protected(const struct events *events,
					  const char *name)
{
	size_t i;

	for (i = 0; i < events->count; i++) {
		const struct event *event = &events->events[i];
		_cleanup_free_ char *other = registered_name(event);

		if (!event->is_selected && strcmp(other, name) == 0)
			return event;
	}

	return NULL;
}

static int print_problem(const char *tracefs, const struct event *event,
			 int err)
{
	_cleanup_(uev_output_release) struct uev_output users = UEV_OUTPUT_INIT;
	_cleanup_free_ char *name = events_name(event);

	if (err == -EBUSY) {
		add_users(&users, tracefs, event);
		tool_error("%s: in use: %s", name, users.text);
		tool_hint("disable its tracers and stop its programs first");
	} else if (err == -EPERM) {
		tool_error("%s: created by another user", name);
		tool_hint("run as that user, or with CAP_PERFMON or "
			  "CAP_SYS_ADMIN");
	} else if (err == -EACCES) {
		tool_error("%s: no permission to write user_events_data or "
			   "dynamic_events",
			   name);
		tool_hint("run \"user-events doctor\"");
	} else {
		tool_error("%s: %s", name, uev_strerror(err));
	}

	return TOOL_FAILED;
}

static int refuse_event(const struct event *event, const struct event *other)
{
	_cleanup_free_ char *name = events_name(event);
	_cleanup_free_ char *other_name = events_name(other);

	tool_error("%s: cannot be deleted without %s, which has the same name",
		   name, other_name);

	return TOOL_FAILED;
}

static int delete_event(const struct events *events, const struct event *event)
{
	_cleanup_free_ char *name = registered_name(event);
	const struct event *protected_event = find_protected(events, name);
	int err;

	if (protected_event)
		return refuse_event(event, protected_event);
	err = event_admin_delete(events->tracefs, name);
	/* It was deleted with another one of its name, or by its last user. */
	if (!err || err == -ENOENT)
		return TOOL_OK;

	return print_problem(events->tracefs, event, err);
}

int events_delete(const struct events *events)
{
	int status = TOOL_OK;
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->events[i].is_selected &&
		    delete_event(events, &events->events[i]))
			status = TOOL_FAILED;

	return status;
}
