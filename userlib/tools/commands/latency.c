// SPDX-License-Identifier: MIT
/*
 * user-events latency: times between the starts and stops of activities, or
 * between two events.
 */
#include "sink/latency.h"
#include "source/input.h"
#include "tool.h"

/* struct latency - The options of the command */
struct latency {
	struct source_input input;
	struct sink_latency result;
};

static int check_arguments(struct latency *latency)
{
	int status =
		query_spans_check(&latency->result.spans, &command_latency);

	return status ? status
		      : source_input_check(&latency->input, &command_latency);
}

static int run(int argc, char **argv)
{
	struct pipe pipe = { 0 };
	struct latency latency = { .input = SOURCE_INPUT_INIT,
				   .result = { .pipe = &pipe } };
	struct sink sink = { .ops = &sink_latency, .data = &latency.result };
	int status = source_input_parse(&latency.input, &command_latency,
					&latency, argc, argv);

	if (!status)
		status = check_arguments(&latency);
	if (!status) {
		latency.result.is_json = latency.input.is_json;
		source_input_open(&latency.input, &pipe);
		pipe_add(&pipe, &sink);
		status = pipe_run(&pipe);
	}
	source_input_release(&latency.input);
	sink_latency_release(&latency.result);

	return status;
}

static const struct tool_option own_options[] = {
	SOURCE_OPTION_READ(struct latency, input,
			   "read perf.data or trace.dat; can be repeated"),
	{ "by", 0, "FIELD[,...]",
	  "separate by fields of the start (default: its name)",
	  SET_BY(struct latency, result.by, query_take_fields,
		 QUERY_GROUP_FIELDS) },
	CAPTURE_BUFFER_SIZE(struct latency, input.live, "512K"),
	SOURCE_OPTION_ALL(struct latency, input, "measure"),
	SOURCE_OPTION_INTERVAL(
		struct latency, input,
		"also print the result every TIME, such as 0.5 or 500ms"),
	SOURCE_OPTION_JSON(struct latency, input, "print a JSON object"),
	{ 0 },
};

const struct tool_command command_latency = {
	.name = "latency",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Measure the time between starts and stops",
	.help = "Pairs EventHeader events with the opcodes start and stop by their activity, or\n"
		"by their thread without one. With COMMAND, measure it until it exits, and exit\n"
		"with its status. Otherwise measure until Ctrl-C, or read files.\n",
	.options = OPTION_TABLES({ own_options },
				 { query_spans_options,
				   offsetof(struct latency, result.spans) },
				 SOURCE_TABLE_RECORDER(struct latency, input),
				 SOURCE_TABLE_FLIGHT(struct latency, input),
				 SOURCE_TABLE_LIVE(struct latency, input),
				 SOURCE_TABLE_SELECT(struct latency, input)),
	.run = run,
};
