// SPDX-License-Identifier: MIT
/* user-events record: writes events to perf.data. */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/clock.h"
#include "capture/file.h"
#include "capture/rotation.h"
#include "capture/signals.h"
#include "capture/trigger.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

#define BUFFER_SIZE (512 * 1024)
#define SNAPSHOT_SIZE (4 * 1024 * 1024)

/* Limit of the buffer of a processor. */
#define SNAPSHOT_MAX (UINT64_C(1) << 30)

/* Limit of --max-files */
#define FILES_MAX 1000000

enum {
	OPTION_SNAPSHOT = OPTION_FIRST,
	OPTION_MAX_SIZE,
	OPTION_SWITCH_OUTPUT,
	OPTION_MAX_FILES,
	OPTION_TRIGGER,
	OPTION_TRIGGER_RATE,
	OPTION_ON_TRIGGER,
};

/* Minimum milliseconds between two files that a trigger causes */
#define TRIGGER_INTERVAL_MS 1000

/*
 * struct record - State of a recording
 * @path: path of the file, or the start of the paths of all files
 * @name: path of the current file
 * @rotation: several files
 * @trigger: starts the next file or a snapshot, or ends the recording if
 *        @stops_at_trigger
 * @trigger_again: time at which the trigger can do that again
 * @snapshot_size: bytes of all buffers together
 * @count: maximum number of records; @max_size: maximum bytes of records; 0:
 *        none
 * @written: bytes of all files so far
 * @records: number of records in them
 * @skipped: number of records that could not be written
 * @reported_lost: number of lost records that the files have
 * @has_failed: a snapshot could not be written
 */
struct record {
	struct capture_options options;
	struct capture capture;
	struct capture_file file;
	const char *path;
	char *name;
	struct capture_rotation rotation;
	struct capture_trigger trigger;
	bool stops_at_trigger;
	uint64_t trigger_again;
	bool is_json;
	uint64_t snapshot_size;
	uint64_t count;
	uint64_t max_size;
	uint64_t written;
	uint64_t records;
	uint64_t skipped;
	uint64_t reported_lost;
	bool has_failed;
};

/* Return: an exit status */
static int finish(struct record *record)
{
	struct capture_file *file = &record->file;
	struct capture_totals totals;
	struct stat stat_of;
	int status;

	status = capture_totals(&record->capture, &totals);
	if (status) {
		capture_file_discard(file);
		return status;
	}
	status = capture_file_finish(file, record->capture.session,
				     totals.lost - record->reported_lost);
	if (status)
		return status;
	record->reported_lost = totals.lost;
	record->records += file->records;
	record->skipped += file->skipped;
	if (stat(file->path, &stat_of) == 0)
		record->written += (uint64_t)stat_of.st_size;

	return TOOL_OK;
}

/* Creates the next file. Return: an exit status */
static int open_file(struct record *record)
{
	int status;

	free(record->name);
	record->name = record->rotation.is_on
			       ? capture_rotation_name(record->path)
			       : tool_copy(record->path);
	capture_rotation_begin(&record->rotation, capture_now());
	status = capture_file_open(&record->file, record->name,
				   record->capture.session,
				   record->options.stacks);
	if (record->count)
		record->file.limit = record->count - record->records;

	return status;
}

/* Completes the file, and removes the oldest one. Return: an exit status */
static int close_file(struct record *record)
{
	int status = finish(record);

	if (status)
		return status;
	/* The only file is never removed. */
	if (!record->rotation.is_on) {
		record->rotation.file_count++;
		return TOOL_OK;
	}
	capture_rotation_add(&record->rotation, record->name);
	record->name = NULL;

	return TOOL_OK;
}

static int switch_file(struct record *record)
{
	int status = close_file(record);

	return status ? status : open_file(record);
}

/*
 * Writes the records since the last snapshot. An error does not stop the
 * recording, because later snapshots can succeed.
 */
static void take_snapshot(struct record *record)
{
	char *name = capture_rotation_name(record->path);
	uint64_t before = record->records;
	int status;

	status = capture_file_open(&record->file, name, record->capture.session,
				   record->options.stacks);
	if (!status && capture_read(&record->capture, 0) < 0) {
		capture_file_discard(&record->file);
		status = TOOL_FAILED;
	}
	if (!status)
		status = capture_file_write(&record->file,
					    record->capture.session);
	if (!status)
		status = finish(record);
	if (status) {
		record->has_failed = true;
		free(name);
		return;
	}
	tool_error("%s: %" PRIu64 " events", name, record->records - before);
	capture_rotation_add(&record->rotation, name);
}

