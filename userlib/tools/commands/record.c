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
#include "ui/help.h"
#include "ui/out.h"
#include "tool.h"

#define BUFFER_SIZE (512 * 1024)
#define SNAPSHOT_SIZE (4 * 1024 * 1024)

/* A whole buffer of a processor. */
#define SNAPSHOT_MAX (UINT64_C(1) << 30)

enum {
	OPTION_SNAPSHOT = 256,
};

/*
 * struct record - a recording
 * @path: of the file
 * @snapshot_size: bytes of all buffers together
 * @written: bytes of the files so far
 * @records: that are in them
 * @skipped: records that could not be
 * @told_lost: losses that they tell
 * @has_failed: a snapshot could not be written
 */
struct record {
	struct live live;
	struct live_file file;
	const char *path;
	bool is_json;
	uint64_t snapshot_size;
	uint64_t written;
	uint64_t records;
	uint64_t skipped;
	uint64_t told_lost;
	bool has_failed;
};

/* Return: an exit status */
static int finish(struct record *record)
{
	struct live_file *file = &record->file;
	struct live_totals totals;
	struct stat stat_of;
	int status;

	status = live_totals(&record->live, &totals);
	if (status) {
		live_file_discard(file);
		return status;
	}
	status = live_file_finish(file, record->live.session,
				  totals.lost - record->told_lost);
	if (status)
		return status;
	record->told_lost = totals.lost;
	record->records += file->records;
	record->skipped += file->skipped;
	if (stat(file->path, &stat_of) == 0)
		record->written += (uint64_t)stat_of.st_size;

	return TOOL_OK;
}

/* A name that nothing has. */
static char *snapshot_name(const struct record *record)
{
	struct timespec now;
	unsigned int tries;
	char *name = NULL;

	clock_gettime(CLOCK_REALTIME, &now);
	for (tries = 0; !name; tries++) {
		name = live_file_name(record->path, &now, tries);
		if (access(name, F_OK) == 0) {
			free(name);
			name = NULL;
		}
	}

	return name;
}

/*
 * The newest of what happened since the last one. That it cannot be written is
 * no reason to end: another one may be.
 */
static void take_snapshot(struct record *record)
{
	char *name = snapshot_name(record);
	uint64_t before = record->records;
	int status;

	status = live_file_open(&record->file, name, record->live.session);
	if (!status && live_read(&record->live, 0) < 0) {
		live_file_discard(&record->file);
		status = TOOL_FAILED;
	}
	if (!status)
		status = live_file_take(&record->file, record->live.session);
	if (!status)
		status = finish(record);
	if (status)
		record->has_failed = true;
	else
		tool_error("%s: %" PRIu64 " events", name,
			   record->records - before);
	free(name);
}

/* One round of the loop. Return: an exit status */
static int take(struct record *record)
{
	if (!record->live.options->is_snapshot) {
		if (live_read(&record->live, 0) < 0)
			return TOOL_FAILED;
		return live_file_take(&record->file, record->live.session);
	}
	if (live_signals.snapshot) {
		live_signals.snapshot = 0;
		take_snapshot(record);
	}

	return TOOL_OK;
}

/* What has waited in the buffers, and in memory so that these were not read. */
static int take_rest(struct record *record)
{
	ssize_t ready;
	int status;

	do {
		ready = live_read(&record->live, UEV_READ_DRAIN);
		status = ready < 0 ? TOOL_FAILED
				   : live_file_take(&record->file,
						    record->live.session);
	} while (!status && ready);

	return status;
}

