// SPDX-License-Identifier: MIT
/* user-events export: gives records to programs that collect them. */
#include "sink/journal.h"
#include "sink/otlp.h"
#include "sink/prometheus.h"
#include "source/input.h"
#include "tool.h"

#define DEFAULT_INTERVAL_MS 1000

/*
 * struct export_state - The destinations
 * @module: what the module counts, of a session
 * @has_journal: --journal was given
 */
struct export_state {
	struct source_input input;
	struct pipe pipe;
	struct sink_prometheus prometheus;
	struct export_module module;
	struct export_journal journal;
	bool has_journal;
	struct sink_otlp otlp;
};

/* Starts and stops are paired once, for metrics and for spans. */
static void set_spans(struct export_state *export)
{
	struct export_metrics *metrics = &export->prometheus.metrics;

	export_metrics_begin(metrics);
	if (!export->otlp.otlp.url)
		return;
	metrics->begin = sink_otlp_begin;
	metrics->end = sink_otlp_end;
	metrics->data = &export->otlp;
}

/* Return: an exit status */
static int open_sinks(struct export_state *export)
{
	int status = TOOL_OK;

	if (export->otlp.otlp.url)
		status = export_otlp_open(&export->otlp.otlp);
	if (!status && export->has_journal)
		status = sink_journal_open(&export->journal);
	if (!status)
		status = sink_prometheus_open(&export->prometheus,
					      &command_export);

	return status;
}

/* Counters alone need no records. */
static void skip_records(struct export_state *export)
{
	struct capture_options *live = &export->input.live;

	if (export->prometheus.counters.names.count && live->is_default &&
	    !live->command && !export->has_journal && !export->otlp.otlp.url)
		live->pattern_count = 0;
}

/* The numbers of files are those of another time. */
static void set_module(struct export_state *export)
{
	const struct capture_options *live = &export->input.live;

	if (export->input.files.count)
		return;
	export->module.patterns = live->patterns;
	export->module.pattern_count = live->pattern_count;
	export->prometheus.module = &export->module;
	export->otlp.module = &export->module;
}

static int execute(struct export_state *export)
{
	struct sink journal = { .ops = &sink_journal,
				.data = &export->journal };
	struct sink otlp = { .ops = &sink_otlp, .data = &export->otlp };
	struct sink prometheus = { .ops = &sink_prometheus,
				   .data = &export->prometheus };
	struct pipe *pipe = &export->pipe;
	int status;

	export->prometheus.pipe = pipe;
	set_spans(export);
	set_module(export);
	status = open_sinks(export);
	if (status)
		return status;
	if (export->has_journal)
		pipe_add(pipe, &journal);
	if (export->otlp.otlp.url)
		pipe_add(pipe, &otlp);
	/* The last one, because it serves the numbers of files at the end. */
	pipe_add(pipe, &prometheus);
	skip_records(export);
	source_input_open(&export->input, pipe);

	return pipe_run(pipe);
}

enum {
	OPTION_BUCKETS = OPTION_FIRST,
	OPTION_OTLP,
	OPTION_OTLP_HEADER,
	OPTION_COUNTERS,
};

static int take_option(void *data, int option, const char *argument)
{
	struct export_state *export = data;

	switch (option) {
	case OPTION_BUCKETS:
		return sink_prometheus_take_buckets(&export->prometheus,
						    &command_export, argument);
	case OPTION_COUNTERS:
		return query_list_add(&export->prometheus.counters.names,
				      argument);
	case OPTION_OTLP:
		return sink_otlp_take_url(&export->otlp, &command_export,
					  argument);
	case 'g':
		return capture_stacks_take(&export->input.live, &command_export,
					   argument);
	case OPTION_OTLP_HEADER:
		return sink_otlp_take_header(&export->otlp, &command_export,
					     argument);
	default:
		return query_spans_take_option(
			&export->prometheus.metrics.spans, option, argument);
	}
}

static int check_arguments(struct export_state *export)
{
	int status;

	if (!export->prometheus.address && !export->prometheus.path &&
	    !export->has_journal && !export->otlp.otlp.url)
		return tool_usage(&command_export,
				  "no destination given, such as "
				  "--prometheus=9464");
	if (export->input.live.stacks && !export->otlp.otlp.url)
		return tool_usage(&command_export, "--stacks: requires --otlp");
	status = sink_prometheus_check(&export->prometheus, &command_export);

	return status ? status
		      : source_input_check(&export->input, &command_export);
}

static int run(int argc, char **argv)
{
	struct export_state export = { .input = SOURCE_INPUT_INIT };
	int status;

	export.input.interval = DEFAULT_INTERVAL_MS;
	status = source_input_parse(&export.input, &command_export, take_option,
				    &export, argc, argv);
	if (!status)
		status = check_arguments(&export);
	if (!status)
		status = execute(&export);
	sink_prometheus_release(&export.prometheus);
	export_journal_close(&export.journal);
	sink_otlp_release(&export.otlp);
	export_module_release(&export.module);
	source_input_release(&export.input);

	return status;
}

static const struct tool_option own_options[] = {
	{ "prometheus", 0, "TARGET",
	  "serve /metrics by HTTP at TARGET: HOST:PORT, or PORT of 127.0.0.1",
	  SET_TEXT(struct export_state, prometheus.address, NULL) },
	{ "textfile", 0, "FILE",
	  "write the same to FILE, which is replaced as a whole; - is standard output",
	  SET_TEXT(struct export_state, prometheus.path, "@file") },
	{ "buckets", OPTION_BUCKETS, "TIME[,...]",
	  "with these, count latencies up to these times, such as 0.5,1,5 or 100us,5ms (default: 1us,2us,5us and so on to 100s)" },
	{ "counters", OPTION_COUNTERS, "NAME",
	  "with these, also give a counter of user-events count; can be repeated. Without EVENT, COMMAND and other destinations, no records are read" },
	{ "journal", 0, NULL, "send each record to the journal of systemd",
	  SET_FLAG(struct export_state, has_journal) },
	{ "otlp", OPTION_OTLP, "URL",
	  "send records, spans and metrics to a collector of OpenTelemetry, such as http://127.0.0.1:4318" },
	{ "otlp-header", OPTION_OTLP_HEADER, "NAME=VALUE",
	  "with --otlp, add a header to requests" },
	{ "stacks", 'g', "[WHICH]",
	  "with --otlp, send the calls that lead to events: WHICH is user, kernel or both (default: user)" },
	{ "read", 'r', "FILE", "read perf.data or trace.dat; can be repeated",
	  SET_NOTHING("@file") },
	CAPTURE_BUFFER_SIZE("512K"),
	{ "all", 'a', NULL, "with COMMAND, export other processes, too" },
	{ "interval", 'i', "TIME",
	  "update the numbers every TIME, such as 0.5 or 500ms (default: 1)" },
	{ 0 },
};

const struct tool_command command_export = {
	.name = "export",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Give records and latencies to other systems",
	.help = "Counts records by event, and pairs starts and stops as \"user-events latency\".\n"
		"With COMMAND, export its events until it exits, and exit with its status.\n"
		"Otherwise export until Ctrl-C, or read files, and serve their numbers until\n"
		"Ctrl-C.\n",
	.options =
		(const struct tool_option *const[]){
			own_options, query_spans_options, capture_option_rows,
			query_select_options, NULL },
	.run = run,
};