/* Tests whether a signal or the trigger asks for a file. */
static bool is_requested(struct record *record)
{
	uint64_t now = capture_now();
	bool is_requested = capture_signals.snapshot;

	capture_signals.snapshot = 0;
	if (record->stops_at_trigger || now < record->trigger_again)
		return is_requested;
	record->capture.input = capture_trigger_fd(&record->trigger);
	if (!capture_trigger_test(&record->trigger, now))
		return is_requested;
	record->trigger_again = now + TRIGGER_INTERVAL_MS;
	/* Its records are not read, and must not wake the recorder. */
	record->capture.input = -1;

	return true;
}

/* Processes the buffers once. Return: an exit status */
static int take(struct record *record)
{
	bool wants_file = is_requested(record);
	int status;

	if (record->capture.options->is_snapshot) {
		if (wants_file)
			take_snapshot(record);
		return TOOL_OK;
	}
	if (capture_read(&record->capture, 0) < 0)
		return TOOL_FAILED;
	status = capture_file_write(&record->file, record->capture.session);
	if (status || !record->rotation.is_on)
		return status;
	if (!wants_file &&
	    !capture_rotation_is_due(&record->rotation,
				     capture_file_size(&record->file),
				     capture_now()))
		return TOOL_OK;

	return switch_file(record);
}

/* Returns the option whose limit the file has reached, or NULL. */
static const char *file_limit(const struct record *record)
{
	if (record->capture.options->is_snapshot)
		return NULL;
	if (record->count &&
	    record->records + record->file.records >= record->count)
		return "--count";
	if (record->max_size &&
	    capture_file_size(&record->file) >= record->max_size)
		return "--max-size";

	return NULL;
}

/* Reads the buffers, and the records that were queued in memory before. */
static int drain(struct record *record)
{
	ssize_t ready;
	int status;

	do {
		ready = capture_read(&record->capture, UEV_READ_DRAIN);
		status = ready < 0
				 ? TOOL_FAILED
				 : capture_file_write(&record->file,
						      record->capture.session);
	} while (!status && ready && !file_limit(record));

	return status;
}

static void print_json(const struct record *record,
		       const struct capture_totals *totals)
{
	struct out_json *json = out_json_begin();

	out_json_object(json, NULL);
	out_json_string(json, "file", record->path);
	out_json_unsigned(json, "files", record->rotation.file_count);
	out_json_unsigned(json, "events", record->records);
	out_json_unsigned(json, "bytes", record->written);
	out_json_unsigned(json, "lost", totals->lost);
	out_json_unsigned(json, "skipped", record->skipped);
	out_json_unsigned(json, "corrupt", totals->corrupt);
	out_json_object_end(json);
	out_json_end(json);
}

static void print_text(const struct record *record,
		       const struct capture_totals *totals, uint64_t bad)
{
	char *line = tool_print("%s: %" PRIu64 " events, %" PRIu64
				" bytes, %" PRIu64 " lost",
				record->path, record->records, record->written,
				totals->lost);
	char *bads = bad ? tool_print(", %" PRIu64 " bad", bad) : tool_copy("");
	char *files = record->rotation.is_on
			      ? tool_print(", %" PRIu64 " files",
					   record->rotation.file_count)
			      : tool_copy("");

	tool_error("%s%s%s", line, bads, files);
	free(files);
	free(bads);
	free(line);
}

/* Return: an exit status */
static int print_summary(const struct record *record)
{
	struct capture_totals totals;
	uint64_t bad;
	int status;

	status = capture_totals(&record->capture, &totals);
	if (status)
		return status;
	bad = record->skipped + totals.corrupt;
	if (record->is_json)
		print_json(record, &totals);
	else
		print_text(record, &totals, bad);
	if (record->has_failed)
		return TOOL_FAILED;

	return totals.lost || bad ? TOOL_INCOMPLETE : TOOL_OK;
}

/* Returns the option that ends the recording, or NULL. */
static const char *reached_limit(struct record *record)
{
	if (record->stops_at_trigger &&
	    capture_trigger_test(&record->trigger, capture_now()))
		return "--trigger";

	return file_limit(record);
}

/* Records until the end of the capture or a limit. Return: an exit status */
static int record_all(struct record *record)
{
	struct capture *capture = &record->capture;
	const char *limit = NULL;
	int status = TOOL_OK;

	while (!status && !limit && capture_wait(capture, 1000)) {
		status = take(record);
		if (status)
			break;
		limit = reached_limit(record);
	}
	if (limit)
		capture_terminate(capture);
	else if (capture->is_over)
		limit = "--duration";
	if (limit)
		tool_error("%s: stopped at %s", record->path, limit);

	return status;
}

