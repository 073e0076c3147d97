// SPDX-License-Identifier: MIT
/* user-events record: writes events to perf.data. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/signals.h"
#include "pipe/pipe.h"
#include "sink/perf_data.h"
#include "ui/options.h"
#include "tool.h"

#define SNAPSHOT_SIZE (4 * 1024 * 1024)

/* Limit of the buffer of a processor. */
#define SNAPSHOT_MAX (UINT64_C(1) << 30)

/* Limit of --max-files */
#define FILES_MAX 1000000

enum {
	OPTION_SNAPSHOT = OPTION_FIRST,
	OPTION_SWITCH_OUTPUT,
	OPTION_TRIGGER,
};

/*
 * struct record - The options of the command
 * @snapshot_size: bytes of all buffers together
 */
struct record {
	struct capture_options options;
	struct sink_perf_data file;
	uint64_t snapshot_size;
};

static void set_snapshot(const struct record *record,
			 struct capture_options *options)
{
	size_t cpus = options->cpu_count;
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t size;

	if (!cpus)
		cpus = online > 0 ? (size_t)online : 1;
	size = record->snapshot_size / cpus;
	options->buffer_size = size ? (uint32_t)size : 1;
}

static int execute(struct record *record)
{
	struct capture_options *options = &record->options;
	struct sink_perf_data *file = &record->file;
	struct pipe pipe = { .has_own_losses = true };

	if (options->is_snapshot)
		set_snapshot(record, options);
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

static int take_snapshot_size(struct record *record, const char *argument)
{
	record->options.is_snapshot = true;
	if (argument && (!tool_size(argument, &record->snapshot_size) ||
			 record->snapshot_size > SNAPSHOT_MAX))
		return tool_usage(&command_record,
				  "--snapshot: \"%s\" is not a size from 1 "
				  "to 1G",
				  argument);

	return TOOL_OK;
}

static int take_switch_output(struct record *record, const char *argument)
{
	if (capture_rotation_parse(&record->file.rotation,
				   argument ? argument : "signal"))
		return TOOL_OK;

	return tool_usage(&command_record,
			  "--switch-output: \"%s\" is not a size such as 64M, "
			  "a time such as 1h, or signal",
			  argument);
}

static int take_trigger(struct record *record, const char *argument)
{
	if (capture_trigger_parse(&record->file.trigger, argument))
		return TOOL_OK;

	return tool_usage(&command_record,
			  "--trigger: \"%s\" is not EVENT or EVENT if FILTER",
			  argument);
}

static int take_option(void *data, int option, const char *argument)
{
	struct record *record = data;

	switch (option) {
	case 'g':
		return capture_stacks_take(&record->options, &command_record,
					   argument);
	case OPTION_SNAPSHOT:
		return take_snapshot_size(record, argument);
	case OPTION_SWITCH_OUTPUT:
		return take_switch_output(record, argument);
	case OPTION_TRIGGER:
		return take_trigger(record, argument);
	default:
		if (capture_clock_parse(argument, &record->options.clockid))
			return TOOL_OK;
		return tool_usage(&command_record,
				  "--clockid: unknown clock \"%s\"", argument);
	}
}

/* Return: what contradicts, or NULL */
static const char *find_conflict(const struct record *record)
{
	bool is_snapshot = record->options.is_snapshot;
	bool is_on = record->file.rotation.is_on;

	if (is_snapshot && record->options.buffer_size)
		return "--snapshot: cannot be combined with --buffer-size";
	if (is_snapshot &&
	    (record->file.count || record->file.max_size || is_on))
		return "--snapshot: cannot be combined with --count, "
		       "--max-size or --switch-output";
	if (is_on && record->file.max_size)
		return "--max-size: cannot be combined with --switch-output";
	if (record->file.rotation.files_max && !is_on && !is_snapshot)
		return "--max-files: requires --switch-output or --snapshot";
	if ((record->file.trigger.rate || record->file.trigger_action) &&
	    !record->file.trigger.event)
		return "--trigger-rate and --on-trigger: require --trigger";
	if (record->file.trigger.event && !record->file.trigger_action &&
	    !is_on && !is_snapshot)
		return "--trigger: requires --switch-output, --snapshot or "
		       "--on-trigger=stop";

	return NULL;
}

static int check_options(const struct record *record)
{
	const char *conflict = find_conflict(record);

	return conflict ? tool_usage(&command_record, "%s", conflict) : TOOL_OK;
}

static int run(int argc, char **argv)
{
	struct record record = {
		.options = CAPTURE_OPTIONS_INIT,
		.file = { .path = "perf.data" },
		.snapshot_size = SNAPSHOT_SIZE,
	};
	const struct tool_options options = {
		.take = take_option,
		.data = &record,
	};
	int status;

	record.options.takes_command = true;
	status = capture_parse(&command_record, &options, argc, argv,
			       &record.options);
	if (!status)
		status = check_options(&record);
	if (!status)
		status = execute(&record);
	capture_options_release(&record.options);
	sink_perf_data_release(&record.file);

	return status;
}

static const struct tool_option own_options[] = {
	{ "output", 'o', "FILE", "write to FILE (default: perf.data)",
	  SET_TEXT(struct record, file.path, "@file") },
	CAPTURE_BUFFER_SIZE("512K"),
	{ "all", 'a', NULL, "with COMMAND, record other processes, too",
	  SET_FLAG(struct record, options.everywhere) },
	{ "stacks", 'g', "[WHICH]",
	  "record the calls that lead to events: WHICH is user, kernel or both (default: user)" },
	{ "count", 'n', "N", "stop after N records",
	  SET_NUMBER(struct record, file.count, 1, UINT64_MAX) },
	{ "max-size", 0, "SIZE",
	  "stop when the records in FILE reach SIZE bytes",
	  SET_SIZE(struct record, file.max_size, 1, UINT64_MAX) },
	{ "clockid", 'k', "CLOCK",
	  "use CLOCK: monotonic, monotonic_raw or perf (default: monotonic)",
	  SET_NOTHING("monotonic monotonic_raw perf") },
	{ "snapshot", OPTION_SNAPSHOT, "[SIZE]",
	  "keep the newest SIZE bytes in memory, and write them to FILE.TIMESTAMP on SIGUSR2 and to FILE at the end (default: 4M)" },
	{ "switch-output", OPTION_SWITCH_OUTPUT, "[WHEN]",
	  "start another file FILE.TIMESTAMP on SIGUSR2, and when a file has a size such as 64M or after a time such as 1h (default: signal)" },
	{ "max-files", 0, "N", "keep the newest N files and snapshots",
	  SET_NUMBER(struct record, file.rotation.files_max, 1, FILES_MAX) },
	{ "trigger", OPTION_TRIGGER, "'EVENT[ if FILTER]'",
	  "write a snapshot, or start another file, when such an event occurs",
	  SET_NOTHING("@event") },
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
	.options = (const struct tool_option *const[]){ own_options,
							capture_option_rows,
							NULL },
	.run = run,
};
