// SPDX-License-Identifier: MIT
/* user-events count: counters of the kernel, which need no process. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/decode.h>

#include "capture/filter.h"
#include "events/counters.h"
#include "events/events.h"
#include "events/report.h"
#include "query/csv.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

/* Limits of the kernel */
#define ENTRIES_MIN 128
#define ENTRIES_MAX 131072

enum format {
	FORMAT_TEXT = 0,
	FORMAT_JSON,
	FORMAT_CSV,
};

/*
 * struct count - The arguments of the command
 * @request: of start; its texts are in @copies
 * @format: of list and read
 * @has_start: an option of start was given, and @has_format: one of the others
 */
struct count {
	struct counter_request request;
	char *copies[2];
	enum format format;
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
	char *name = events_name(event), *reason;
	int err, status;

	request->system = event->system;
	request->event = event->name;
	if (!request->name)
		request->name = event->name;
	if (!hist_is_name(request->name)) {
		status = tool_usage(&command_count,
				    "%s: not a name of up to %d letters, "
				    "digits and _.-",
				    request->name, HIST_NAME_MAX);
	} else {
		err = counter_start(tracefs, request, &reason);
		status = report_start(name, request, err, reason);
		free(reason);
	}
	free(name);

	return status;
}

/* @arguments: "[NAME] EVENT" */
static int start(struct count *count, char **arguments, size_t number)
{
	char *pattern = arguments[number - 1];
	const struct event *event = NULL;
	struct events events;
	int status;

	if (!count->request.key_count)
		return tool_usage(&command_count, "start: requires --by");
	if (number == 2)
		count->request.name = arguments[0];
	status = events_open(&events);
	if (status)
		return status;
	status = events_select(&events, &pattern, 1);
	if (status)
		tool_hint("define it with \"user-events add\"");
	else
		event = find_event(&events, pattern, &status);
	if (event)
		status = start_event(&count->request, events.tracefs, event);
	events_free(&events);

	return status;
}

/* ---- list ---- */

static char *names_of(const struct hist_field *fields, size_t count)
{
	struct uev_output list = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < count; i++)
		tool_list_add(&list, "%s", hist_key_name(&fields[i]));

	return list.size ? list.text : tool_copy("-");
}

static void print_table(const struct counters *counters)
{
	static const struct out_column columns[] = {
		{ "NAME", false }, { "EVENT", false },	{ "BY", false },
		{ "SUM", false },  { "ENTRIES", true }, { "FILTER", false },
	};
	struct out_table *table = out_table_begin(columns, ARRAY_SIZE(columns));
	const struct counter *counter;
	char *event, *keys, *sums;
	size_t i;

	for (i = 0; i < counters->count; i++) {
		counter = &counters->counters[i];
		event = counter_event(counter);
		keys = names_of(counter->hist.keys, counter->hist.key_count);
		sums = names_of(counter->hist.sums, counter->hist.sum_count);
		out_table_cell(table, OUT_PLAIN, counter->hist.name);
		out_table_cell(table, OUT_PLAIN, event);
		out_table_cell(table, OUT_PLAIN, keys);
		out_table_cell(table, OUT_PLAIN, sums);
		out_table_print(table, OUT_PLAIN, "%" PRIu64,
				counter->hist.entries);
		out_table_cell(table, OUT_PLAIN,
			       counter->hist.filter ? counter->hist.filter
						    : "-");
		free(event);
		free(keys);
		free(sums);
	}
	out_table_end(table);
}

static void json_names(struct out_json *json, const char *key,
		       const struct hist_field *fields, size_t count)
{
	size_t i;

	out_json_array(json, key);
	for (i = 0; i < count; i++)
		out_json_string(json, NULL, hist_key_name(&fields[i]));
	out_json_array_end(json);
}

/* The members that list and read have, in an open object */
static void json_counter(struct out_json *json, const struct counter *counter)
{
	const struct hist *hist = &counter->hist;
	char *event = counter_event(counter);

	out_json_string(json, "name", hist->name);
	out_json_string(json, "event", event);
	json_names(json, "by", hist->keys, hist->key_count);
	json_names(json, "sum", hist->sums, hist->sum_count);
	if (hist->filter)
		out_json_string(json, "filter", hist->filter);
	else
		out_json_null(json, "filter");
	out_json_unsigned(json, "max_entries", hist->entries);
	free(event);
}

