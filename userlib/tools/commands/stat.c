// SPDX-License-Identifier: MIT
/* user-events stat: counts events. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/capture.h"
#include "capture/counts.h"
#include "sink/aggregate.h"
#include "source/input.h"
#include "ui/out.h"
#include "tool.h"

#define SECOND 1000.0

/*
 * The kernel counts events whether records fit the buffers or not. Buffers are
 * therefore as small as possible, and not read. With selected processes, late
 * events are counted by their records.
 */
#define BUFFER_SIZE 1
#define BUFFER_SIZE_READ (512 * 1024)

/*
 * struct stat - State of the count
 * @input: what to count, and when to print a block
 * @counts: counters of each event
 * @start: start in milliseconds; @last: time of the last block
 * @aggregate: for --by
 */
struct stat {
	struct source_input input;
	struct capture capture;
	struct capture_counts counts;
	uint64_t start;
	uint64_t last;
	struct sink_aggregate aggregate;
};

static double per_second(uint64_t count, uint64_t milliseconds)
{
	return milliseconds ? (double)count * SECOND / (double)milliseconds : 0;
}

/*
 * struct block - A block of output
 * @seconds: since the start
 * @length: milliseconds of the interval
 * @is_total: the interval is the whole time
 */
struct block {
	double seconds;
	uint64_t length;
	bool is_total;
};

static uint64_t count_of(const struct capture_count *count,
			 const struct block *block)
{
	return block->is_total ? count->hits : count->new_hits;
}

static void print_json(const struct stat *stat, const struct block *block)
{
	struct out_json *json = out_json_begin();
	const struct capture_count *count;
	char *name;
	size_t i;

	out_json_object(json, NULL);
	out_json_real(json, "time", block->seconds);
	out_json_bool(json, "total", block->is_total);
	out_json_array(json, "events");
	for (i = 0; i < stat->counts.count; i++) {
		count = stat->counts.counts[i];
		out_json_object(json, NULL);
		name = tool_print("%s:%s", count->source->system,
				  count->source->name);
		out_json_string(json, "event", name);
		free(name);
		out_json_unsigned(json, "count", count_of(count, block));
		out_json_real(json, "rate",
			      per_second(count_of(count, block),
					 block->length));
		out_json_object_end(json);
	}
	out_json_array_end(json);
	out_json_object_end(json);
	out_json_end(json);
}

static void print_text(const struct stat *stat, const struct block *block)
{
	const struct capture_count *count;
	size_t i;

	if (block->is_total)
		out_print("\n");
	for (i = 0; i < stat->counts.count; i++) {
		count = stat->counts.counts[i];
		if (!block->is_total)
			out_print("%12.3f ", block->seconds);
		out_print("%16" PRIu64 "  %14.1f/s  ", count_of(count, block),
			  per_second(count_of(count, block), block->length));
		out_text(count->source->system, strlen(count->source->system));
		out_print(":");
		out_text(count->source->name, strlen(count->source->name));
		out_print("\n");
	}
	if (block->is_total)
		out_print("\n%16.3f  seconds\n", block->seconds);
}

/* Return: an exit status */
static int print_block(struct stat *stat, bool is_total)
{
	uint64_t now = capture_now();
	struct block block = {
		.seconds = (double)(now - stat->start) / SECOND,
		.length = now - (is_total ? stat->start : stat->last),
		.is_total = is_total,
	};
	int ret;

	ret = capture_counts_update(&stat->counts, stat->capture.session);
	if (ret)
		return tool_error_of(ret, "session: cannot read counters");
	if (stat->input.is_json)
		print_json(stat, &block);
	else
		print_text(stat, &block);
	out_flush();
	capture_counts_reset(&stat->counts);
	stat->last = now;

	return TOOL_OK;
}

static int time_left(const struct stat *stat)
{
	return capture_time_left(stat->last, stat->input.interval);
}

/* Reads the buffers and drops the records, which the session counts. */
static int read_records(struct stat *stat, unsigned int flags)
{
	const struct uev_sample *record;
	ssize_t ready;

	if (stat->capture.is_passive)
		return TOOL_OK;
	do {
		ready = capture_read(&stat->capture, flags);
		while (uev_session_next(stat->capture.session, &record))
			continue;
	} while (ready > 0 && flags & UEV_READ_DRAIN);

	return ready < 0 ? TOOL_FAILED : TOOL_OK;
}

