// SPDX-License-Identifier: MIT
#include "capture/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "capture/clock.h"
#include "formats/kernel_symbols.h"
#include "tool.h"

/* The file to remove if the program exits. */
static struct uev_perf_writer *unfinished;

static void discard_unfinished(void)
{
	uev_perf_writer_discard(unfinished);
	unfinished = NULL;
}

void capture_file_discard(struct capture_file *file)
{
	if (!file->writer)
		return;
	discard_unfinished();
	file->writer = NULL;
}

/* Closes the file, and prints the error and where its records are. */
static int finish_or_keep(struct capture_file *file)
{
	_cleanup_free_ char *path =
		tool_copy(uev_perf_writer_path(file->writer));
	int ret;

	unfinished = NULL;
	ret = uev_perf_writer_finish(file->writer);
	file->writer = NULL;
	if (ret) {
		tool_error_of(ret, "%s: cannot write", file->path);
		if (access(path, F_OK) == 0)
			tool_hint("read the records before the error: "
				  "user-events decode %s",
				  path);
	}

	return ret ? TOOL_FAILED : TOOL_OK;
}

static int cannot_write(struct capture_file *file, int error)
{
	int status = finish_or_keep(file);

	/* An error of memory can leave the file complete. */
	return status ? status
		      : tool_error_of(error, "%s: incomplete", file->path);
}

int capture_file_open(struct capture_file *file, const char *path,
		      const struct uev_session *session, unsigned int stacks)
{
	struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.flags = stacks ? UEV_PERF_WRITER_STACKS : 0,
	};
	static bool is_registered;
	struct uev_clock clock;
	int ret;

	*file = (struct capture_file){ .path = path, .stacks = stacks };
	if (stacks & UEV_SESSION_KERNEL_STACKS)
		kernel_symbols_check();
	if (!is_registered)
		atexit(discard_unfinished);
	is_registered = true;
	if (uev_session_clock(session, &clock) == 0) {
		capture_clock_follow(&clock);
		options.clock = &clock;
	}

	ret = uev_perf_writer_open(&file->writer, path, &options);
	if (ret == -EINVAL) {
		tool_error("%s: not a regular file", path);
		return TOOL_FAILED;
	}
	if (ret)
		return tool_error_of(ret, "%s: cannot write", path);
	unfinished = file->writer;

	return TOOL_OK;
}

/*
 * Tests for errors of a single record: an ID that another event has, or a size
 * that exceeds the file format. Other records can still be written.
 */
static bool is_only_one(int ret)
{
	return ret == -EEXIST || ret == -E2BIG || ret == -EINVAL;
}

/* Writes the mappings of a stack. Return: as uev_perf_writer_mapping() */
static int put_mappings(struct capture_file *file,
			const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	const struct uev_mapping *mapping;
	uint32_t pid = sample->pid, i;
	uint64_t entry;
	int ret = 0;

	for (i = 0; i < sample->stack_size && !ret; i++) {
		entry = sample->stack[i];
		if (uev_stack_is_mark(entry)) {
			pid = entry == (uint64_t)PERF_CONTEXT_USER
				      ? sample->pid
				      : UEV_KERNEL_PID;
			continue;
		}
		mapping = record->mapping(record->mapping_data, pid, entry);
		if (mapping)
			ret = uev_perf_writer_mapping(file->writer, pid,
						      sample->time, mapping);
	}

	return ret;
}

/* Writes the name of the thread before its record. */
static int put_record(struct capture_file *file,
		      const struct format_record *record)
{
	const struct uev_sample *sample = record->sample;
	int ret = 0;

	if (record->comm)
		ret = uev_perf_writer_comm(file->writer, sample->pid,
					   sample->tid, sample->time,
					   record->comm);
	if (!ret && file->stacks && record->mapping)
		ret = put_mappings(file, record);

	return ret ? ret : uev_perf_writer_record(file->writer, sample);
}

int capture_file_add(struct capture_file *file,
		     const struct format_record *record)
{
	int ret = put_record(file, record);

	if (ret && !is_only_one(ret))
		return cannot_write(file, ret);

	if (ret)
		file->skipped++;
	else
		file->records++;

	return TOOL_OK;
}

int capture_file_loss(struct capture_file *file, const struct uev_loss *loss)
{
	struct uev_loss unnamed = *loss;
	int ret = uev_perf_writer_loss(file->writer, loss);

	if (is_only_one(ret)) {
		unnamed.source = NULL;
		ret = uev_perf_writer_loss(file->writer, &unnamed);
	}

	return ret ? cannot_write(file, ret) : TOOL_OK;
}

int capture_file_end_round(struct capture_file *file)
{
	int ret = uev_perf_writer_finished_round(file->writer);

	return ret ? cannot_write(file, ret) : TOOL_OK;
}

/* Adds events without records, too. */
static int name_events(struct capture_file *file,
		       const struct uev_session *session)
{
	const struct uev_source *source;
	uint32_t i;
	int ret = 0;

	for (i = 0; !ret && (source = uev_session_source(session, i)); i++) {
		ret = uev_perf_writer_add(file->writer, source);
		if (is_only_one(ret))
			ret = 0;
	}

	return ret;
}

int capture_file_finish(struct capture_file *file,
			const struct uev_session *session)
{
	int ret = name_events(file, session);

	if (ret)
		return cannot_write(file, ret);

	return finish_or_keep(file);
}

uint64_t capture_file_size(const struct capture_file *file)
{
	struct stat status;

	if (stat(uev_perf_writer_path(file->writer), &status))
		return 0;

	return (uint64_t)status.st_size;
}

char *capture_file_name(const char *path, const struct timespec *time,
			unsigned int tries)
{
	unsigned int hundredths =
		(unsigned int)(time->tv_nsec / 10000000) + tries;
	time_t seconds = time->tv_sec + hundredths / 100;
	struct tm parts;
	char text[32];

	if (!localtime_r(&seconds, &parts) ||
	    !strftime(text, sizeof(text), "%Y%m%d%H%M%S", &parts))
		text[0] = '\0';

	return tool_print("%s.%s%02u", path, text, hundredths % 100);
}
