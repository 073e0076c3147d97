// SPDX-License-Identifier: MIT
/* user-events count: counters of the kernel, which need no process. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/filter.h"
#include "events/events.h"
#include "events/report.h"
#include "sink/counters.h"
#include "ui/options.h"
#include "tool.h"

/* Limits of the kernel */
#define ENTRIES_MIN 128
#define ENTRIES_MAX 131072

/*
 * struct count - The arguments of the command
 * @request: of start; its texts are in @copies
 * @format: of list and read
 * @has_start: an option of start was given, and @has_format: one of the others
 */
struct count {
	struct counter_request request;
	char *copies[2];
	enum sink_counters_format format;
	const char *has_start;
	const char *has_format;
};

/* ---- start ---- */

/* Return: TOOL_NOT_FOUND */
static int report_no_counter(const char *name)
{
	tool_error("%s: no such counter", name);
	tool_hint("see \"user-events count list\"");

	return TOOL_NOT_FOUND;
}

/* Prints an error of counters_find(). Return: TOOL_FAILED */
static int report_find(int err)
{
	tool_error_of(err, "counters: cannot read");
	tool_hint("run \"user-events doctor\"");

	return TOOL_FAILED;
}

static int report_refusal(const char *event,
			  const struct counter_request *request,
			  const char *reason)
{
	if (reason) {
		tool_error("%s: %s", event, reason);
	} else if (request->filter) {
		capture_filter_explain(event, request->filter);
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

static int start_event(struct counter_request *request, const char *tracefs,
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
		return tool_usage(&command_count,
				  "%s: not a name of up to %d letters, "
				  "digits and _.-",
				  request->name, HIST_NAME_MAX);
	err = counter_start(tracefs, request, &reason);

	return report_start(name, request, err, reason);
}

/* @arguments: "[NAME] EVENT" */
static int start_counter(struct count *count, char **arguments, size_t number)
{
	_cleanup_(events_free) struct events events = { 0 };
	char *pattern = arguments[number - 1];
	const struct event *event;
	int status;

	if (!count->request.key_count)
		return tool_usage(&command_count, "start: requires --by");
	if (number == 2)
		count->request.name = arguments[0];
	status = events_open(&events);
	if (status)
		return status;
	status = events_select(&events, &pattern, 1);
	if (status) {
		tool_hint("define it with \"user-events add\"");
		return status;
	}
	event = find_event(&events, pattern, &status);

	return event ? start_event(&count->request, events.tracefs, event)
		     : status;
}

/* ---- list ---- */

static int list_counters(struct count *count, const char *tracefs,
			 const char *name)
{
	_cleanup_(counters_free) struct counters counters = { 0 };
	int err = counters_find(&counters, tracefs, NULL);

	(void)name;
	if (err)
		return report_find(err);
	sink_counters_list(&counters, count->format);

	return TOOL_OK;
}

/* ---- read ---- */

static int print_counter(const struct count *count,
			 const struct counter *counter,
			 const struct hist_values *values)
{
	sink_counters_values(counter, values, count->format);
	if (!values->lost)
		return TOOL_OK;
	tool_error("%s: %" PRIu64 " records lost, of more than %" PRIu64
		   " different keys",
		   counter->hist.name, values->lost, counter->hist.entries);

	return TOOL_INCOMPLETE;
}

static int read_counter(struct count *count, const char *tracefs,
			const struct counter *counter)
{
	_cleanup_(hist_values_release) struct hist_values values = { 0 };
	int err = counter_read(tracefs, counter, &values);

	if (err == -ENOENT)
		return report_no_counter(counter->hist.name);
	if (err == -EBADMSG) {
		tool_error("%s: the kernel's text is ambiguous: a key has "
			   "parts of it",
			   counter->hist.name);
		return TOOL_FAILED;
	}
	if (err)
		return tool_error_of(err, "%s: cannot read",
				     counter->hist.name);

	return print_counter(count, counter, &values);
}

/* ---- stop ---- */

static int stop_counter(struct count *count, const char *tracefs,
			const struct counter *counter)
{
	int err = counter_stop(tracefs, counter);

	(void)count;
	if (err == -ENOENT)
		return report_no_counter(counter->hist.name);

	return err ? tool_error_of(err, "%s: cannot stop", counter->hist.name)
		   : TOOL_OK;
}

/* ---- The command ---- */

/* Calls @act with the counter of a name. Return: its status, or an error */
static int with_counter(struct count *count, const char *tracefs,
			const char *name,
			int (*act)(struct count *count, const char *tracefs,
				   const struct counter *counter))
{
	_cleanup_(counters_free) struct counters counters = { 0 };
	int err = counters_find(&counters, tracefs, name);

	if (err)
		return report_find(err);

	/* Others can exist on several events, which share one. */
	return counters.count ? act(count, tracefs, &counters.counters[0])
			      : report_no_counter(name);
}

static int read_one(struct count *count, const char *tracefs, const char *name)
{
	return with_counter(count, tracefs, name, read_counter);
}

static int stop_named(struct count *count, const char *tracefs,
		      const char *name)
{
	return with_counter(count, tracefs, name, stop_counter);
}

/* Actions besides start, with @arguments arguments each */
static const struct {
	const char *name;
	size_t arguments;
	int (*run)(struct count *count, const char *tracefs, const char *name);
} actions[] = {
	{ "list", 0, list_counters },
	{ "read", 1, read_one },
	{ "stop", 1, stop_named },
};

static int run_named(struct count *count, size_t action, char **arguments,
		     size_t number)
{
	const char *name = actions[action].name;
	_cleanup_free_ char *tracefs = NULL;
	int status;

	if (number != actions[action].arguments)
		return tool_usage(&command_count,
				  actions[action].arguments
					  ? "%s: requires the name of one "
					    "counter"
					  : "%s: accepts no argument",
				  name);
	if (count->has_start)
		return tool_usage(&command_count, "%s: only for start",
				  count->has_start);
	if (count->has_format && actions[action].run == stop_named)
		return tool_usage(&command_count, "%s: only for list and read",
				  count->has_format);
	if (count->format == SINK_COUNTERS_CSV &&
	    actions[action].run == list_counters)
		return tool_usage(&command_count,
				  "--format=csv: only for read");
	status = events_find_tracefs(&tracefs);

	return status ? status
		      : actions[action].run(count, tracefs, arguments[0]);
}

static int run_action(struct count *count, char **arguments, size_t number)
{
	size_t i;

	if (!number)
		return tool_usage(&command_count,
				  "requires start, list, read or stop");
	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (strcmp(arguments[0], actions[i].name) == 0)
			return run_named(count, i, arguments + 1, number - 1);
	if (strcmp(arguments[0], "start") != 0)
		return tool_usage(&command_count,
				  "%s: not start, list, read or stop",
				  arguments[0]);
	if (count->has_format)
		return tool_usage(&command_count, "%s: only for list and read",
				  count->has_format);
	if (number != 2 && number != 3)
		return tool_usage(&command_count,
				  "start: requires [NAME] EVENT");

	return start_counter(count, arguments + 1, number - 1);
}

/* ---- Options ---- */

enum {
	OPTION_BY = OPTION_FIRST,
	OPTION_SUM,
	OPTION_ENTRIES,
};

/* Return: whether there are 1 to @max different names */
static bool split_names(char *rest, const char **names, size_t *count,
			size_t max)
{
	const char *one;
	size_t i;

	*count = 0;
	while ((one = strsep(&rest, ","))) {
		for (i = 0; i < *count; i++)
			if (strcmp(names[i], one) == 0)
				return false;
		if (!*one || *count == max)
			return false;
		names[(*count)++] = one;
	}

	return true;
}

static int take_fields(struct count *count, int option, const char *argument)
{
	struct counter_request *request = &count->request;
	bool is_by = option == OPTION_BY;
	char **copy = &count->copies[is_by];

	free(*copy);
	*copy = tool_copy(argument);
	count->has_start = is_by ? "--by" : "--sum";
	if (is_by ? split_names(*copy, request->keys, &request->key_count,
				HIST_KEYS_MAX)
		  : split_names(*copy, request->sums, &request->sum_count,
				HIST_SUMS_MAX))
		return TOOL_OK;

	return tool_usage(&command_count,
			  "%s: \"%s\" is not a list of up to %d different "
			  "fields",
			  count->has_start, argument,
			  is_by ? HIST_KEYS_MAX : HIST_SUMS_MAX);
}

/* A line of the file trigger ends at a newline. */
static int take_filter(struct count *count, const char *argument)
{
	count->has_start = "--filter";
	count->request.filter = argument;
	if (argument[strspn(argument, " \t")] && !strchr(argument, '\n'))
		return TOOL_OK;

	return tool_usage(&command_count,
			  "--filter: \"%s\" is not a condition in one line",
			  argument);
}

static int take_format(struct count *count, const char *argument)
{
	static const char *const names[] = {
		[SINK_COUNTERS_TEXT] = "text",
		[SINK_COUNTERS_JSON] = "json",
		[SINK_COUNTERS_CSV] = "csv",
	};
	size_t i;

	count->has_format = "--format";
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(argument, names[i]) == 0) {
			count->format = (enum sink_counters_format)i;
			return TOOL_OK;
		}

	return tool_usage(&command_count,
			  "--format: \"%s\" is not text, json or csv",
			  argument);
}

static int take_option(void *data, int option, const char *argument)
{
	struct count *count = data;

	switch (option) {
	case OPTION_BY:
	case OPTION_SUM:
		return take_fields(count, option, argument);
	case OPTION_ENTRIES:
		count->has_start = "--entries";
		if (tool_number(argument, ENTRIES_MIN, ENTRIES_MAX,
				&count->request.entries))
			return TOOL_OK;
		return tool_usage(&command_count,
				  "--entries: \"%s\" is not a number from %d "
				  "to %d",
				  argument, ENTRIES_MIN, ENTRIES_MAX);
	case 'f':
		return take_filter(count, argument);
	case 't':
		return take_format(count, argument);
	default:
		return take_format(count, "json");
	}
}

static int run(int argc, char **argv)
{
	struct count count = { .format = SINK_COUNTERS_TEXT };
	const struct tool_options options = {
		.take = take_option,
		.data = &count,
	};
	int status = tool_parse_common(&command_count, &options, argc, argv);

	if (!status)
		status = run_action(&count, argv + optind,
				    (size_t)(argc - optind));
	free(count.copies[0]);
	free(count.copies[1]);

	return status;
}

static const struct tool_option own_options[] = {
	{ "by", OPTION_BY, "FIELD[,...]",
	  "with start, count for each value of up to 3 fields, of tid and of cpu" },
	{ "sum", OPTION_SUM, "FIELD[,...]",
	  "with start, also add up the values of up to 2 fields" },
	{ "filter", 'f', "FILTER",
	  "with start, count only events that pass FILTER" },
	{ "entries", OPTION_ENTRIES, "N",
	  "with start, keep up to N different keys (default: 2048)" },
	{ "format", 't', "FORMAT",
	  "with list and read, print text or json, and with read csv (default: text)" },
	{ "json", 'j', NULL, "same as --format=json" },
	{ "color", OPTION_COLOR, "WHEN",
	  "use colors: auto, always or never (default: auto)" },
	{ 0 },
};

const struct tool_command command_count = {
	.name = "count",
	.arguments =
		"start [OPTION...] --by FIELD[,...] [NAME] [SYSTEM:]EVENT\n"
		"       user-events count list | read NAME | stop NAME",
	.summary = "Count events in the kernel, without a process",
	.help = "The kernel counts until the counter is stopped. Its default name is that of the\n"
		"event. \"user-events export --counters\" gives it to Prometheus.\n",
	.options = (const struct tool_option *const[]){ own_options, NULL },
	.run = run,
};
