// SPDX-License-Identifier: MIT
/* user-events count: counters of the kernel, which need no process. */
#include <inttypes.h>

#include "events/counter_control.h"
#include "sink/counters.h"
#include "ui/actions.h"

/* Actions, whose bits the options have */
enum {
	START,
	LIST,
	READ,
	STOP
};

/* struct count - The arguments of the command */
struct count {
	struct counter_control control;
	enum sink_counters_format format;
};

static int start(void *data, char **arguments, size_t number)
{
	struct counter_request *request =
		&((struct count *)data)->control.request;

	if (!request->key_count)
		return tool_usage(&command_count, "start: requires --by");
	if (number == 2)
		request->name = arguments[0];

	return counter_control_start(&command_count, request,
				     arguments[number - 1]);
}

static int list(void *data, char **arguments, size_t number)
{
	_cleanup_(counters_free) struct counters counters = { 0 };
	const struct count *count = data;
	int status;

	(void)arguments;
	(void)number;
	if (count->format == SINK_COUNTERS_CSV)
		return tool_usage(&command_count,
				  "--format=csv: only for read");
	status = counter_control_list(&counters);
	if (!status)
		sink_counters_list(&counters, count->format);

	return status;
}

static int read_counter(void *data, char **arguments, size_t number)
{
	_cleanup_(hist_values_release) struct hist_values values = { 0 };
	_cleanup_(counters_free) struct counters counters = { 0 };
	const struct count *count = data;
	int status = counter_control_read(arguments[0], &counters, &values);

	(void)number;
	if (status)
		return status;
	sink_counters_values(&counters.counters[0], &values, count->format);
	if (!values.lost)
		return TOOL_OK;
	tool_error("%s: %" PRIu64 " records lost, of more than %" PRIu64
		   " different keys",
		   arguments[0], values.lost,
		   counters.counters[0].hist.entries);

	return TOOL_INCOMPLETE;
}

static int stop(void *data, char **arguments, size_t number)
{
	(void)data;
	(void)number;

	return counter_control_stop(arguments[0]);
}

static const struct tool_action actions[] = {
	[START] = { "start", 1, 2, "[NAME] EVENT", start },
	[LIST] = { "list", 0, 0, "no argument", list },
	[READ] = { "read", 1, 1, "the name of one counter", read_counter },
	[STOP] = { "stop", 1, 1, "the name of one counter", stop },
};

/* The value of --json */
static int take_json(void *format, const struct tool_argument *argument)
{
	(void)argument;
	*(enum sink_counters_format *)format = SINK_COUNTERS_JSON;

	return TOOL_OK;
}

static int run(int argc, char **argv)
{
	const struct tool_actions all = { .actions = actions,
					  .count = ARRAY_SIZE(actions),
					  .common = 1 << LIST | 1 << READ };
	struct count count = { .format = SINK_COUNTERS_TEXT };
	int status = tool_run_action(&command_count, &all, &count, argc, argv);

	counter_control_release(&count.control);

	return status;
}

static const struct tool_option own_options[] = {
	{ "by", 0, "FIELD[,...]",
	  "with start, count for each value of up to 3 fields, of tid and of cpu",
	  SET_BY(struct count, control, counter_control_take_by, "tid cpu"),
	  1 << START },
	{ "sum", 0, "FIELD[,...]",
	  "with start, also add up the values of up to 2 fields",
	  SET_BY(struct count, control, counter_control_take_sum, NULL),
	  1 << START },
	{ "filter", 'f', "FILTER",
	  "with start, count only events that pass FILTER",
	  SET_BY(struct count, control, counter_control_take_filter, NULL),
	  1 << START },
	{ "entries", 0, "N",
	  "with start, keep up to N different keys (default: 2048)",
	  SET_NUMBER(struct count, control.request.entries, HIST_ENTRIES_MIN,
		     HIST_ENTRIES_MAX),
	  1 << START },
	{ "format", 't', "FORMAT",
	  "with list and read, print text or json, and with read csv (default: text)",
	  SET_WORD(struct count, format, "text json csv") },
	{ "json", 'j', NULL, "same as --format=json",
	  SET_BY(struct count, format, take_json, NULL) },
	OPTION_COLORS,
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
	.options = OPTION_TABLES({ own_options }),
	.run = run,
};
