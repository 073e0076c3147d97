// SPDX-License-Identifier: MIT
#include "events/counter_control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/events.h"
#include "events/filter.h"
#include "events/report.h"

/* ---- Options ---- */

/* The bits of the option are the maximum number of fields. */
static int take_fields(void *member, const struct tool_argument *argument)
{
	const size_t max = argument->option->value.bits;
	struct counter_fields *fields = member;
	bool is_valid = true;
	const char *name;
	char *rest;
	size_t i;

	free(fields->list);
	fields->list = rest = tool_copy(argument->text);
	fields->count = 0;
	while (is_valid && (name = strsep(&rest, ","))) {
		is_valid = *name && fields->count < max;
		for (i = 0; i < fields->count; i++)
			is_valid &= strcmp(fields->names[i], name) != 0;
		if (is_valid)
			fields->names[fields->count++] = name;
	}

	return is_valid ? TOOL_OK
			: tool_invalid(argument,
				       "a list of up to %zu different fields",
				       max);
}

#define SET_FIELDS(member, number, completion)                      \
	{                                                           \
		.take = take_fields, .words = (completion),         \
		.offset = offsetof(struct counter_request, member), \
		.bits = (number),                                   \
	}

/* A line of the file trigger ends at a newline. */
static int take_filter(void *member, const struct tool_argument *argument)
{
	const char *filter = argument->text;

	*(const char **)member = filter;

	return filter[strspn(filter, " \t")] && !strchr(filter, '\n')
		       ? TOOL_OK
		       : tool_invalid(argument, "a condition in one line");
}

const struct tool_option counter_control_rows[] = {
	{ "by", 0, "FIELD[,...]",
	  "with start, count for each value of up to 3 fields, of tid and of cpu",
	  SET_FIELDS(keys, HIST_KEYS_MAX, "tid cpu"), 1 << COUNTER_START },
	{ "sum", 0, "FIELD[,...]",
	  "with start, also add up the values of up to 2 fields",
	  SET_FIELDS(sums, HIST_SUMS_MAX, NULL), 1 << COUNTER_START },
	{ "filter", 'f', "FILTER",
	  "with start, count only events that pass FILTER",
	  SET_BY(struct counter_request, filter, take_filter, NULL),
	  1 << COUNTER_START },
	{ "entries", 0, "N",
	  "with start, keep up to N different keys (default: 2048)",
	  SET_NUMBER(struct counter_request, entries, HIST_ENTRIES_MIN,
		     HIST_ENTRIES_MAX),
	  1 << COUNTER_START },
	{ 0 },
};

void counter_control_release(struct counter_request *request)
{
	free(request->keys.list);
	free(request->sums.list);
}

/* ---- start ---- */

static int report_refusal(const char *event,
			  const struct counter_request *request,
			  const char *reason)
{
	if (reason) {
		tool_error("%s: %s", event, reason);
	} else if (request->filter) {
		events_filter_explain(event, request->filter);
	} else {
		tool_error("%s: the kernel refuses to count by these fields",
			   event);
		tool_hint("see the file error_log of tracefs");
	}

	return TOOL_USAGE;
}

static int report_start(const char *event,
			const struct counter_request *request, int err,
			const char *reason)
{
	switch (err) {
	case 0:
		return TOOL_OK;
	case -EINVAL:
		return report_refusal(event, request, reason);
	case -EEXIST:
		tool_error("%s: counter exists", request->name);
		tool_hint("stop it, or give another NAME before the event");
		return TOOL_FAILED;
	case -EOPNOTSUPP:
		tool_error("%s: this kernel has no hist triggers "
			   "(CONFIG_HIST_TRIGGERS)",
			   event);
		tool_hint("use \"user-events stat --by\", which counts while "
			  "it runs");
		return TOOL_FAILED;
	default:
		return tool_error_of(err, "%s: cannot count", event);
	}
}

/* Return: the only selected event, or NULL, and the error is printed */
static const struct event *find_event(const struct events *events,
				      const char *pattern, int *status)
{
	const struct event *found = NULL;
	size_t i, count = 0;

	for (i = 0; i < events->count; i++) {
		if (!events->events[i].is_selected)
			continue;
		found = &events->events[i];
		count++;
	}
	*status = TOOL_OK;
	if (count == 1)
		return found;
	if (count) {
		tool_error("%s: %zu events match, and a counter has one",
			   pattern, count);
		*status = TOOL_USAGE;
	} else {
		tool_error("%s: no such event", pattern);
		*status = TOOL_NOT_FOUND;
	}

	return NULL;
}

static int start_event(const struct tool_command *command,
		       struct counter_request *request, const char *tracefs,
		       const struct event *event)
{
	_cleanup_free_ char *name = events_name(event);
	_cleanup_free_ char *reason = NULL;
	int err;

	request->system = event->system;
	request->event = event->name;
	if (!request->name)
		request->name = event->name;
	if (!hist_is_name(request->name))
		return tool_usage(command,
				  "%s: not a name of up to %d letters, "
				  "digits and _.-",
				  request->name, HIST_NAME_MAX);
	request->base = counter_too_large(tracefs, event->name);
	err = counter_start(tracefs, request, &reason);

	return report_start(name, request, err, reason);
}

int counter_control_start(const struct tool_command *command,
			  struct counter_request *request, char *pattern)
{
	_cleanup_(events_free) struct events events = { 0 };
	const struct event *event;
	int status = events_open(&events);

	if (status)
		return status;
	status = events_select(&events, &pattern, 1);
	if (status) {
		tool_hint("define it with \"user-events add\"");
		return status;
	}
	event = find_event(&events, pattern, &status);

	return event ? start_event(command, request, events.tracefs, event)
		     : status;
}

/* ---- list, read, stop ---- */

/* Return: TOOL_NOT_FOUND */
static int report_no_counter(const char *name)
{
	tool_error("%s: no such counter", name);
	tool_hint("see \"user-events count list\"");

	return TOOL_NOT_FOUND;
}

/* @name: only this one; NULL: all */
static int find(struct counters *counters, char **tracefs, const char *name)
{
	int status = events_find_tracefs(tracefs);
	int err;

	if (status)
		return status;
	err = counters_find(counters, *tracefs, name);
	if (err)
		return events_report_unread(err, *tracefs);

	return name && !counters->count ? report_no_counter(name) : TOOL_OK;
}

int counter_control_list(struct counters *counters)
{
	_cleanup_free_ char *tracefs = NULL;

	return find(counters, &tracefs, NULL);
}

int counter_control_read(const char *name, struct counters *counters,
			 struct hist_values *values)
{
	_cleanup_free_ char *tracefs = NULL;
	int status = find(counters, &tracefs, name);
	int err;

	if (status)
		return status;
	/* Others can exist on several events, which share one. */
	err = counter_read(tracefs, &counters->counters[0], values);
	if (err == -ENOENT)
		return report_no_counter(name);
	if (err == -EBADMSG) {
		tool_error("%s: the kernel's text is ambiguous: a key has "
			   "parts of it",
			   name);
		return TOOL_FAILED;
	}

	return err ? tool_error_of(err, "%s: cannot read", name) : TOOL_OK;
}

int counter_control_stop(const char *name)
{
	_cleanup_(counters_free) struct counters counters = { 0 };
	_cleanup_free_ char *tracefs = NULL;
	int status = find(&counters, &tracefs, name);
	int err;

	if (status)
		return status;
	err = counter_stop(tracefs, &counters.counters[0]);
	if (err == -ENOENT)
		return report_no_counter(name);

	return err ? tool_error_of(err, "%s: cannot stop", name) : TOOL_OK;
}
