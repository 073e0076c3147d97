// SPDX-License-Identifier: MIT
#include "sink/dat.h"

#include <string.h>

#include "flight/dat.h"
#include "sink/output_file.h"

const struct sink_ops sink_dat = {
	.name = "dat",
	.summary = "trace.dat, for trace-cmd and \"user-events decode\"",
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

static void write_bytes(void *data, const void *bytes, size_t size)
{
	output_file_write(data, bytes, size);
}

/* Return: an exit status */
static int write_file(const char *name, const char *path)
{
	_cleanup_(flight_release) struct flight flight;
	struct output_file *file;
	int status = flight_open(&flight, name), ret;

	if (status)
		return status;
	ret = output_file_open(&file, path);
	if (ret)
		return tool_error_of(ret, "%s: cannot create", path);
	status = flight_dat_write(&flight, write_bytes, file);
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