static int collect(struct record *record)
{
	struct capture *capture = &record->capture;
	int status, missing, incomplete;

	if (record->rotation.is_on || capture->options->is_snapshot)
		capture_rotation_adopt(&record->rotation, record->path);
	/* Detects an unwritable file before the command runs. */
	status = open_file(record);
	if (status)
		return status;
	if (capture->options->is_snapshot)
		capture_file_discard(&record->file);

	status = capture_trigger_open(&record->trigger, capture->options,
				      capture->workload.pid);
	capture->input = capture_trigger_fd(&record->trigger);
	if (!status)
		status = capture_start(capture);
	if (!status)
		status = record_all(record);
	if (!status)
		status = capture_stop(capture);
	if (!status && capture->options->is_snapshot)
		status = open_file(record);
	if (!status)
		status = drain(record);
	if (status)
		return status;

	missing = capture_report_missing(capture);
	if (missing && !uev_session_source(capture->session, 0)) {
		capture_file_discard(&record->file);
		return capture_status(capture, missing);
	}
	status = close_file(record);
	if (!status)
		status = print_summary(record);
	incomplete = capture_report_gaps(capture);
	if (!status)
		status = incomplete;

	return capture_status(
		capture, status == TOOL_FAILED || !missing ? status : missing);
}

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
	int status;

	if (options->is_snapshot)
		set_snapshot(record, options);
	else if (!options->buffer_size)
		options->buffer_size = BUFFER_SIZE;
	options->has_names = true;
	/*
	 * Catches USR2 before events are enabled, because that is when it can
	 * be sent.
	 */
	if (options->is_snapshot || record->rotation.is_on)
		capture_signals_add(SIGUSR2);
	status = capture_open(&record->capture, options);
	if (status)
		return status;
	record->capture.is_passive = options->is_snapshot;
	status = collect(record);
	capture_file_discard(&record->file);
	capture_close(&record->capture);

	return status;
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

static int take_limit(struct record *record, int option, const char *argument)
{
	switch (option) {
	case 'n':
		if (tool_number(argument, 1, UINT64_MAX, &record->count))
			return TOOL_OK;
		return tool_usage(&command_record,
				  "--count: \"%s\" is not a number of records",
				  argument);
	default:
		if (tool_size(argument, &record->max_size))
			return TOOL_OK;
		return tool_usage(&command_record,
				  "--max-size: \"%s\" is not a size such as "
				  "64M",
				  argument);
	}
}

static int take_switch_output(struct record *record, const char *argument)
{
	if (capture_rotation_parse(&record->rotation,
				   argument ? argument : "signal"))
		return TOOL_OK;

	return tool_usage(&command_record,
			  "--switch-output: \"%s\" is not a size such as 64M, "
			  "a time such as 1h, or signal",
			  argument);
}

static int take_trigger(struct record *record, int option, const char *argument)
{
	switch (option) {
	case OPTION_TRIGGER:
		if (capture_trigger_parse(&record->trigger, argument))
			return TOOL_OK;
		return tool_usage(&command_record,
				  "--trigger: \"%s\" is not EVENT or EVENT if "
				  "FILTER",
				  argument);
	case OPTION_TRIGGER_RATE:
		if (tool_number(argument, 1, UINT64_MAX, &record->trigger.rate))
			return TOOL_OK;
		return tool_usage(&command_record,
				  "--trigger-rate: \"%s\" is not a number of "
				  "events per second",
				  argument);
	default:
		record->stops_at_trigger = strcmp(argument, "stop") == 0;
		if (record->stops_at_trigger || strcmp(argument, "file") == 0)
			return TOOL_OK;
		return tool_usage(&command_record,
				  "--on-trigger: \"%s\" is not file or stop",
				  argument);
	}
}

static int take_option(void *data, int option, const char *argument)
{
	struct record *record = data;

	switch (option) {
	case 'g':
		return capture_stacks_take(&record->options, &command_record,
					   argument);
	case 'a':
		record->options.everywhere = true;
		return TOOL_OK;
	case 'o':
		record->path = argument;
		return TOOL_OK;
	case 'n':
	case OPTION_MAX_SIZE:
		return take_limit(record, option, argument);
	case OPTION_SNAPSHOT:
		return take_snapshot_size(record, argument);
	case OPTION_SWITCH_OUTPUT:
		return take_switch_output(record, argument);
	case OPTION_MAX_FILES:
		if (tool_number(argument, 1, FILES_MAX,
				&record->rotation.files_max))
			return TOOL_OK;
		return tool_usage(
			&command_record,
			"--max-files: \"%s\" is not a number of files "
			"from 1 to %d",
			argument, FILES_MAX);
	case OPTION_TRIGGER:
	case OPTION_TRIGGER_RATE:
	case OPTION_ON_TRIGGER:
		return take_trigger(record, option, argument);
	case 'k':
		if (!capture_clock_parse(argument, &record->options.clockid))
			return tool_usage(&command_record,
					  "--clockid: unknown clock "
					  "\"%s\"",
					  argument);
		return TOOL_OK;
	default:
		record->is_json = true;
		return TOOL_OK;
	}
}

