// SPDX-License-Identifier: MIT
/* user-events stat: counts events. */
#include "sink/aggregate.h"
#include "sink/stat.h"
#include "source/input.h"
#include "tool.h"

/* The minimum: the kernel also counts events whose records do not fit. */
#define BUFFER_SIZE 1

/*
 * struct stat - The options of the command
 * @input: what to count, and when to print a block
 * @aggregate: for --by
 */
struct stat {
	struct source_input input;
	struct sink_aggregate aggregate;
};

/* Counts by the counters of the kernel. */
static int execute(struct stat *stat)
{
	struct capture_options *options = &stat->input.live;
	bool has_readers = capture_follows(options);
	struct pipe pipe = {
		.interval = stat->input.interval,
		.has_own_losses = true,
	};
	struct sink_stat counters = {
		.is_json = stat->input.is_json,
		.pipe = &pipe,
	};

	if (!options->buffer_size && !has_readers)
		options->buffer_size = BUFFER_SIZE;
	counters.live = source_live_new(options);
	counters.live->is_passive = !has_readers;
	counters.live->needs_events = true;
	counters.sink.ops = has_readers ? &sink_stat_read : &sink_stat;
	counters.sink.data = &counters;
	pipe.source = &counters.live->source;
	pipe_add(&pipe, &counters.sink);

	return pipe_run(&pipe);
}

/* Counts by the fields of --by, for which the records are read. */
static int execute_by(struct stat *stat)
{
	struct pipe pipe = { 0 };
	struct sink sink = { .ops = &sink_aggregate, .data = &stat->aggregate };

	stat->aggregate.is_json = stat->input.is_json;
	stat->aggregate.pipe = &pipe;
	source_input_open(&stat->input, &pipe);
	pipe_add(&pipe, &sink);

	return pipe_run(&pipe);
}

static int check_arguments(struct stat *stat)
{
	bool is_session = source_input_is_session(&stat->input);

	if (stat->aggregate.value.count > 1)
		return tool_usage(&command_stat,
				  "--value: accepts only one field");
	/* Only the kernel counts without reading records. */
	if (!stat->aggregate.by.count && !is_session)
		query_fields_parse(&stat->aggregate.by, "--by", "event");
	if (!stat->aggregate.by.count &&
	    (stat->aggregate.value.count ||
	     query_select_is_set(&stat->input.select)))
		return tool_usage(&command_stat,
				  "--value, --where and other selections: "
				  "require --by, --read or --flight");
	if (!is_session)
		return source_input_check(&stat->input, &command_stat);
	if (stat->input.live.is_default)
		return tool_usage(&command_stat, "no event given");

	return TOOL_OK;
}

static int run(int argc, char **argv)
{
	struct stat stat = { .input = SOURCE_INPUT_INIT };
	int status = source_input_parse(&stat.input, &command_stat, &stat, argc,
					argv);

	if (!status)
		status = check_arguments(&stat);
	if (!status)
		status = stat.aggregate.by.count ? execute_by(&stat)
						 : execute(&stat);
	source_input_release(&stat.input);
	sink_aggregate_release(&stat.aggregate);

	return status;
}

static const struct tool_option own_options[] = {
	CAPTURE_BUFFER_SIZE(struct stat, input.live,
			    "one page; 512K with COMMAND or --pid"),
	SOURCE_OPTION_ALL(struct stat, input, "count"),
	SOURCE_OPTION_INTERVAL(
		struct stat, input,
		"also print the counts every TIME, such as 0.5 or 500ms"),
	{ "by", 0, "FIELD[,...]", "count records by fields",
	  SET_BY(struct stat, aggregate.by, query_take_fields,
		 QUERY_GROUP_FIELDS) },
	{ "value", 0, "FIELD",
	  "with --by, print sum, average, minimum, percentiles and maximum of FIELD",
	  SET_BY(struct stat, aggregate.value, query_take_fields,
		 QUERY_GROUP_FIELDS) },
	SOURCE_OPTION_READ(
		struct stat, input,
		"count records of perf.data or trace.dat, by event without --by; can be repeated"),
	SOURCE_OPTION_JSON(
		struct stat, input,
		"print one JSON object per interval and one at the end"),
	{ 0 },
};

static const struct tool_option selection_options[] = {
	{ .help = "Selection, with --by, --read or --flight:" },
	{ 0 },
};

const struct tool_command command_stat = {
	.name = "stat",
	.arguments = "[OPTION...] [SYSTEM:]EVENT... [-- COMMAND...]",
	.summary = "Count events",
	.help = "EVENT is a name or a shell pattern. SYSTEM is user_events by default. With\n"
		"COMMAND, count its events and those of its children until it exits, and exit\n"
		"with its status. Otherwise count all events until Ctrl-C.\n",
	.options = OPTION_TABLES(
		{ own_options }, SOURCE_TABLE_RECORDER(struct stat, input),
		SOURCE_TABLE_FLIGHT(struct stat, input),
		SOURCE_TABLE_LIVE(struct stat, input), { selection_options },
		SOURCE_TABLE_SELECT(struct stat, input)),
	.run = run,
};
