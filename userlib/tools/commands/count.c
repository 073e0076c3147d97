// SPDX-License-Identifier: MIT
/* user-events count: counters of the kernel, which need no process. */
#include <inttypes.h>

#include "events/counter_control.h"
#include "sink/counters.h"
#include "ui/actions.h"

/* struct count - The arguments of the command */
struct count {
	struct counter_request request;
	enum sink_counters_format format;
};

static int start(void *data, char **arguments, size_t number)
{
	struct counter_request *request = &((struct count *)data)->request;

	if (!request->keys.count)
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

/* Return: TOOL_INCOMPLETE if records are not counted, which is printed */
static int report_losses(const struct counter *counter,
			 const struct hist_values *values)
{
	if (values->lost)
		tool_error("%s: %" PRIu64 " records lost, of more than %" PRIu64
			   " different keys",
			   counter->hist.name, values->lost,
			   counter->hist.entries);
	if (values->too_large)
		tool_error("%s: up to %" PRIu64
			   " records not counted: too large "
			   "for ftrace, since the counter was started",
			   counter->hist.name, values->too_large);

	return values->lost || values->too_large ? TOOL_INCOMPLETE : TOOL_OK;
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

	return report_losses(&counters.counters[0], &values);
}

static int stop(void *data, char **arguments, size_t number)
{
	(void)data;
	(void)number;

	return counter_control_stop(arguments[0]);
}

static const struct tool_action actions[] = {
	[COUNTER_START] = { "start", 1, 2, "[NAME] EVENT", start },
	[COUNTER_LIST] = { "list", 0, 0, "no argument", list },
	[COUNTER_READ] = { "read", 1, 1, "the name of one counter",
			   read_counter },
	[COUNTER_STOP] = { "stop", 1, 1, "the name of one counter", stop },
};

static int run(int argc, char **argv)
{
	const struct tool_actions all = { .actions = actions,
					  .count = ARRAY_SIZE(actions),
					  .common = 1 << COUNTER_LIST |
						    1 << COUNTER_READ };
	struct count count = { .format = SINK_COUNTERS_TEXT };
	int status = tool_run_action(&command_count, &all, &count, argc, argv);

	counter_control_release(&count.request);

	return status;
}

static const struct tool_option own_options[] = {
	{ "format", 't', "FORMAT",
	  "with list and read, print text or json, and with read csv (default: text)",
	  SET_WORD(struct count, format, "text json csv") },
	{ "json", 'j', NULL, "same as --format=json",
	  SET_VALUE(struct count, format, SINK_COUNTERS_JSON) },
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
	.options = OPTION_TABLES({ counter_control_rows,
				   offsetof(struct count, request) },
				 { own_options }),
	.changes_events = true,
	.run = run,
};
