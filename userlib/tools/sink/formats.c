// SPDX-License-Identifier: MIT
#include "sink/formats.h"

#include <string.h>

#include "query/select.h"
#include "ui/out.h"

#define ROW(name) &sink_##name,
static const struct sink_ops *const formats[] = { SINK_FORMATS(ROW) };

static void list_formats(struct uev_output *to, bool is_live)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (!is_live || !formats[i]->needs_path)
			format_print(to, "\n  %-8s %s", formats[i]->name,
				     formats[i]->summary);
}

void sink_formats_list(struct uev_output *to)
{
	list_formats(to, false);
}

void sink_formats_list_live(struct uev_output *to)
{
	list_formats(to, true);
}

int sink_take_format(void *format, const struct tool_argument *argument)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		if (strcmp(formats[i]->name, argument->text) == 0) {
			*(const struct sink_ops **)format = formats[i];
			return TOOL_OK;
		}
	}

	return tool_usage(argument->command, "--format: unknown format \"%s\"",
			  argument->text);
}

int sink_take_json(void *format, const struct tool_argument *argument)
{
	(void)argument;
	*(const struct sink_ops **)format = &sink_json;

	return TOOL_OK;
}

bool sink_output_has_columns(const struct sink_output *output)
{
	return output->format->is_columns || output->columns.fields.count;
}

static int check_format(const struct sink_output *output,
			const struct tool_command *command, size_t parts)
{
	const struct sink_ops *format = output->format;

	if (output->options.lines && format->style != QUERY_STYLE_JSON)
		return tool_usage(command, "--lines: requires --format=json");
	if (output->columns.fields.count && !format->has_rows)
		return tool_usage(command,
				  "--fields: not supported by --format=%s",
				  format->name);
	if (format->needs_path && output->options.is_live)
		return tool_usage(command,
				  "--format=%s: only for \"user-events "
				  "decode\"",
				  format->name);
	if (format->needs_path &&
	    (!output->options.path || strcmp(output->options.path, "-") == 0))
		return tool_usage(command,
				  "--format=%s: requires a directory as "
				  "--output",
				  format->name);
	if (format->is_binary && !output->options.path && out_is_terminal())
		return tool_usage(command,
				  "--format=%s: standard output is a terminal",
				  format->name);
	if (format->is_single && parts > 1)
		return tool_usage(command,
				  "--format=%s: accepts only one file without "
				  "--merge",
				  format->name);

	return TOOL_OK;
}

static int check_time(const struct sink_output *output,
		      const struct tool_command *command)
{
	const struct sink_ops *format = output->format;
	enum record_time_form form = output->options.time;

	if (form == RECORD_TIME_UTC || format->times & 1U << form ||
	    sink_output_has_columns(output))
		return TOOL_OK;

	return tool_usage(command, "--time: --format=%s supports %s",
			  format->name,
			  format->times_text ? format->times_text : "utc only");
}

int sink_output_check(struct sink_output *output,
		      const struct tool_command *command, size_t parts)
{
	struct query_columns *columns = &output->columns;
	int status;

	/* No array would end before the session. */
	if (output->options.is_live)
		output->options.lines = output->format->style ==
					QUERY_STYLE_JSON;
	status = check_format(output, command, parts);
	if (!status)
		status = check_time(output, command);
	if (status || !sink_output_has_columns(output))
		return status;
	columns->style = output->format->style;
	query_columns_complete(columns);
	columns->time.form = output->options.time;
	output->options.columns = columns;

	return TOOL_OK;
}

int sink_open(struct sink *sink, const struct sink_ops *format,
	      const struct sink_options *options)
{
	int ret = 0;

	*sink = (struct sink){ .ops = format, .path = options->path };
	if (!format->needs_path)
		ret = output_file_open(&sink->file, options->path, NULL);
	if (ret)
		return ret;
	if (sink->file && options->is_live)
		output_file_wait_for_reader(sink->file);

	return format->begin(sink, options);
}

int sink_output_open(const struct sink_output *output, struct sink *sink)
{
	const char *path = output->options.path;
	int ret = sink_open(sink,
			    sink_output_has_columns(output) ? &sink_csv
							    : output->format,
			    &output->options);

	return ret ? tool_error_of(ret, "%s: cannot write",
				   path ? path : "standard output")
		   : TOOL_OK;
}

int sink_output_report(const struct pipe *pipe)
{
	const struct sink_output *output = pipe->data;

	return query_fields_report(&output->columns.fields, "--fields",
				   pipe->select);
}

void sink_output_release(struct sink_output *output)
{
	query_columns_release(&output->columns);
}
