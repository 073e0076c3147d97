// SPDX-License-Identifier: MIT
/* user-events watch: prints events as they occur. */
#include "pipe/pipe.h"
#include "query/select.h"
#include "sink/formats.h"
#include "source/live.h"
#include "ui/options.h"
#include "tool.h"

/* struct watch - The options of the command */
struct watch {
	struct capture_options options;
	struct sink_output output;
	struct query_select select;
};

static int execute(struct watch *watch)
{
	struct capture_options *options = &watch->options;
	const struct query_select *select = &watch->select;
	struct sink_output *output = &watch->output;
	struct pipe pipe = {
		.select = &watch->select,
		.summary = pipe_print_summary,
	};
	struct sink sink;
	int status = sink_output_open(output, &sink);

	if (status)
		return status;
	/* JSON objects have no names of threads. */
	options->has_names = !output->options.lines ||
			     sink_output_has_columns(output) ||
			     select->comms.count || select->expression;
	pipe.source = &source_live_new(options)->source;
	pipe_add(&pipe, &sink);

	return pipe_run(&pipe);
}

/* Return: an exit status */
static int check_output(struct watch *watch)
{
	struct sink_output *output = &watch->output;

	if (watch->options.stacks && output->columns.fields.count)
		return tool_usage(&command_watch,
				  "--stacks: not supported with --fields");
	if (watch->options.stacks && !output->format->has_stacks)
		return tool_usage(&command_watch,
				  "--stacks: not supported by --format=%s",
				  output->format->name);

	return sink_output_check(output, &command_watch, 1);
}

static int run(int argc, char **argv)
{
	struct watch watch = {
		.options = CAPTURE_OPTIONS_INIT,
		.output = SINK_OUTPUT_INIT,
		.select = QUERY_SELECT_INIT,
	};
	int status;

	watch.output.options.is_live = true;
	status = capture_parse(&command_watch, &watch, argc, argv,
			       &watch.options);
	if (!status)
		status = check_output(&watch);
	if (!status)
		status = execute(&watch);
	sink_output_release(&watch.output);
	query_select_release(&watch.select);
	capture_options_release(&watch.options);

	return status;
}

static const struct tool_option own_options[] = {
	CAPTURE_BUFFER_SIZE(struct watch, options, "512K"),
	SINK_OPTION_FORMAT(struct watch, output, "print FORMAT",
			   sink_take_format),
	SINK_OPTION_JSON(struct watch, output,
			 "same as --format json: one object per line", 0),
	SINK_OPTION_FIELDS(struct watch, output),
	{ "stacks", 'g', "[WHICH]",
	  "print the calls that lead to events: WHICH is user, kernel or both; not with --fields, csv, logfmt and chrome (default: user)",
	  SET_BY(struct watch, options.stacks, capture_take_stacks, NULL) },
	SINK_OPTION_TIME(struct watch, output, "the clock", "utc"),
	OPTION_COLORS,
	{ 0 },
};

const struct tool_command command_watch = {
	.name = "watch",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...]",
	.summary = "Print events as they occur",
	.help = "EVENT is a name or a shell pattern (default: all events). SYSTEM is user_events\n"
		"by default. Events that appear later are printed, too. Ctrl-C stops.\n",
	.options = OPTION_TABLES(
		{ own_options },
		{ capture_option_rows, offsetof(struct watch, options) },
		{ query_select_options, offsetof(struct watch, select) }),
	.formats = sink_formats_list_live,
	.run = run,
};