/* Return: what contradicts, or NULL */
static const char *find_conflict(const struct record *record)
{
	bool is_snapshot = record->options.is_snapshot;
	bool is_on = record->rotation.is_on;

	if (is_snapshot && record->options.buffer_size)
		return "--snapshot: cannot be combined with --buffer-size";
	if (is_snapshot && (record->count || record->max_size || is_on))
		return "--snapshot: cannot be combined with --count, "
		       "--max-size or --switch-output";
	if (is_on && record->max_size)
		return "--max-size: cannot be combined with --switch-output";
	if (record->rotation.files_max && !is_on && !is_snapshot)
		return "--max-files: requires --switch-output or --snapshot";
	if ((record->trigger.rate || record->stops_at_trigger) &&
	    !record->trigger.event)
		return "--trigger-rate and --on-trigger: require --trigger";
	if (record->trigger.event && !record->stops_at_trigger && !is_on &&
	    !is_snapshot)
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
	static const struct option names[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "output", required_argument, NULL, 'o' },
		{ "snapshot", optional_argument, NULL, OPTION_SNAPSHOT },
		{ "stacks", optional_argument, NULL, 'g' },
		{ "count", required_argument, NULL, 'n' },
		{ "max-size", required_argument, NULL, OPTION_MAX_SIZE },
		{ "switch-output", optional_argument, NULL,
		  OPTION_SWITCH_OUTPUT },
		{ "max-files", required_argument, NULL, OPTION_MAX_FILES },
		{ "trigger", required_argument, NULL, OPTION_TRIGGER },
		{ "trigger-rate", required_argument, NULL,
		  OPTION_TRIGGER_RATE },
		{ "on-trigger", required_argument, NULL, OPTION_ON_TRIGGER },
		{ "clockid", required_argument, NULL, 'k' },
		LONG_OPTION_JSON,
		{ 0 },
	};
	static struct record record = {
		.options = CAPTURE_OPTIONS_INIT,
		.path = "perf.data",
		.snapshot_size = SNAPSHOT_SIZE,
	};
	const struct tool_options options = {
		.letters = "ao:g::n:k:j",
		.names = names,
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
	capture_rotation_release(&record.rotation);
	capture_trigger_close(&record.trigger);
	free(record.name);

	return status;
}

const struct tool_command command_record = {
	.name = "record",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Record events to a perf.data file",
	.help = "EVENT is a name or a shell pattern (default: all events). SYSTEM is user_events\n"
		"by default. Events that appear later are recorded, too. With COMMAND, record it\n"
		"and its children until it exits, and exit with its status. Otherwise record all\n"
		"processes until Ctrl-C.\n\n"
		"Options:\n"
		"  -o, --output FILE        write to FILE (default: perf.data)\n" CAPTURE_HELP(
			"512K") "  -a, --all                with COMMAND, record other processes, too\n"
				"  -g, --stacks[=WHICH]     record the calls that lead to events: WHICH is user,\n"
				"                           kernel or both (default: user)\n"
				"  -n, --count N            stop after N records\n"
				"      --max-size SIZE      stop when the records in FILE reach SIZE bytes\n"
				"  -k, --clockid CLOCK      use CLOCK: monotonic, monotonic_raw or perf\n"
				"                           (default: monotonic)\n"
				"      --snapshot[=SIZE]    keep the newest SIZE bytes in memory, and write\n"
				"                           them to FILE.TIMESTAMP on SIGUSR2 and to FILE at\n"
				"                           the end\n"
				"                           (default: 4M)\n"
				"      --switch-output[=WHEN]\n"
				"                           start another file FILE.TIMESTAMP on SIGUSR2, and\n"
				"                           when a file has a size such as 64M or after a time\n"
				"                           such as 1h (default: signal)\n"
				"      --max-files N        keep the newest N files and snapshots\n"
				"      --trigger 'EVENT[ if FILTER]'\n"
				"                           write a snapshot, or start another file, when such\n"
				"                           an event occurs\n"
				"      --trigger-rate N     with --trigger, when N of them occur within a second\n"
				"      --on-trigger ACTION  with --trigger, do ACTION: file or stop (default:\n"
				"                           file)\n"
				"  -j, --json               print a summary as JSON to standard output\n"
				"  -h, --help               print this help\n",
	.run = run,
};