/* Return: TOOL_INCOMPLETE if late events have lost records, which is printed */
static int report_losses(const struct stat *stat)
{
	const struct capture *capture = &stat->capture;
	uint64_t hits, lost, all = 0;
	uint32_t i;

	if (capture->is_passive)
		return TOOL_OK;
	for (i = 0; uev_session_source(capture->session, i); i++)
		if (uev_session_source_is_late(capture->session, i) &&
		    !uev_session_source_stats(capture->session, i, &hits,
					      &lost) &&
		    lost != UINT64_MAX)
			all += lost;
	if (!all)
		return TOOL_OK;
	tool_error("up to %" PRIu64 " events not counted: the buffers were too "
		   "small",
		   all);

	return TOOL_INCOMPLETE;
}

static int count(struct stat *stat)
{
	struct capture *capture = &stat->capture;
	int status, missing, incomplete;

	/* The command might register missing events until it exits. */
	missing = capture->workload.pid ? TOOL_OK
					: capture_report_missing(capture);
	if (missing)
		return missing;
	stat->start = capture_now();
	stat->last = stat->start;
	status = capture_start(capture);
	while (!status && capture_wait(capture, time_left(stat))) {
		status = read_records(stat, 0);
		if (!status && !time_left(stat))
			status = print_block(stat, false);
	}
	if (!status)
		status = capture_stop(capture);
	if (!status)
		status = read_records(stat, UEV_READ_DRAIN);
	if (status)
		return status;

	status = print_block(stat, true);
	missing = capture_report_missing(capture);
	if (!status)
		status = missing;
	incomplete = capture_report_gaps(capture);
	if (!incomplete)
		incomplete = report_losses(stat);

	return capture_status(capture, status ? status : incomplete);
}

static int execute(struct stat *stat)
{
	struct capture_options *options = &stat->input.live;
	int status;

	if (!options->buffer_size)
		options->buffer_size = capture_follows(options)
					       ? BUFFER_SIZE_READ
					       : BUFFER_SIZE;
	status = capture_open(&stat->capture, options);
	if (status)
		return status;
	stat->capture.is_passive = !capture_follows(options);
	status = count(stat);
	capture_close(&stat->capture);
	capture_counts_release(&stat->counts);

	return status;
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
	if (stat->aggregate.value.count > 1)
		return tool_usage(&command_stat,
				  "--value: accepts only one field");
	/* Only the kernel counts without reading records. */
	if (!stat->aggregate.by.count && stat->input.files.count)
		query_fields_take(&stat->aggregate.by, "--by", "event");
	if (!stat->aggregate.by.count &&
	    (stat->aggregate.value.count || stat->input.has_selection))
		return tool_usage(&command_stat,
				  "--value, --where and other selections: "
				  "require --by or --read");
	if (stat->input.files.count)
		return source_input_check(&stat->input, &command_stat);
	if (stat->input.live.is_default)
		return tool_usage(&command_stat, "no event given");

	return TOOL_OK;
}

enum {
	OPTION_BY = OPTION_FIRST,
	OPTION_VALUE,
};

static int take_option(void *data, int option, const char *argument)
{
	struct sink_aggregate *aggregate = data;

	if (option == OPTION_BY)
		return query_fields_take(&aggregate->by, "--by", argument);

	return query_fields_take(&aggregate->value, "--value", argument);
}

static int run(int argc, char **argv)
{
	static const struct option names[] = {
		{ "by", required_argument, NULL, OPTION_BY },
		{ "value", required_argument, NULL, OPTION_VALUE },
		{ 0 },
	};
	struct stat stat = { .input = SOURCE_INPUT_INIT };
	int status = source_input_parse(&stat.input, &command_stat, names,
					take_option, &stat.aggregate, argc,
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

const struct tool_command command_stat = {
	.name = "stat",
	.arguments = "[OPTION...] [SYSTEM:]EVENT... [-- COMMAND...]",
	.summary = "Count events",
	.help = "EVENT is a name or a shell pattern. SYSTEM is user_events by default. With\n"
		"COMMAND, count its events and those of its children until it exits, and exit\n"
		"with its status. Otherwise count all events until Ctrl-C.\n\n"
		"Options:\n" CAPTURE_HELP(
			"one page; 512K with COMMAND or --pid") "  -a, --all                with COMMAND, count other processes, too\n"
								"  -i, --interval TIME      also print the counts every TIME, such as 0.5 or\n"
								"                           500ms\n"
								"      --by FIELD[,...]     count records by fields\n"
								"      --value FIELD        with --by, print sum, average, minimum, percentiles\n"
								"                           and maximum of FIELD\n"
								"  -r, --read FILE          count records of perf.data or trace.dat, by event\n"
								"                           without --by; can be repeated\n"
								"  -j, --json               print one JSON object per interval and one at the end\n"
								"  -h, --help               print this help\n\n"
								"Selection, with --by or --read:\n" SELECT_HELP,
	.run = run,
};
