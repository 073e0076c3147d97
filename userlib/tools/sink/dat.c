// SPDX-License-Identifier: MIT
#include "sink/dat.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "flight/describe.h"
#include "flight/losses.h"
#include "flight/pages.h"
#include "formats/trace_dat_header.h"
#include "pipe/output_file.h"
#include "tool.h"

#define COPY_SIZE 65536
#define MICROSECOND 1000

const struct sink_ops sink_dat = {
	.name = "dat",
	.summary = "trace.dat, for trace-cmd and decode",
};

int sink_dat_take_format(void *format, const struct tool_argument *argument)
{
	if (strcmp(argument->text, sink_dat.name) != 0)
		return sink_take_format(format, argument);
	*(const struct sink_ops **)format = &sink_dat;

	return TOOL_OK;
}

void sink_dat_list_formats(struct uev_output *to)
{
	sink_formats_list(to);
	format_print(to, "\n  %-8s %s", sink_dat.name, sink_dat.summary);
}

/* The table has a row for each processor from 0 on. */
static void write_table(const struct flight_pages *pages,
			struct uev_output *text, struct output_file *file)
{
	size_t count = pages->cpu_count
			       ? pages->cpus[pages->cpu_count - 1].number + 1
			       : 0;
	_cleanup_free_ uint64_t *sizes =
		tool_alloc((count + 1) * sizeof(*sizes));
	const struct uev_clock *clock = &pages->flight->clock;
	struct trace_dat_header header = {
		.clock = flight_clock_name(pages->flight),
		.shift = (int64_t)(clock->wall - clock->clock) / MICROSECOND,
		.page_size = (uint32_t)pages->layout.page_size,
	};
	size_t i;

	for (i = 0; i < pages->cpu_count; i++)
		sizes[pages->cpus[i].number] =
			pages->cpus[i].end - pages->cpus[i].offset;
	trace_dat_table_append(text, &header, sizes, count);
	output_file_write(file, text->text, text->size);
}

/* The pages of all processors follow each other. Return: 0 or -errno */
static int write_pages(const struct flight_pages *pages,
		       struct output_file *file)
{
	_cleanup_free_ char *bytes = tool_alloc(COPY_SIZE);
	off_t offset = 0;
	ssize_t got;

	while ((got = pread(pages->fd, bytes, COPY_SIZE, offset)) > 0) {
		output_file_write(file, bytes, (size_t)got);
		offset += got;
	}

	return got < 0 ? -errno : 0;
}

static int write_all(struct flight_pages *pages, struct output_file *file)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	int status = flight_description(&text, pages->flight), ret;

	if (status)
		return status;
	ret = flight_pages_move(pages, true);
	if (ret >= 0) {
		write_table(pages, &text, file);
		ret = write_pages(pages, file);
	}

	return ret ? tool_error_of(ret, "%s: cannot read its records",
				   pages->flight->name)
		   : TOOL_OK;
}

/*
 * Times are those since 1970, as of "trace-cmd record --date". The file has no
 * place for records that were not recorded, which are printed.
 *
 * Return: an exit status; TOOL_INCOMPLETE if the file is complete, but records are
 * not in it
 */
static int write_records(const struct flight *flight, struct output_file *file)
{
	struct flight_pages pages;
	int ret = flight_pages_open(&pages, flight), status;

	if (ret)
		return tool_error_of(ret, "%s: cannot be read", flight->name);
	status = write_all(&pages, file);
	if (!status)
		status = flight_losses_report(&pages);
	flight_pages_close(&pages);

	return status;
}

/* Return: an exit status */
static int write_file(const char *name, const char *path)
{
	_cleanup_(flight_release) struct flight flight;
	struct output_file *file;
	int status = flight_open(&flight, name), ret;

	if (status)
		return status;
	ret = output_file_open(&file, path, NULL);
	if (ret)
		return tool_error_of(ret, "%s: cannot create", path);
	status = write_records(&flight, file);
	if (status && status != TOOL_INCOMPLETE) {
		output_file_discard(file);
		return status;
	}
	ret = output_file_finish(file);

	return ret ? tool_error_of(ret, "%s: cannot write", path) : status;
}

int sink_dat_dump(const struct sink_output *output,
		  const struct query_select *select,
		  const struct source_flight_options *source,
		  const struct tool_command *command)
{
	const char *path = output->options.path;

	if (source->follows)
		return tool_usage(command, "--format=dat: only for dump");
	if (source->instance)
		return tool_usage(command,
				  "--format=dat: of an instance of others, use "
				  "trace-cmd extract");
	if (!path)
		return tool_usage(command, "--format=dat: requires --output");
	if (output->options.time != RECORD_TIME_UTC)
		return tool_usage(command,
				  "--time: not supported by --format=dat");
	if (query_select_is_set(select) || output->options.lines ||
	    output->columns.fields.count)
		return tool_usage(command, "--format=dat: has all records");

	return write_file(source->name, path);
}
