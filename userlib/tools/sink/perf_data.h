/* SPDX-License-Identifier: MIT */
/* user-events record: perf.data, as one file, several, or snapshots. */
#ifndef USER_EVENTS_SINK_PERF_DATA_H
#define USER_EVENTS_SINK_PERF_DATA_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/file.h"
#include "capture/rotation.h"
#include "capture/trigger.h"
#include "pipe/sink.h"
#include "source/live.h"

/*
 * struct sink_perf_data - State of a recording; released with
 * sink_perf_data_release(). The command sets the members up to @live.
 * @path: path of the file, or the start of the paths of all files
 * @rotation: several files
 * @trigger: starts the next file or a snapshot, or ends the recording, as
 *        @trigger_action
 * @is_json: the summary is JSON
 * @count: maximum number of records; @max_size: maximum bytes of records; 0:
 *        none
 * @live: the session; snapshots are those of its buffers
 * @sink: the sink in the pipe
 * @file: the current file, and @name its path
 * @trigger_again: time at which the trigger can cause a file again
 * @wants_file: a signal or the trigger asks for a file
 * @is_draining: the session has stopped
 * @limit: the option that has stopped it, or NULL
 * @written: bytes of all files so far
 * @records: number of records in them
 * @skipped: number of records that could not be written
 * @has_failed: a snapshot could not be written
 */
struct sink_perf_data {
	const char *path;
	struct capture_rotation rotation;
	struct capture_trigger trigger;
	enum sink_perf_data_action {
		SINK_PERF_DATA_FILE = 0,
		SINK_PERF_DATA_STOP,
	} trigger_action;
	bool is_json;
	uint64_t count;
	uint64_t max_size;
	struct source_live *live;
	struct sink sink;
	struct capture_file file;
	char *name;
	uint64_t trigger_again;
	bool wants_file;
	bool is_draining;
	const char *limit;
	uint64_t written;
	uint64_t records;
	uint64_t skipped;
	bool has_failed;
};

/*
 * sink_perf_data_check() - Tests the options together
 * Return: TOOL_OK; TOOL_USAGE, and the error is printed
 */
int sink_perf_data_check(const struct sink_perf_data *record,
			 const struct capture_options *options,
			 const struct tool_command *command);

/* Writes all records; its data is a struct sink_perf_data. */
extern const struct sink_ops sink_perf_data;

void sink_perf_data_release(struct sink_perf_data *record);

#endif
