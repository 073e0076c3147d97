// SPDX-License-Identifier: MIT
/* user-events record: writes events to perf.data. */
#include <signal.h>

#include "capture/clock.h"
#include "capture/signals.h"
#include "pipe/pipe.h"
#include "sink/perf_data.h"
#include "tool.h"

/* Limit of --max-files */
#define FILES_MAX 1000000

/* struct record - The options of the command */
struct record {
	struct capture_options options;
	struct sink_perf_data file;
};

static int execute(struct record *record)
{
	struct capture_options *options = &record->options;
	struct sink_perf_data *file = &record->file;
	struct pipe pipe = { .has_own_losses = true };

	options->has_names = true;
	/*
	 * Catches USR2 before events are enabled, because that is when it can
	 * be sent.
	 */
	if (options->is_snapshot || file->rotation.is_on)
		capture_signals_add(SIGUSR2);
	file->live = source_live_new(options);
	file->live->is_passive = options->is_snapshot;
	file->sink.ops = &sink_perf_data;
	file->sink.data = file;
	pipe.source = &file->live->source;
	pipe_add(&pipe, &file->sink);

	return pipe_run(&pipe);
}

static int run(int argc, char **argv)
{
	struct record record = {
		.options = CAPTURE_OPTIONS_INIT,
		.file = { .path = "perf.data" },
	};
	int status;

	record.options.takes_command = true;
	status = capture_parse(&command_record, &record, argc, argv,
			       &record.options);
	if (!status)
		status = sink_perf_data_check(&record.file, &record.options,
					      &command_record);
	if (!status)
		status = execute(&record);
	capture_options_release(&record.options);
	sink_perf_data_release(&record.file);

	return status;
}

static const struct tool_option own_options[] = {
	{ "output", 'o', "FILE", "write to FILE (default: perf.data)",
	  SET_TEXT(struct record, file.path, "@file") },
	CAPTURE_BUFFER_SIZE(struct record, options, "512K"),
	{ "all", 'a', NULL, "with COMMAND, record other processes, too",
	  SET_FLAG(struct record, options.everywhere) },
	{ "stacks", 'g', "[WHICH]",
	  "record the calls that lead to events: WHICH is user, kernel or both (default: user)",
	  SET_BY(struct record, options.stacks, capture_take_stacks, NULL) },
	{ "count", 'n', "N", "stop after N records",
	  SET_NUMBER(struct record, file.count, 1, UINT64_MAX) },
	{ "max-size", 0, "SIZE",
	  "stop when the records in FILE reach SIZE bytes",
	  SET_SIZE(struct record, file.max_size, 1, UINT64_MAX) },
	{ "clockid", 'k', "CLOCK",
	  "use CLOCK: monotonic, monotonic_raw or perf (default: monotonic)",
	  SET_BY(struct record, options.clockid, capture_take_clock,
		 CAPTURE_CLOCKS) },
	{ "snapshot", 0, "[SIZE]",
	  "keep the newest SIZE bytes in memory, and write them to FILE.TIMESTAMP on SIGUSR2 and to FILE at the end (default: 4M)",
	  SET_BY(struct record, options, capture_take_snapshot, NULL) },
	{ "switch-output", 0, "[WHEN]",
	  "start another file FILE.TIMESTAMP on SIGUSR2, and when a file has a size such as 64M or after a time such as 1h (default: signal)",
	  SET_BY(struct record, file.rotation, capture_take_rotation, NULL) },
	{ "max-files", 0, "N", "keep the newest N files and snapshots",
	  SET_NUMBER(struct record, file.rotation.files_max, 1, FILES_MAX) },
	{ "trigger", 0, "'EVENT[ if FILTER]'",
	  "write a snapshot, or start another file, when such an event occurs",
	  SET_BY(struct record, file.trigger, capture_take_trigger, "@event") },
	{ "trigger-rate", 0, "N",
	  "with --trigger, when N of them occur within a second",
	  SET_NUMBER(struct record, file.trigger.rate, 1, UINT64_MAX) },
	{ "on-trigger", 0, "ACTION",
	  "with --trigger, do ACTION: file or stop (default: file)",
	  SET_WORD(struct record, file.trigger_action, "file stop") },
	{ "json", 'j', NULL, "print a summary as JSON to standard output",
	  SET_FLAG(struct record, file.is_json) },
	{ 0 },
};

const struct tool_command command_record = {
	.name = "record",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Record events to a perf.data file",
	.help = "EVENT is a name or a shell pattern (default: all events). SYSTEM is user_events\n"
		"by default. Events that appear later are recorded, too. With COMMAND, record it\n"
		"and its children until it exits, and exit with its status. Otherwise record all\n"
		"processes until Ctrl-C.\n",
	.options = OPTION_TABLES({ own_options },
				 { capture_option_rows,
				   offsetof(struct record, options) }),
	.run = run,
};
