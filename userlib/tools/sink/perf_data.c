// SPDX-License-Identifier: MIT
#include "sink/perf_data.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/signals.h"
#include "ui/out.h"
#include "tool.h"

/* Minimum milliseconds between two files that a trigger causes */
#define TRIGGER_INTERVAL_MS 1000

/* ---- Files ---- */

/* Return: an exit status */
static int finish_file(struct sink_perf_data *record)
{
	struct capture_file *file = &record->file;
	struct stat written;
	int status;

	status = capture_file_finish(file, record->live->capture.session);
	if (status)
		return status;
	record->records += file->records;
	record->skipped += file->skipped;
	if (stat(file->path, &written) == 0)
		record->written += (uint64_t)written.st_size;

	return TOOL_OK;
}

/* Creates the next file; @has_date: one of several. Return: an exit status */
static int open_file(struct sink_perf_data *record, bool has_date)
{
	free(record->name);
	record->name = has_date ? capture_rotation_name(record->path)
				: tool_copy(record->path);
	capture_rotation_begin(&record->rotation, tool_now());

	return capture_file_open(&record->file, record->name,
				 record->live->capture.session,
				 record->live->options->stacks);
}

/* Completes the file, and removes the oldest one. Return: an exit status */
static int close_file(struct sink_perf_data *record)
{
	int status = finish_file(record);

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

/* Return: an exit status */
static int switch_file_if_due(struct sink_perf_data *record)
{
	int status;

	if (!record->rotation.is_on ||
	    (!record->wants_file &&
	     !capture_rotation_is_due(&record->rotation,
				      capture_file_size(&record->file),
				      tool_now())))
		return TOOL_OK;
	record->wants_file = false;
	status = close_file(record);

	return status ? status : open_file(record, true);
}

/* ---- Limits ---- */

static void stop_at(struct sink_perf_data *record, const char *limit)
{
	if (record->limit)
		return;
	record->limit = limit;
	tool_error("%s: stopped at %s", record->path, limit);
}

static void check_trigger(struct sink_perf_data *record)
{
	if (record->trigger_action != SINK_PERF_DATA_STOP ||
	    !capture_trigger_test(&record->trigger, tool_now()))
		return;
	record->sink.is_over = true;
	stop_at(record, "--trigger");
}

static void check_limits(struct sink_perf_data *record)
{
	check_trigger(record);
	if (record->max_size &&
	    capture_file_size(&record->file) >= record->max_size) {
		record->sink.is_full = true;
		stop_at(record, "--max-size");
	}
	if (record->sink.is_full)
		stop_at(record, "--count");
}

/* A later snapshot can succeed. */
static void fail(struct sink_perf_data *record)
{
	if (record->live->options->is_snapshot && !record->is_draining)
		record->has_failed = true;
	else
		record->sink.status = TOOL_FAILED;
}

/* ---- Snapshots ---- */

/* Tests whether a signal or the trigger asks for a file. */
static bool is_requested(struct sink_perf_data *record)
{
	uint64_t now = tool_now();
	bool is_requested = capture_signals.snapshot;

	capture_signals.snapshot = 0;
	if (record->trigger_action == SINK_PERF_DATA_STOP ||
	    now < record->trigger_again)
		return is_requested;
	record->live->capture.input = capture_trigger_fd(&record->trigger);
	if (!capture_trigger_test(&record->trigger, now))
		return is_requested;
	record->trigger_again = now + TRIGGER_INTERVAL_MS;
	/* Stop polling the trigger until the next interval. */
	record->live->capture.input = -1;

	return true;
}

static void end_snapshot(struct sink_perf_data *record)
{
	uint64_t before = record->records;

	if (!record->file.writer)
		return;
	if (capture_file_end_round(&record->file) || finish_file(record)) {
		record->has_failed = true;
		return;
	}
	tool_error("%s: %" PRIu64 " events", record->name,
		   record->records - before);
	capture_rotation_add(&record->rotation, record->name);
	record->name = NULL;
}

/* ---- Records ---- */

static void begin_part(void *data, const char *name)
{
	struct sink_perf_data *record = data;
	struct capture *capture = &record->live->capture;
	int status;

	(void)name;
	if (record->rotation.is_on || record->live->options->is_snapshot)
		capture_rotation_adopt(&record->rotation, record->path);
	/* Detects an unwritable file before the command runs. */
	status = open_file(record, record->rotation.is_on);
	if (!status && record->live->options->is_snapshot)
		capture_file_discard(&record->file);
	if (!status)
		status = capture_trigger_open(&record->trigger,
					      capture->options,
					      capture->workload.pid);
	capture->input = capture_trigger_fd(&record->trigger);
	record->sink.status = status;
}

static bool wants_records(void *data)
{
	struct sink_perf_data *record = data;

	record->wants_file = is_requested(record);
	if (!record->live->options->is_snapshot)
		return true;
	check_trigger(record);
	if (!record->wants_file || !open_file(record, true))
		return record->wants_file;
	/* The recording goes on, because later snapshots can succeed. */
	record->has_failed = true;

	return false;
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *sample)
{
	struct sink_perf_data *record = data;

	(void)decoder;
	/* After an error of a snapshot, its records are lost. */
	if (!record->file.writer)
		return 0;
	if (capture_file_add(&record->file, sample))
		fail(record);
	else if (record->count &&
		 record->records + record->file.records >= record->count)
		record->sink.is_full = true;

	return 0;
}

static void take_loss(void *data, const struct format_loss *loss)
{
	struct sink_perf_data *record = data;

	/* After an error of a snapshot, it is only printed. */
	if (record->file.writer &&
	    capture_file_loss(&record->file, &loss->loss))
		fail(record);
}

static void end_round(void *data)
{
	struct sink_perf_data *record = data;
	int status;

	if (record->live->options->is_snapshot && !record->is_draining) {
		end_snapshot(record);
		return;
	}
	if (!record->file.writer)
		return;
	status = capture_file_end_round(&record->file);
	if (!status && !record->is_draining)
		status = switch_file_if_due(record);
	if (status)
		record->sink.status = status;
	else if (!record->is_draining)
		check_limits(record);
}

/* The rest goes to the last file. */
static void begin_drain(void *data)
{
	struct sink_perf_data *record = data;

	record->is_draining = true;
	if (!record->limit && record->live->capture.is_over)
		tool_error("%s: stopped at --duration", record->path);
	if (record->live->options->is_snapshot)
		record->sink.status = open_file(record, false);
}

/* ---- Result ---- */

static void print_json(const struct sink_perf_data *record,
		       const struct capture_totals *totals)
{
	struct uev_output json = UEV_OUTPUT_INIT;

	out_json_object(&json, NULL);
	out_json_string(&json, "file", record->path);
	out_json_unsigned(&json, "files", record->rotation.file_count);
	out_json_unsigned(&json, "events", record->records);
	out_json_unsigned(&json, "bytes", record->written);
	out_json_unsigned(&json, "lost", totals->lost + totals->unseen);
	out_json_unsigned(&json, "missing", record->live->capture.gaps.missing);
	out_json_unsigned(&json, "skipped", record->skipped);
	out_json_unsigned(&json, "corrupt", totals->corrupt);
	out_json_object_end(&json);
	out_json_end(&json);
	out_flush();
}

static void print_text(const struct sink_perf_data *record,
		       const struct capture_totals *totals, uint64_t bad)
{
	_cleanup_free_ char *line = tool_print(
		"%s: %" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64 " lost",
		record->path, record->records, record->written,
		totals->lost + totals->unseen);
	_cleanup_free_ char *bads = bad ? tool_print(", %" PRIu64 " bad", bad)
					: tool_copy("");
	_cleanup_free_ char *files =
		record->rotation.is_on ? tool_print(", %" PRIu64 " files",
						    record->rotation.file_count)
				       : tool_copy("");

	tool_error("%s%s%s", line, bads, files);
}

/* Return: an exit status */
static int print_summary(const struct sink_perf_data *record)
{
	const struct capture_totals *totals = &record->live->source.counts;
	uint64_t bad = record->skipped + totals->corrupt;

	if (record->is_json)
		print_json(record, totals);
	else
		print_text(record, totals, bad);
	if (record->has_failed)
		return TOOL_FAILED;

	return totals->lost || totals->unseen || bad ? TOOL_INCOMPLETE
						     : TOOL_OK;
}

static int finish(void *data)
{
	struct sink_perf_data *record = data;
	int status;

	/* Without any event, there is no file. */
	if (record->live->missing &&
	    !uev_session_source(record->live->capture.session, 0)) {
		capture_file_discard(&record->file);
		return TOOL_OK;
	}
	status = close_file(record);

	return status ? status : print_summary(record);
}

static void discard(void *data)
{
	struct sink_perf_data *record = data;

	capture_file_discard(&record->file);
}

const struct sink_ops sink_perf_data = {
	.begin_part = begin_part,
	.poll = wants_records,
	.record = take_record,
	.loss = take_loss,
	.flush = end_round,
	.drain = begin_drain,
	.finish = finish,
	.discard = discard,
};

/* Return: what contradicts, or NULL */
static const char *find_conflict(const struct sink_perf_data *record,
				 const struct capture_options *options)
{
	bool is_snapshot = options->is_snapshot;
	bool is_on = record->rotation.is_on;

	if (strcmp(record->path, "-") == 0)
		return "--output: perf.data cannot be standard output";
	if (is_snapshot && options->buffer_size)
		return "--snapshot: cannot be combined with --buffer-size";
	if (is_snapshot && (record->count || record->max_size || is_on))
		return "--snapshot: cannot be combined with --count, "
		       "--max-size or --switch-output";
	if (is_on && record->max_size)
		return "--max-size: cannot be combined with --switch-output";
	if (record->rotation.files_max && !is_on && !is_snapshot)
		return "--max-files: requires --switch-output or --snapshot";
	if ((record->trigger.rate || record->trigger_action) &&
	    !record->trigger.event)
		return "--trigger-rate and --on-trigger: require --trigger";
	if (record->trigger.event && !record->trigger_action && !is_on &&
	    !is_snapshot)
		return "--trigger: requires --switch-output, --snapshot or "
		       "--on-trigger=stop";

	return NULL;
}

int sink_perf_data_check(const struct sink_perf_data *record,
			 const struct capture_options *options,
			 const struct tool_command *command)
{
	const char *conflict = find_conflict(record, options);

	return conflict ? tool_usage(command, "%s", conflict) : TOOL_OK;
}

void sink_perf_data_release(struct sink_perf_data *record)
{
	capture_rotation_release(&record->rotation);
	capture_trigger_close(&record->trigger);
	free(record->name);
}
