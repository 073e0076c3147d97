// SPDX-License-Identifier: MIT
/* user-events flight: recorders in the kernel, without a process. */
#include "flight/list.h"
#include "flight/options.h"
#include "pipe/pipe.h"
#include "sink/dat.h"
#include "ui/actions.h"

/* struct arguments - The options of the command: what is started, and read */
struct arguments {
	struct flight_start start;
	struct source_flight_options source;
	struct query_select select;
	struct sink_output output;
};

static int start(void *data, char **names, size_t count)
{
	return flight_start(&command_flight, &((struct arguments *)data)->start,
			    names, count);
}

/* "dump" and "attach" */
static int read_records(void *data, char **names, size_t count)
{
	struct arguments *arguments = data;
	struct sink_output *output = &arguments->output;
	struct source_flight_options *source = &arguments->source;
	struct sink sink;
	struct pipe pipe = {
		.select = &arguments->select,
		.summary = sink_output_report,
		.data = output,
	};
	int status = source_flight_check(source, &command_flight, names, count);

	if (status)
		return status;
	if (output->format == &sink_dat)
		return sink_dat_dump(output, &arguments->select, source,
				     &command_flight);
	status = sink_output_check(output, &command_flight, 1);
	if (!status)
		status = sink_output_open(output, &sink);
	if (status)
		return status;
	pipe.source = source_flight_new(source);
	pipe_add(&pipe, &sink);

	return pipe_run(&pipe);
}

static int attach(void *data, char **names, size_t count)
{
	struct arguments *arguments = data;

	arguments->source.follows = true;
	arguments->output.options.is_live = true;

	return read_records(arguments, names, count);
}

static int stop(void *data, char **names, size_t count)
{
	(void)data;
	(void)count;

	return flight_stop(&command_flight, names[0]);
}

static int list(void *data, char **names, size_t count)
{
	const struct arguments *arguments = data;

	(void)names;
	(void)count;

	return flight_list(arguments->output.format->style == QUERY_STYLE_JSON);
}

static const struct tool_action actions[] = {
	[FLIGHT_START] = { "start", 2, SIZE_MAX, "NAME EVENT...", start },
	[FLIGHT_DUMP] = { "dump", 0, 1, "at most one name", read_records },
	[FLIGHT_ATTACH] = { "attach", 0, 1, "at most one name", attach },
	[FLIGHT_STOP] = { "stop", 1, 1, "one name", stop },
	[FLIGHT_LIST] = { "list", 0, 0, "no argument", list },
};

static int run(int argc, char **argv)
{
	struct arguments arguments = {
		.start = { .size = FLIGHT_START_SIZE },
		.select = QUERY_SELECT_INIT,
		.output = SINK_OUTPUT_INIT,
	};
	const struct tool_actions all = {
		.actions = actions,
		.count = ARRAY_SIZE(actions),
		.common = FLIGHT_READS,
	};
	int status = tool_run_action(&command_flight, &all, &arguments,
				     flight_options_join(argc, argv), argv);

	sink_output_release(&arguments.output);
	query_select_release(&arguments.select);

	return status;
}

static const struct tool_option read_options[] = {
	{ .help = "dump, attach:" },
	SINK_OPTION_FORMAT(struct arguments, output,
			   "write FORMAT; ctf and dat are for dump",
			   sink_dat_take_format),
	SINK_OPTION_JSON(struct arguments, output, "write JSON, also of list",
			 FLIGHT_READS | 1 << FLIGHT_LIST),
	SINK_OPTION_LINES(struct arguments, output,
			  "with json of dump, write one object per line",
			  1 << FLIGHT_DUMP),
	SINK_OPTION_OUTPUT(struct arguments, output, "write a dump to OUT",
			   1 << FLIGHT_DUMP),
	SINK_OPTION_FIELDS(struct arguments, output),
	SINK_OPTION_TIME(struct arguments, output, "the clock", "utc"),
	OPTION_COLORS,
	QUERY_SELECT_PID(struct arguments, select),
	SOURCE_FLIGHT_DURATION(struct arguments, source, 1 << FLIGHT_ATTACH),
	{ 0 },
};

const struct tool_command command_flight = {
	.name = "flight",
	.arguments = "ACTION [OPTION...] [NAME] [[SYSTEM:]EVENT...]",
	.summary = "Record in the kernel, without a process",
	.help = "start NAME EVENT...   record existing events in the instance NAME of ftrace\n"
		"dump NAME             print its records, which stay, while it records\n"
		"attach NAME           print its records from now on, until Ctrl-C\n"
		"stop NAME             delete it with its records\n"
		"list                  list the recorders, their size and lost records\n",
	.options = OPTION_TABLES(
		{ flight_options, offsetof(struct arguments, start) },
		{ read_options },
		{ source_flight_rows, offsetof(struct arguments, source) },
		{ query_select_options, offsetof(struct arguments, select) }),
	.notes =
		"\nThe newest records stay readable after the death of all processes.\n",
	.formats = sink_dat_list_formats,
	.run = run,
};
