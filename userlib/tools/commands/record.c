// SPDX-License-Identifier: MIT
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "capture/capture.h"
#include "capture/clock.h"
#include "capture/file.h"
#include "capture/signals.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

#define BUFFER_SIZE (512 * 1024)
#define SNAPSHOT_SIZE (4 * 1024 * 1024)

/* Limit of the buffer of a processor. */
#define SNAPSHOT_MAX (UINT64_C(1) << 30)

enum {
	OPTION_SNAPSHOT = OPTION_FIRST,
	OPTION_DURATION,
	OPTION_MAX_SIZE,
};

/*
 * struct record - State of a recording
 * @path: path of the file
 * @snapshot_size: bytes of all buffers together
 * @count: maximum number of records; @duration: maximum time in milliseconds;
 *        @max_size: maximum bytes of records; 0: none
 * @until: end of @duration
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
	bool is_json;
	uint64_t snapshot_size;
	uint64_t count;
	uint64_t duration;
	uint64_t max_size;
	uint64_t until;
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

/* Returns an unused name. */
static char *snapshot_name(const struct record *record)
{
	struct timespec now;
	unsigned int tries;
	char *name = NULL;

	clock_gettime(CLOCK_REALTIME, &now);
	for (tries = 0; !name; tries++) {
		name = capture_file_name(record->path, &now, tries);
		if (access(name, F_OK) == 0) {
			free(name);
			name = NULL;
		}
	}

	return name;
}

/*
 * Writes the records since the last snapshot. An error does not stop the
 * recording, because later snapshots can succeed.
 */
static void take_snapshot(struct record *record)
{
	char *name = snapshot_name(record);
	uint64_t before = record->records;
	int status;

	status =
		capture_file_open(&record->file, name, record->capture.session);
	if (!status && capture_read(&record->capture, 0) < 0) {
		capture_file_discard(&record->file);
		status = TOOL_FAILED;
	}
	if (!status)
		status = capture_file_write(&record->file,
					    record->capture.session);
	if (!status)
		status = finish(record);
	if (status)
		record->has_failed = true;
	else
		tool_error("%s: %" PRIu64 " events", name,
			   record->records - before);
	free(name);
}

/* Processes the buffers once. Return: an exit status */
static int take(struct record *record)
{
	if (!record->capture.options->is_snapshot) {
		if (capture_read(&record->capture, 0) < 0)
			return TOOL_FAILED;
		return capture_file_write(&record->file,
					  record->capture.session);
	}
	if (capture_signals.snapshot) {
		capture_signals.snapshot = 0;
		take_snapshot(record);
	}

	return TOOL_OK;
}

/* Returns the option whose limit the file has reached, or NULL. */
static const char *file_limit(const struct record *record)
{
	if (record->capture.options->is_snapshot)
		return NULL;
	if (record->count && record->file.records >= record->count)
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
	out_json_unsigned(json, "events", record->records);
	out_json_unsigned(json, "bytes", record->written);
	out_json_unsigned(json, "lost", totals->lost);
	out_json_unsigned(json, "skipped", record->skipped);
	out_json_unsigned(json, "corrupt", totals->corrupt);
	out_json_object_end(json);
	out_json_end(json);
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
	else if (bad)
		tool_error("%s: %" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64
			   " lost, %" PRIu64 " bad",
			   record->path, record->records, record->written,
			   totals.lost, bad);
	else
		tool_error("%s: %" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64
			   " lost",
			   record->path, record->records, record->written,
			   totals.lost);
	if (record->has_failed)
		return TOOL_FAILED;

	return totals.lost || bad ? TOOL_INCOMPLETE : TOOL_OK;
}

static bool is_over(const struct record *record)
{
	return record->duration && capture_now() >= record->until;
}

/* Returns milliseconds until records are taken again. */
static int next_timeout(const struct record *record)
{
	uint64_t now = capture_now();

	if (!record->duration || record->until > now + 1000)
		return 1000;

	return record->until > now ? (int)(record->until - now) : 0;
}