static void print_json(const struct record *record,
		       const struct live_totals *totals)
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
static int sum_up(const struct record *record)
{
	struct live_totals totals;
	uint64_t bad;
	int status;

	status = live_totals(&record->live, &totals);
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

static int collect(struct record *record)
{
	struct live *live = &record->live;
	int status, missing;

	/* What cannot be written is known before anything is run. */
	status = live_file_open(&record->file, record->path, live->session);
	if (status)
		return status;
	if (live->options->is_snapshot)
		live_file_discard(&record->file);

	status = live_start(live);
	while (!status && live_wait(live, 1000))
		status = take(record);
	if (!status)
		status = live_stop(live);
	if (!status && live->options->is_snapshot)
		status = live_file_open(&record->file, record->path,
					live->session);
	if (!status)
		status = take_rest(record);
	if (status)
		return status;

	missing = live_missing(live);
	if (missing && !uev_session_source(live->session, 0)) {
		live_file_discard(&record->file);
		return live_status(live, missing);
	}
	status = finish(record);
	if (!status)
		status = sum_up(record);

	return live_status(live, status == TOOL_FAILED || !missing ? status
								   : missing);
}

static void set_snapshot(const struct record *record,
			 struct live_options *options)
{
	size_t cpus = options->cpu_count;
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t size;

	if (!cpus)
		cpus = online > 0 ? (size_t)online : 1;
	size = record->snapshot_size / cpus;
	options->buffer_size = size ? (uint32_t)size : 1;
}

static int begin(struct record *record, struct live_options *options)
{
	int status;

	if (options->is_snapshot)
		set_snapshot(record, options);
	else if (!options->buffer_size)
		options->buffer_size = BUFFER_SIZE;
	options->has_names = true;
	/* Whoever sees that events are listened to may send it. */
	if (options->is_snapshot)
		live_signals_add(SIGUSR2);
	status = live_begin(&record->live, options);
	if (status)
		return status;
	record->live.is_passive = options->is_snapshot;
	status = collect(record);
	live_file_discard(&record->file);
	live_end(&record->live);

	return status;
}

static int take_snapshot_size(struct record *record, const char *argument,
			      struct live_options *options)
{
	options->is_snapshot = true;
	if (argument && (!tool_size(argument, &record->snapshot_size) ||
			 record->snapshot_size > SNAPSHOT_MAX))
		return tool_usage(&command_record,
				  "\"%s\" is no size of a snapshot, 1 to 1G",
				  argument);

	return TOOL_OK;
}

static int take_option(struct record *record, int option, const char *argument,
		       struct live_options *options)
{
	switch (option) {
	case 'a':
		options->everywhere = true;
		return TOOL_OK;
	case 'j':
		record->is_json = true;
		return TOOL_OK;
	case 'o':
		record->path = argument;
		return TOOL_OK;
	case OPTION_SNAPSHOT:
		return take_snapshot_size(record, argument, options);
	case 'k':
		if (!live_clock(argument, &options->clockid))
			return tool_usage(&command_record, "\"%s\" is no clock",
					  argument);
		return TOOL_OK;
	default:
		return live_option(&command_record, option, argument, options);
	}
}

static int run(int argc, char **argv)
{
	static const struct option long_options[] = {
		LIVE_OPTION("filter", 'f'),
		LIVE_OPTION("pid", 'p'),
		LIVE_OPTION("cpu", 'C'),
		LIVE_OPTION("buffer-size", 'm'),
		{ "help", no_argument, NULL, 'h' },
		{ "all", no_argument, NULL, 'a' },
		{ "output", required_argument, NULL, 'o' },
		{ "snapshot", optional_argument, NULL, OPTION_SNAPSHOT },
		{ "clockid", required_argument, NULL, 'k' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	struct live_options options = LIVE_OPTIONS_INIT;
	static struct record record = {
		.path = "perf.data",
		.snapshot_size = SNAPSHOT_SIZE,
	};
	int option, status;

	status = live_take_command(&command_record, &argc, argv, &options);
	while (!status && (option = getopt_long(argc, argv, LIVE_SHORT "ao:k:j",
						long_options, NULL)) != -1) {
		if (option == 'h')
			return tool_help(&command_record);
		status = take_option(&record, option, optarg, &options);
	}
	if (!status && options.is_snapshot && options.buffer_size)
		status = tool_usage(&command_record,
				    "--snapshot and --buffer-size exclude "
				    "each other");
	if (!status)
		status = live_take_patterns(&command_record, argc - optind,
					    argv + optind, &options);
	if (!status)
		status = begin(&record, &options);
	live_options_release(&options);

	return status;
}

const struct tool_command command_record = {
	.name = "record",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Write events into a perf.data file",
	.help = "EVENT is a name or a pattern as of a shell, of user_events unless it says\n"
		"SYSTEM; none stands for all of them. Those that appear later are recorded from\n"
		"then on. With COMMAND, what it and its children do is recorded until it ends,\n"
		"and its exit status is that of the tool; else all until Ctrl-C.\n\n"
		"Options:\n"
		"  -o, --output FILE        perf.data unless it is told\n" LIVE_HELP
		"  -a, --all                with COMMAND, record what others do, too\n"
		"  -k, --clockid CLOCK      of the times: monotonic, monotonic_raw, or perf\n"
		"      --snapshot[=SIZE]    keep the newest, 4M of them unless SIZE is told, and\n"
		"                           write them to FILE.TIMESTAMP whenever signal USR2\n"
		"                           comes, and to FILE at the end\n"
		"  -j, --json               an object that sums up, on standard output\n",
	.run = run,
};
