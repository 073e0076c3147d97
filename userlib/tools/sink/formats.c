// SPDX-License-Identifier: MIT
#include "sink/formats.h"

#include <string.h>

#include "query/select.h"
#include "ui/out.h"

#define ANY_TIME (~0U)
#define CLOCK_TIME (1U << RECORD_TIME_CLOCK)

const struct sink_format sink_formats[] = {
	{ "text", "one line per record", &sink_text, true, QUERY_STYLE_TEXT,
	  ANY_TIME, NULL },
	{ "json", "one object per record", &sink_json, true, QUERY_STYLE_JSON,
	  CLOCK_TIME, "utc and clock only without --fields" },
	{ "csv", "one row per record, with titles", &sink_columns, true,
	  QUERY_STYLE_CSV, ANY_TIME, NULL },
	{ "logfmt", "one line of KEY=VALUE per record", &sink_columns, true,
	  QUERY_STYLE_LOGFMT, ANY_TIME, NULL },
	{ "chrome", "trace events, for Perfetto and Chrome", &sink_chrome,
	  false, QUERY_STYLE_TEXT, 0, "utc only" },
	{ "perfetto", "packets of Perfetto, with exact times", &sink_perfetto,
	  false, QUERY_STYLE_TEXT, 0, "utc only" },
	{ "folded", "stacks and their numbers, for flame graphs", &sink_folded,
	  false, QUERY_STYLE_TEXT, 0, "utc only" },
	{ "ctf", "a directory for babeltrace2", &sink_ctf, false,
	  QUERY_STYLE_TEXT, 0, "utc only" },
};

static void list_formats(struct uev_output *to, bool is_live)
{
	const struct sink_format *format = sink_formats;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sink_formats); i++, format++)
		if (!is_live || !format->ops->needs_path)
			format_print(to, "\n  %-8s %s", format->name,
				     format->summary);
}

void sink_formats_list(struct uev_output *to)
{
	list_formats(to, false);
}

void sink_formats_list_live(struct uev_output *to)
{
	list_formats(to, true);
}

/* Return: NULL if there is no such format */
static const struct sink_format *find_format(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sink_formats); i++)
		if (strcmp(sink_formats[i].name, name) == 0)
			return &sink_formats[i];

	return NULL;
}

int sink_take_format(void *format, const struct tool_argument *argument)
{
	const struct sink_format *found = find_format(argument->text);

	if (!found)
		return tool_usage(argument->command,
				  "--format: unknown format \"%s\"",
				  argument->text);
	*(const struct sink_format **)format = found;

	return TOOL_OK;
}

int sink_take_json(void *format, const struct tool_argument *argument)
{
	(void)argument;
	*(const struct sink_format **)format = find_format("json");

	return TOOL_OK;
}

bool sink_output_has_columns(const struct sink_output *output)
{
	return output->format->ops == &sink_columns ||
	       output->columns.fields.count;
}

static int check_format(const struct sink_output *output,
			const struct tool_command *command, size_t parts)
{
	const struct sink_format *format = output->format;

	if (output->options.lines && format->style != QUERY_STYLE_JSON)
		return tool_usage(command, "--lines: requires --format=json");
	if (output->columns.fields.count && !format->has_rows)
		return tool_usage(command,
				  "--fields: not supported by --format=%s",
				  format->name);
	if (format->ops->needs_path && output->options.is_live)
		return tool_usage(command,
				  "--format=%s: only for \"user-events "
				  "decode\"",
				  format->name);
	if (format->ops->needs_path && !output->options.path)
		return tool_usage(command, "--format=%s: requires --output",
				  format->name);
	if (format->ops->is_binary && !output->options.path &&
	    out_is_terminal())
		return tool_usage(command,
				  "--format=%s: standard output is a terminal",
				  format->name);
	if (format->ops->is_single && parts > 1)
		return tool_usage(command,
				  "--format=%s: accepts only one file without "
				  "--merge",
				  format->name);

	return TOOL_OK;
}

static int check_time(const struct sink_output *output,
		      const struct tool_command *command)
{
	const struct sink_format *format = output->format;
	enum record_time_form form = output->options.time;

	if (form == RECORD_TIME_UTC || format->times & 1U << form ||
	    sink_output_has_columns(output))
		return TOOL_OK;

	return tool_usage(command, "--time: --format=%s supports %s",
			  format->name, format->times_text);
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

int sink_output_open(const struct sink_output *output, struct sink *sink)
{
	return sink_open(sink,
			 sink_output_has_columns(output) ? &sink_columns
							 : output->format->ops,
			 &output->options);
}

int sink_output_report(void *data)
{
	const struct sink_output *output = data;

	return query_fields_report(&output->columns.fields, "--fields",
				   output->select);
}

void sink_output_release(struct sink_output *output)
{
	query_columns_release(&output->columns);
}
