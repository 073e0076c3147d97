// SPDX-License-Identifier: MIT
/* user-events del: deletes events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/userevents.h>

#include "events/bpf_users.h"
#include "events/events.h"
#include "events/hist.h"
#include "events/report.h"
#include "events/processes.h"
#include "events/admin.h"
#include "tool.h"
#include "ui/options.h"

static char *append(char *text, char *more)
{
	char *longer =
		tool_print("%s%s%s", text, *text && *more ? "; " : "", more);

	free(text);
	free(more);

	return longer;
}

/* Returns "WHAT NAME[PID], NAME[PID]", or "" without such processes. */
static char *describe_openers(const char *what, const char *path)
{
	struct processes processes;
	char *names, *text;

	processes_find(&processes, "/proc", path, getpid());
	names = processes_text(&processes);
	text = *names ? tool_print("%s %s", what, names) : tool_copy("");
	processes_free(&processes);

	return text;
}

/* Appends the counters of "user-events count" among the triggers. */
static char *append_counters(char *text, const struct event_use *use)
{
	struct hist hist;
	size_t i;

	for (i = 0; !use->instance[0] && i < use->trigger_count; i++) {
		if (!hist_parse(&hist, use->triggers[i]))
			continue;
		text = append(text, tool_print("counter %s", hist.name));
		hist_release(&hist);
	}

	return text;
}

/* Describes the known users of an event. */
static char *describe_users(const char *tracefs, const struct event *event)
{
	char *data = tool_print("%s/user_events_data", tracefs);
	char *text = tool_copy("");
	size_t i;

	for (i = 0; i < event->use_count; i++) {
		const struct event_use *use = &event->uses[i];

		text = append_counters(text, use);
		if (!use->is_enabled && !use->is_soft)
			continue;
		text = append(text, use->instance[0]
					    ? tool_print("enabled by ftrace in "
							 "instance %s",
							 use->instance)
					    : tool_copy("enabled by ftrace"));
	}
	if (event->tracers & EVENTS_PERF) {
		text = append(text, tool_copy("enabled by perf or BPF"));
		text = append(text, describe_openers("perf events open in",
						     PERF_EVENT_FILE));
	}
	text = append(text, describe_openers("user_events open in", data));
	free(data);
	if (!*text) {
		free(text);
		text = tool_copy("user unknown");
	}

	return text;
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
	const struct event *protected_event = NULL;
	char *other;
	size_t i;

	for (i = 0; i < events->count && !protected_event; i++) {
		if (events->events[i].is_selected)
			continue;
		other = registered_name(&events->events[i]);
		if (strcmp(other, name) == 0)
			protected_event = &events->events[i];
		free(other);
	}

	return protected_event;
}

static int print_problem(const char *tracefs, const struct event *event,
			 int err)
{
	char *name = events_name(event), *users;

	if (err == -EBUSY) {
		users = describe_users(tracefs, event);
		tool_error("%s: in use: %s", name, users);
		tool_hint("disable its tracers and stop its programs first");
		free(users);
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
	free(name);

	return TOOL_FAILED;
}

static int delete_event(const struct events *events, const struct event *event)
{
	char *name = registered_name(event), *shown, *other;
	const struct event *protected_event = find_protected(events, name);
	int status = TOOL_OK, err;

	if (protected_event) {
		shown = events_name(event);
		other = events_name(protected_event);
		tool_error("%s: cannot be deleted without %s, which has the "
			   "same name",
			   shown, other);
		free(shown);
		free(other);
		status = TOOL_FAILED;
	} else {
		err = event_admin_delete(events->tracefs, name);
		/*
		 * It was deleted with another event of its name, or by its last
		 * user.
		 */
		if (err && err != -ENOENT)
			status = print_problem(events->tracefs, event, err);
	}
	free(name);

	return status;
}

static int del(char **patterns, size_t count)
{
	struct events events;
	int status = events_open(&events);
	size_t i;

	if (status)
		return status;
	status = events_select(&events, patterns, count);
	if (!status) {
		events_details(&events, EVENTS_USES);
		for (i = 0; i < events.count; i++)
			if (events.events[i].is_selected &&
			    delete_event(&events, &events.events[i]))
				status = TOOL_FAILED;
	}
	events_free(&events);

	return status;
}

static int run(int argc, char **argv)
{
	const struct tool_options options = { 0 };
	int status = tool_parse_common(&command_del, &options, argc, argv);

	if (status)
		return status;
	if (optind == argc)
		return tool_usage(&command_del, "no event given");

	return del(argv + optind, (size_t)(argc - optind));
}

const struct tool_command command_del = {
	.name = "del",
	.arguments = "PATTERN...",
	.summary = "Delete unused events",
	.help = "A PATTERN is \"[SYSTEM:]GLOB\". By default, SYSTEM is user_events, with the\n"
		"other formats of its events. If a PATTERN without wildcards matches no event,\n"
		"nothing is deleted. Events in use are not deleted.\n",
	.run = run,
};
