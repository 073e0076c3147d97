// SPDX-License-Identifier: MIT
/* Reads the records of files for a query. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "formats/trace_input.h"
#include "query/read.h"
#include "tool.h"

#define SECOND 1e9

/* Maximum number of problems that are printed per file. */
#define PROBLEMS_PRINTED_MAX 20

/* struct file - A file that is being read */
struct file {
	const char *name;
	uint64_t problems;
};

static void problem(void *data, uint64_t offset, const char *reason)
{
	struct file *file = data;

	if (file->problems++ < PROBLEMS_PRINTED_MAX)
		tool_error("%s: at byte %" PRIu64 ": %s", file->name, offset,
			   reason);
}

/* struct span - Times of the records of a file */
struct span {
	bool is_set;
	uint64_t first;
	uint64_t last;
};

static void extend(struct span *span, const struct uev_sample *sample)
{
	if (!(sample->flags & UEV_HAS_TIME))
		return;
	if (!span->is_set)
		span->first = sample->time;
	span->is_set = true;
	if (sample->time > span->last)
		span->last = sample->time;
}

/* Return: 0 or an error of read(2) */
static int read_records(struct query_reader *reader, struct trace_input *input,
			struct uev_decoder *decoder)
{
	struct format_record record;
	struct span span = { 0 };
	int ret;

	query_select_begin(reader->select);
	do {
		ret = trace_input_next(input, &record);
		if (ret <= 0)
			break;
		if (!query_select_test(reader->select, decoder, &record))
			continue;
		extend(&span, record.sample);
		reader->take(reader->data, decoder, &record);
	} while (!query_select_is_full(reader->select));
	reader->end_file(reader->data);
	reader->seconds += (double)(span.last - span.first) / SECOND;

	return ret < 0 ? ret : 0;
}

static int read_file(struct query_reader *reader, const char *name,
		     struct uev_decoder *decoder)
{
	const char *path = name;
	struct file file;
	struct trace_input *input;
	struct uev_trace_stats counts;
	int ret;

	if (strcmp(path, "-") == 0)
		name = "standard input";
	file = (struct file){ .name = name };
	ret = trace_input_open(&input, path, problem, &file);
	if (ret) {
		if (ret != -EBADMSG || !file.problems)
			tool_error("%s: %s", name,
				   ret == -EBADMSG ? "neither perf.data nor "
						     "trace.dat, or not "
						     "readable"
						   : strerror(-ret));
		return TOOL_FAILED;
	}
	ret = read_records(reader, input, decoder);
	trace_input_counts(input, &counts);
	trace_input_close(input);
	if (ret)
		return tool_error_of(ret, "%s: cannot read", name);
	if (file.problems > PROBLEMS_PRINTED_MAX)
		tool_error("%s: %" PRIu64 " more errors", name,
			   file.problems - PROBLEMS_PRINTED_MAX);
	if (counts.lost)
		tool_error("%s: %" PRIu64 " records lost during recording",
			   name, counts.lost);
	reader->lost += counts.lost;
	reader->has_result = true;

	return file.problems || counts.corrupt || counts.lost ? TOOL_INCOMPLETE
							      : TOOL_OK;
}

int query_read_files_check(const struct tool_command *command,
			   const struct capture_options *options,
			   struct query_select *select)
{
	struct query_ids *pids = &select->pids;
	size_t i;

	if (options->command)
		return tool_usage(command, "--read: cannot be combined with a "
					   "command");
	if (options->filter || options->cpu_count || options->buffer_size ||
	    options->duration || options->cgroup_fd >= 0)
		return tool_usage(command,
				  "--read: cannot be combined with --filter, "
				  "--cpu, --buffer-size, --duration and "
				  "control groups");
	for (i = 0; i < options->pattern_count && !options->is_default; i++)
		query_list_add(&select->events, options->patterns[i]);
	for (i = 0; i < options->pids.count; i++) {
		pids->ids = tool_grow(pids->ids,
				      (pids->count + 1) * sizeof(*pids->ids));
		pids->ids[pids->count++] = (uint32_t)options->pids.pids[i];
	}

	return TOOL_OK;
}

int query_read_files(struct query_reader *reader, const char *const *names,
		     size_t count)
{
	struct uev_decoder *decoder;
	int status = TOOL_OK, one;
	size_t i;

	tool_need(uev_decoder_new(&decoder));
	for (i = 0; i < count && !(i && query_select_is_full(reader->select));
	     i++) {
		one = read_file(reader, names[i], decoder);
		/* A failure of one file leaves the others valid. */
		status = i && status != one ? TOOL_INCOMPLETE : one;
	}
	uev_decoder_free(decoder);
	if (!reader->has_result)
		return status;
	one = query_select_report(reader->select);
	if (!status)
		status = one;
	one = query_select_report_events(reader->select);

	return status ? status : one;
}