static void print_json(const struct counters *counters)
{
	struct out_json *json = out_json_begin();
	size_t i;

	out_json_array(json, NULL);
	for (i = 0; i < counters->count; i++) {
		out_json_object(json, NULL);
		json_counter(json, &counters->counters[i]);
		out_json_object_end(json);
	}
	out_json_array_end(json);
	out_json_end(json);
}

static int list(struct count *count, const char *tracefs, const char *name)
{
	struct counters counters;
	int err = counters_find(&counters, tracefs, NULL);

	(void)name;
	if (err)
		return report_find(err);
	if (count->format == FORMAT_JSON)
		print_json(&counters);
	else
		print_table(&counters);
	counters_free(&counters);

	return TOOL_OK;
}

/* ---- read ---- */

/* A sum as a text, for free() */
static char *sum_of(const struct hist_field *field, uint64_t sum)
{
	return field->is_signed ? tool_print("%" PRId64, (int64_t)sum)
				: tool_print("%" PRIu64, sum);
}

static void print_entry(struct out_table *table, const struct hist *hist,
			const struct hist_entry *entry)
{
	char *sum;
	size_t i;

	for (i = 0; i < hist->key_count; i++)
		out_table_cell(table, OUT_PLAIN, entry->keys[i]);
	out_table_print(table, OUT_PLAIN, "%" PRIu64, entry->count);
	for (i = 0; i < hist->sum_count; i++) {
		sum = sum_of(&hist->sums[i], entry->sums[i]);
		out_table_cell(table, OUT_PLAIN, sum);
		free(sum);
	}
}

static void print_values(const struct counter *counter,
			 const struct hist_values *values)
{
	struct out_column columns[HIST_KEYS_MAX + 1 + HIST_SUMS_MAX];
	const struct hist *hist = &counter->hist;
	char *titles[HIST_SUMS_MAX];
	struct out_table *table;
	size_t i, count = 0;

	for (i = 0; i < hist->key_count; i++)
		columns[count++] =
			(struct out_column){ hist_key_name(&hist->keys[i]),
					     !hist->keys[i].is_text };
	columns[count++] = (struct out_column){ "COUNT", true };
	for (i = 0; i < hist->sum_count; i++) {
		titles[i] = tool_print("SUM(%s)", hist->sums[i].name);
		columns[count++] = (struct out_column){ titles[i], true };
	}
	table = out_table_begin(columns, count);
	for (i = 0; i < values->count; i++)
		print_entry(table, hist, &values->entries[i]);
	out_table_end(table);
	for (i = 0; i < hist->sum_count; i++)
		free(titles[i]);
}

static void json_entry(struct out_json *json, const struct hist *hist,
		       const struct hist_entry *entry)
{
	const char *name;
	char *sum;
	size_t i;

	out_json_object(json, NULL);
	out_json_object(json, "keys");
	for (i = 0; i < hist->key_count; i++) {
		name = hist_key_name(&hist->keys[i]);
		if (hist->keys[i].is_text)
			out_json_string(json, name, entry->keys[i]);
		else
			out_json_raw(json, name, entry->keys[i],
				     strlen(entry->keys[i]));
	}
	out_json_object_end(json);
	out_json_unsigned(json, "count", entry->count);
	out_json_object(json, "sums");
	for (i = 0; i < hist->sum_count; i++) {
		sum = sum_of(&hist->sums[i], entry->sums[i]);
		out_json_raw(json, hist->sums[i].name, sum, strlen(sum));
		free(sum);
	}
	out_json_object_end(json);
	out_json_object_end(json);
}

static void json_values(const struct counter *counter,
			const struct hist_values *values)
{
	struct out_json *json = out_json_begin();
	size_t i;

	out_json_object(json, NULL);
	json_counter(json, counter);
	out_json_unsigned(json, "lost", values->lost);
	out_json_array(json, "entries");
	for (i = 0; i < values->count; i++)
		json_entry(json, &counter->hist, &values->entries[i]);
	out_json_array_end(json);
	out_json_object_end(json);
	out_json_end(json);
}

static void csv_titles(struct uev_output *to, const struct hist *hist)
{
	size_t i;

	for (i = 0; i < hist->key_count; i++) {
		tool_put(to, hist_key_name(&hist->keys[i]));
		tool_put(to, ",");
	}
	tool_put(to, "count");
	for (i = 0; i < hist->sum_count; i++) {
		tool_put(to, ",sum_");
		tool_put(to, hist->sums[i].name);
	}
	tool_put(to, "\n");
}

