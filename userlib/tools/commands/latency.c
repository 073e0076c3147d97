// SPDX-License-Identifier: MIT
/*
 * user-events latency: times between the starts and stops of activities, or
 * between two events.
 */
#include "sink/latency.h"
#include "source/input.h"
#include "tool.h"

enum {
	OPTION_BY = OPTION_FIRST,
};

static int take_option(void *data, int option, const char *argument)
{
	struct sink_latency *latency = data;
	int status = query_spans_take_option(&latency->spans, option, argument);

	if (status >= 0)
		return status;

	return query_fields_take(&latency->by, "--by", argument);
}

static int check_arguments(struct source_input *input,
			   const struct sink_latency *latency)
{
	int status = query_spans_check(&latency->spans, &command_latency);

	return status ? status : source_input_check(input, &command_latency);
}

static int run(int argc, char **argv)
{
	struct source_input input = SOURCE_INPUT_INIT;
	struct pipe pipe = { 0 };
	struct sink_latency latency = { .pipe = &pipe };
	struct sink sink = { .ops = &sink_latency, .data = &latency };
	int status = source_input_parse(&input, &command_latency, take_option,
					&latency, argc, argv);

	if (!status)
		status = check_arguments(&input, &latency);
	if (!status) {
		latency.is_json = input.is_json;
		source_input_open(&input, &pipe);
		pipe_add(&pipe, &sink);
		status = pipe_run(&pipe);
	}
	source_input_release(&input);
	sink_latency_release(&latency);

	return status;
}

static const struct tool_option own_options[] = {
	{ "read", 'r', "FILE", "read perf.data or trace.dat; can be repeated",
	  SET_NOTHING("@file") },
	{ "by", OPTION_BY, "FIELD[,...]",
	  "separate by fields of the start (default: its name)",
	  SET_NOTHING(QUERY_GROUP_FIELDS) },
	CAPTURE_BUFFER_SIZE("512K"),
	{ "all", 'a', NULL, "with COMMAND, measure other processes, too" },
	{ "interval", 'i', "TIME",
	  "also print the result every TIME, such as 0.5 or 500ms" },
	{ "json", 'j', NULL, "print a JSON object" },
	{ 0 },
};

const struct tool_command command_latency = {
	.name = "latency",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Measure the time between starts and stops",
	.help = "Pairs EventHeader events with the opcodes start and stop by their activity, or\n"
		"by their thread without one. With COMMAND, measure it until it exits, and exit\n"
		"with its status. Otherwise measure until Ctrl-C, or read files.\n",
	.options =
		(const struct tool_option *const[]){
			own_options, query_spans_options, capture_option_rows,
			query_select_options, NULL },
	.run = run,
};
