// SPDX-License-Identifier: MIT
/* user-events export: gives records to programs that collect them. */
#include "export/journal.h"
#include "export/otlp.h"
#include "sink/prometheus.h"
#include "source/input.h"
#include "tool.h"

#define DEFAULT_INTERVAL_MS 1000

/*
 * struct export_state - The options of the command: the destinations
 * @module: what the module counts, of a session
 */
struct export_state {
	struct source_input input;
	struct export_journal journal;
	struct export_otlp otlp;
	struct sink_prometheus prometheus;
	struct export_module module;
};

/* Counters alone need no records. */
static void skip_records(struct export_state *export)
{
	struct capture_options *live = &export->input.live;

	if (export->prometheus.counters.names.count && live->is_default &&
	    !live->command && !export->journal.is_on && !export->otlp.url)
		live->pattern_count = 0;
}

/* The numbers of other sources are those of another time. */
static void set_module(struct export_state *export)
{
	const struct capture_options *live = &export->input.live;

	if (!source_input_is_session(&export->input))
		return;
	export->module.patterns = live->patterns;
	export->module.pattern_count = live->pattern_count;
	export->prometheus.module = &export->module;
	export->otlp.module = &export->module;
}

static int execute(struct export_state *export)
{
	struct export_metrics *metrics = &export->prometheus.metrics;
	struct pipe pipe = { 0 };
	int status;

	export_metrics_begin(metrics);
	set_module(export);
	status = export_journal_add(&export->journal, &pipe);
	if (!status)
		status = export_otlp_add(&export->otlp, metrics, &pipe);
	if (!status)
		status = sink_prometheus_add(&export->prometheus,
					     &command_export, &pipe);
	if (status)
		return status;
	skip_records(export);
	source_input_open(&export->input, &pipe);
	/* Records that are there already have only one result. */
	if (pipe.source->is_live && !pipe.interval)
		pipe.interval = DEFAULT_INTERVAL_MS;

	return pipe_run(&pipe);
}

static int check_arguments(struct export_state *export)
{
	const char *url = export->otlp.url;
	int status;

	if (!export->prometheus.address && !export->prometheus.path &&
	    !export->journal.is_on && !url)
		return tool_usage(&command_export,
				  "no destination, such as --prometheus=9464");
	if (export->input.live.stacks && !url)
		return tool_usage(&command_export, "--stacks: requires --otlp");
	if (export->otlp.headers.size && !url)
		return tool_usage(&command_export,
				  "--otlp-header: requires --otlp");
	status = sink_prometheus_check(&export->prometheus, &command_export,
				       url);
	if (!status)
		status = source_input_check_output(&export->input,
						   export->prometheus.path);

	return status ?: source_input_check(&export->input, &command_export);
}

static int run(int argc, char **argv)
{
	struct export_state export = { .input = SOURCE_INPUT_INIT };
	int status;

	status = source_input_parse(&export.input, &command_export, &export,
				    argc, argv);
	if (!status)
		status = check_arguments(&export);
	if (!status)
		status = execute(&export);
	sink_prometheus_release(&export.prometheus);
	export_journal_close(&export.journal);
	export_otlp_release(&export.otlp);
	export_module_release(&export.module);
	source_input_release(&export.input);

	return status;
}

static const struct tool_option own_options[] = {
	{ "journal", 0, NULL, "send each record to the journal of systemd",
	  SET_FLAG(struct export_state, journal.is_on) },
	{ "stacks", 'g', "[WHICH]",
	  "with --otlp, send the calls that lead to events: WHICH is user, kernel or both (default: user)",
	  SET_BY(struct export_state, input.live.stacks, capture_take_stacks,
		 NULL) },
	SOURCE_OPTION_READ(struct export_state, input,
			   "read perf.data or trace.dat; can be repeated"),
	CAPTURE_BUFFER_SIZE(struct export_state, input.live, "512K"),
	SOURCE_OPTION_ALL(struct export_state, input, "export"),
	SOURCE_OPTION_INTERVAL(
		struct export_state, input,
		"update the numbers every TIME, such as 0.5 or 500ms (default: 1)"),
	{ 0 },
};

const struct tool_command command_export = {
	.name = "export",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Give records and latencies to other systems",
	.help = "Counts records by event, and pairs starts and stops as \"user-events latency\".\n"
		"With COMMAND, export its events until it exits, and exit with its status.\n"
		"Otherwise export until Ctrl-C, or read files, and serve them until Ctrl-C.\n",
	.options = OPTION_TABLES(
		{ sink_prometheus_rows,
		  offsetof(struct export_state, prometheus) },
		{ export_otlp_rows, offsetof(struct export_state, otlp) },
		{ own_options },
		{ query_spans_options,
		  offsetof(struct export_state, prometheus.metrics.spans) },
		SOURCE_TABLE_RECORDER(struct export_state, input),
		SOURCE_TABLE_FLIGHT(struct export_state, input),
		SOURCE_TABLE_LIVE(struct export_state, input),
		SOURCE_TABLE_SELECT(struct export_state, input)),
	.run = run,
};