static void csv_entry(struct uev_output *to, const struct hist *hist,
		      const struct hist_entry *entry)
{
	char *number = tool_print("%" PRIu64, entry->count);
	size_t i;

	for (i = 0; i < hist->key_count; i++) {
		query_csv_append(
			to, entry->keys[i], strlen(entry->keys[i]),
			QUERY_CSV_SANITIZED |
				(hist->keys[i].is_text ? QUERY_CSV_QUOTED : 0));
		tool_put(to, ",");
	}
	tool_put(to, number);
	free(number);
	for (i = 0; i < hist->sum_count; i++) {
		number = sum_of(&hist->sums[i], entry->sums[i]);
		tool_put(to, ",");
		tool_put(to, number);
		free(number);
	}
	tool_put(to, "\n");
}

static void csv_values(const struct counter *counter,
		       const struct hist_values *values)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	csv_titles(&text, &counter->hist);
	for (i = 0; i < values->count; i++)
		csv_entry(&text, &counter->hist, &values->entries[i]);
	out_bytes(text.text, text.size);
	uev_output_release(&text);
}

static int print_counter(const struct count *count,
			 const struct counter *counter,
			 const struct hist_values *values)
{
	static void (*const print[])(const struct counter *counter,
				     const struct hist_values *values) = {
		[FORMAT_TEXT] = print_values,
		[FORMAT_JSON] = json_values,
		[FORMAT_CSV] = csv_values,
	};

	print[count->format](counter, values);
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
	struct hist_values values;
	int err = counter_read(tracefs, counter, &values), status;

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
	status = print_counter(count, counter, &values);
	hist_values_release(&values);

	return status;
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
	struct counters counters;
	int err = counters_find(&counters, tracefs, name), status;

	if (err)
		return report_find(err);
	/* Others can exist on several events, which share one. */
	status = counters.count ? act(count, tracefs, &counters.counters[0])
				: report_no_counter(name);
	counters_free(&counters);

	return status;
}

static int read_one(struct count *count, const char *tracefs, const char *name)
{
	return with_counter(count, tracefs, name, read_counter);
}

static int stop(struct count *count, const char *tracefs, const char *name)
{
	return with_counter(count, tracefs, name, stop_counter);
}

/* Actions besides start, with @arguments arguments each */
static const struct {
	const char *name;
	size_t arguments;
	int (*run)(struct count *count, const char *tracefs, const char *name);
} actions[] = {
	{ "list", 0, list },
	{ "read", 1, read_one },
	{ "stop", 1, stop },
};

static int act(struct count *count, size_t action, char **arguments,
	       size_t number)
{
	const char *name = actions[action].name;
	char *tracefs;
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
	if (count->has_format && actions[action].run == stop)
		return tool_usage(&command_count, "%s: only for list and read",
				  count->has_format);
	if (count->format == FORMAT_CSV && actions[action].run == list)
		return tool_usage(&command_count,
				  "--format=csv: only for read");
	status = events_find_tracefs(&tracefs);
	if (!status)
		status = actions[action].run(count, tracefs, arguments[0]);
	free(tracefs);

	return status;
}

static int run_action(struct count *count, char **arguments, size_t number)
{
	size_t i;

	if (!number)
		return tool_usage(&command_count,
				  "requires start, list, read or stop");
	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (strcmp(arguments[0], actions[i].name) == 0)
			return act(count, i, arguments + 1, number - 1);
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

	return start(count, arguments + 1, number - 1);
}

/* ---- Options ---- */

enum {
	OPTION_BY = OPTION_FIRST,
	OPTION_SUM,
	OPTION_ENTRIES,
};

/* Return: whether there are 1 to @max different names */
static bool split(char *rest, const char **names, size_t *count, size_t max)
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
	if (is_by ? split(*copy, request->keys, &request->key_count,
			  HIST_KEYS_MAX)
		  : split(*copy, request->sums, &request->sum_count,
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
		[FORMAT_TEXT] = "text",
		[FORMAT_JSON] = "json",
		[FORMAT_CSV] = "csv",
	};
	size_t i;

	count->has_format = "--format";
	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strcmp(argument, names[i]) == 0) {
			count->format = (enum format)i;
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
	struct count count = { .format = FORMAT_TEXT };
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