/* Records until the end of the capture or a limit. Return: an exit status */
static int record_all(struct record *record)
{
	struct capture *capture = &record->capture;
	const char *limit = NULL;
	int status = TOOL_OK;

	record->until = capture_now() + record->duration;
	while (!status && !limit &&
	       capture_wait(capture, next_timeout(record))) {
		status = take(record);
		if (status)
			break;
		limit = is_over(record) ? "--duration" : file_limit(record);
	}
	if (limit) {
		tool_error("%s: stopped at %s", record->path, limit);
		capture_terminate(capture);
	}

	return status;
}

static int collect(struct record *record)
{
	struct capture *capture = &record->capture;
	int status, missing, incomplete;

	/* Detects an unwritable file before the command runs. */
	status = capture_file_open(&record->file, record->path,
				   capture->session);
	if (status)
		return status;
	if (capture->options->is_snapshot)
		capture_file_discard(&record->file);

	record->file.limit = record->count;
	status = capture_start(capture);
	if (!status)
		status = record_all(record);
	if (!status)
		status = capture_stop(capture);
	if (!status && capture->options->is_snapshot)
		status = capture_file_open(&record->file, record->path,
					   capture->session);
	if (!status)
		status = drain(record);
	if (status)
		return status;

	missing = capture_report_missing(capture);
	if (missing && !uev_session_source(capture->session, 0)) {
		capture_file_discard(&record->file);
		return capture_status(capture, missing);
	}
	status = finish(record);
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
	if (options->is_snapshot)
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
	case OPTION_DURATION:
		if (tool_time(argument, &record->duration))
			return TOOL_OK;
		return tool_usage(&command_record,
				  "--duration: \"%s\" is not a time such as "
				  "1.5, 500ms or 2h",
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

static int take_option(void *data, int option, const char *argument)
{
	struct record *record = data;

	switch (option) {
	case 'a':
		record->options.everywhere = true;
		return TOOL_OK;
	case 'o':
		record->path = argument;
		return TOOL_OK;
	case 'n':
	case OPTION_DURATION:
	case OPTION_MAX_SIZE:
		return take_limit(record, option, argument);
	case OPTION_SNAPSHOT:
		return take_snapshot_size(record, argument);
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

static int run(int argc, char **argv)
{
	static const struct option names[] = {
		{ "all", no_argument, NULL, 'a' },
		{ "output", required_argument, NULL, 'o' },
		{ "snapshot", optional_argument, NULL, OPTION_SNAPSHOT },
		{ "count", required_argument, NULL, 'n' },
		{ "duration", required_argument, NULL, OPTION_DURATION },
		{ "max-size", required_argument, NULL, OPTION_MAX_SIZE },
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
		.letters = "ao:n:k:j",
		.names = names,
		.take = take_option,
		.data = &record,
	};
	int status;

	record.options.takes_command = true;
	status = capture_parse(&command_record, &options, argc, argv,
			       &record.options);
	if (!status && record.options.is_snapshot && record.options.buffer_size)
		status = tool_usage(&command_record,
				    "--snapshot: cannot be combined with "
				    "--buffer-size");
	if (!status && record.options.is_snapshot &&
	    (record.count || record.max_size))
		status = tool_usage(&command_record,
				    "--snapshot: cannot be combined with "
				    "--count or --max-size");
	if (!status)
		status = execute(&record);
	capture_options_release(&record.options);

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
				"  -n, --count N            stop after N records\n"
				"      --duration TIME      stop after TIME: seconds, or with ms, s, m, h or d\n"
				"      --max-size SIZE      stop when the records in FILE reach SIZE bytes\n"
				"  -k, --clockid CLOCK      use CLOCK: monotonic, monotonic_raw or perf\n"
				"                           (default: monotonic)\n"
				"      --snapshot[=SIZE]    keep the newest SIZE bytes in memory, and write\n"
				"                           them to FILE.TIMESTAMP on SIGUSR2 and to FILE at\n"
				"                           the end\n"
				"                           (default: 4M)\n"
				"  -j, --json               print a summary as JSON to standard output\n"
				"  -h, --help               print this help\n",
	.run = run,
};
