// SPDX-License-Identifier: MIT
/* user-events flight: recorders in the kernel, without a process. */
#include <string.h>

#include "capture/options.h"
#include "flight/flight.h"
#include "flight/list.h"
#include "flight/options.h"
#include "flight/start.h"
#include "pipe/pipe.h"
#include "sink/dat.h"
#include "sink/formats.h"
#include "source/flight.h"
#include "ui/options.h"
#include "tool.h"

#define DEFAULT_SIZE ((uint64_t)16 << 20)

/* A format of "dump" only: the pages as they are */
#define DAT "dat"

/* Actions, as bits of options; each also takes --help. */
enum action {
	START = 1 << 0,
	DUMP = 1 << 1,
	ATTACH = 1 << 2,
	STOP = 1 << 3,
	LIST = 1 << 4,
};

static const struct {
	const char *name;
	enum action action;
} actions[] = {
	{ "start", START }, { "dump", DUMP }, { "attach", ATTACH },
	{ "stop", STOP },   { "list", LIST },
};

enum {
	OPTION_TIME = OPTION_FIRST,
	OPTION_LINES,
	OPTION_DURATION,
	OPTION_INSTANCE,
	OPTION_CONSUME,
};

/*
 * struct arguments - The options of the command
 * @is_dat: the format is DAT
 * @has_selection: an option of @select was given
 * @instance: instance of others that is read; NULL: a recorder
 * @consumes: its records may be removed from it
 */
struct arguments {
	enum action action;
	struct flight_start start;
	struct sink_output output;
	struct query_select select;
	uint64_t duration;
	bool is_json;
	bool is_dat;
	bool has_selection;
	const char *instance;
	bool consumes;
};

/* ---- Options ---- */

static int take_duration(struct arguments *arguments, const char *text)
{
	if (tool_time(text, &arguments->duration))
		return TOOL_OK;

	return tool_usage(&command_flight,
			  "--duration: \"%s\" is not a time, such as 10s",
			  text);
}

static int take_format(struct arguments *arguments, int option,
		       const char *argument)
{
	arguments->is_json = option == 'j';
	arguments->is_dat = option == 't' && strcmp(argument, DAT) == 0;
	if (arguments->is_dat)
		return TOOL_OK;

	return sink_output_take(&arguments->output, &command_flight, option,
				argument);
}

/* Returns the actions that have an option. */
static unsigned int actions_of(int option)
{
	if (flight_options_have(option))
		return START;
	switch (option) {
	case 'o':
	case OPTION_LINES:
		return DUMP;
	case OPTION_DURATION:
		return ATTACH;
	case 'j':
		return DUMP | ATTACH | LIST;
	default:
		return DUMP | ATTACH;
	}
}

static int take_reading(struct arguments *arguments, int option,
			const char *argument)
{
	switch (option) {
	case 't':
	case 'j':
		return take_format(arguments, option, argument);
	case 'F':
		return sink_output_take(&arguments->output, &command_flight,
					option, argument);
	case 'o':
		arguments->output.options.path = argument;
		return TOOL_OK;
	case OPTION_LINES:
		arguments->output.options.lines = true;
		return TOOL_OK;
	case OPTION_DURATION:
		return take_duration(arguments, argument);
	case OPTION_INSTANCE:
		arguments->instance = argument;
		return TOOL_OK;
	case OPTION_CONSUME:
		arguments->consumes = true;
		return TOOL_OK;
	default:
		arguments->has_selection = true;
		return query_select_take(&arguments->select, &command_flight,
					 option, argument);
	}
}

static const char *name_of_action(enum action action)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(actions); i++)
		if (actions[i].action == action)
			return actions[i].name;

	return "flight";
}

static int check_option(void *data, const struct tool_option *option)
{
	const struct arguments *arguments = data;

	/* The action might be missing, which is reported later. */
	if (!arguments->action ||
	    actions_of(option->letter) & arguments->action)
		return TOOL_OK;

	return tool_usage(&command_flight, "--%s: no option of %s",
			  option->name, name_of_action(arguments->action));
}

static int take_option(void *data, int option, const char *argument)
{
	struct arguments *arguments = data;

	if (actions_of(option) == START)
		return flight_options_take(&arguments->start, &command_flight,
					   option, argument);

	return take_reading(arguments, option, argument);
}

/* ---- Actions ---- */

static int read_records(struct arguments *arguments)
{
	const struct source_flight_options options = {
		.name = arguments->instance ? arguments->instance
					    : arguments->start.name,
		.is_instance = arguments->instance,
		.follows = arguments->action == ATTACH,
		.duration = arguments->duration,
	};
	struct sink sink;
	struct pipe pipe = {
		.select = &arguments->select,
		.summary = sink_output_report,
		.data = &arguments->output,
	};
	int status = sink_output_open(&arguments->output, &sink);

	if (status)
		return status;
	arguments->output.select = &arguments->select;
	pipe.source = source_flight_new(&options);
	pipe_add(&pipe, &sink);

	return pipe_run(&pipe);
}

static int check_dat(const struct arguments *arguments)
{
	const struct sink_output *output = &arguments->output;

	if (arguments->action != DUMP)
		return tool_usage(&command_flight,
				  "--format=" DAT ": only for dump");
	if (arguments->instance)
		return tool_usage(&command_flight,
				  "--format=" DAT ": of an instance of others, "
				  "use trace-cmd extract");
	if (!output->options.path)
		return tool_usage(&command_flight,
				  "--format=" DAT ": requires --output");
	if (arguments->has_selection || output->options.lines ||
	    output->columns.fields.count)
		return tool_usage(&command_flight,
				  "--format=" DAT ": has all records");

	return TOOL_OK;
}

/* Return: an exit status */
static int check_output(struct arguments *arguments)
{
	struct sink_output *output = &arguments->output;

	if (arguments->is_dat)
		return check_dat(arguments);
	output->options.has_color = !output->options.path;
	if (arguments->action == ATTACH) {
		output->options.is_live = true;
		output->options.lines = output->format->style ==
					QUERY_STYLE_JSON;
	}

	return sink_output_check(output, &command_flight, 1);
}

static int read_flight(struct arguments *arguments)
{
	int status = check_output(arguments);

	if (status)
		return status;

	return arguments->is_dat
		       ? sink_dat_write(arguments->start.name,
					arguments->output.options.path)
		       : read_records(arguments);
}

static int start_recorder(struct arguments *arguments, char **patterns,
			  int count)
{
	int i;

	if (!count)
		return tool_usage(&command_flight, "start: no event given");
	for (i = 0; i < count; i++)
		if (!capture_is_pattern(patterns[i]))
			return tool_usage(&command_flight,
					  "%s: invalid event name",
					  patterns[i]);
	arguments->start.patterns = (const char *const *)patterns;
	arguments->start.pattern_count = (size_t)count;

	return flight_start(&arguments->start);
}

/* Return: an exit status */
static int read_instance(struct arguments *arguments, int count)
{
	const char *name = arguments->instance;

	if (count)
		return tool_usage(&command_flight,
				  "--instance: takes the place of a name");
	if (!*name || *name == '.' || strchr(name, '/'))
		return tool_usage(&command_flight,
				  "--instance: \"%s\": invalid name", name);
	if (arguments->consumes)
		return read_flight(arguments);
	tool_error("%s: to read its records removes them from this instance",
		   name);
	tool_hint("use --consume if its owner does not need them, or the file "
		  "\"trace\" of the instance");

	return TOOL_FAILED;
}

static int execute_action(struct arguments *arguments, char **rest, int count)
{
	const char *reason;

	if (arguments->action == LIST)
		return count ? tool_usage(&command_flight,
					  "list: takes no name")
			     : flight_list(arguments->is_json);
	if (arguments->instance)
		return read_instance(arguments, count);
	if (arguments->consumes)
		return tool_usage(&command_flight,
				  "--consume: only with --instance");
	if (!count)
		return tool_usage(&command_flight, "no name given");
	reason = flight_name_check(rest[0]);
	if (reason)
		return tool_usage(&command_flight, "\"%s\": invalid name: %s",
				  rest[0], reason);
	arguments->start.name = rest[0];
	if (arguments->action == START)
		return start_recorder(arguments, rest + 1, count - 1);
	if (count > 1)
		return tool_usage(&command_flight, "%s: more than one name",
				  rest[1]);

	return arguments->action == STOP ? flight_stop(rest[0])
					 : read_flight(arguments);
}

/* ---- The command ---- */

/* Return: false if there is no such action. */
static bool find_action(struct arguments *arguments, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(actions); i++) {
		if (strcmp(actions[i].name, name) == 0) {
			arguments->action = actions[i].action;
			return true;
		}
	}

	return false;
}

/* Patterns can follow -e, as for perf record. Return: number of arguments */
static int drop_event_options(int argc, char **argv)
{
	int i, count = 0;

	for (i = 0; i < argc; i++) {
		if (strcmp(argv[i], "-e") == 0 && i + 1 < argc)
			continue;
		argv[count++] = argv[i];
	}
	argv[count] = NULL;

	return count;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = {
		.start = { .size = DEFAULT_SIZE },
		.output = SINK_OUTPUT_INIT,
		.select = QUERY_SELECT_INIT,
	};
	const struct tool_options options = {
		.check = check_option,
		.take = take_option,
		.data = &arguments,
	};
	bool has_action = argc > 1 && find_action(&arguments, argv[1]);
	int status;

	/* Without an action, --help is the only option. */
	if (argc > 1 && argv[1][0] != '-' && !has_action)
		return tool_usage(&command_flight, "%s: unknown action",
				  argv[1]);
	if (arguments.action == START)
		argc = drop_event_options(argc, argv);
	status = tool_parse_common(&command_flight, &options, argc - has_action,
				   argv + has_action);
	if (!status && !has_action)
		status = tool_usage(&command_flight, "no action given");
	if (!status)
		status = execute_action(&arguments, argv + has_action + optind,
					argc - has_action - optind);
	sink_output_release(&arguments.output);
	query_select_release(&arguments.select);

	return status;
}

static void list_formats(struct uev_output *to)
{
	sink_formats_list(to);
	format_print(to, "\n  %-7s %s", DAT,
		     "trace.dat, for trace-cmd and \"user-events decode\"");
}

static const struct tool_option read_options[] = {
	{ .help = "dump, attach:" },
	{ "format", 't', "FORMAT",
	  "write FORMAT; ctf and dat are for dump (default: text):" },
	{ "json", 'j', NULL, "write JSON, also of list" },
	{ "lines", OPTION_LINES, NULL,
	  "with json of dump, write one object per line" },
	{ "output", 'o', "OUT",
	  "write a dump to OUT when complete; ctf requires a new directory (default: standard output)",
	  SET_NOTHING("@file") },
	{ "fields", 'F', "LIST",
	  "print these fields only, such as time,comm,path; only with text, json, csv and logfmt",
	  SET_NOTHING(QUERY_COLUMN_FIELDS) },
	{ "time", OPTION_TIME, "FORM",
	  "print times as utc or local dates, of the clock, relative to the first record, or as delta to the previous one (default: utc)",
	  SET_WORD(struct arguments, output.options.time, RECORD_TIME_FORMS) },
	OPTION_COLORS,
	{ "duration", OPTION_DURATION, "TIME",
	  "stop to attach after TIME: seconds, or with ms, s, m, h or d" },
	{ "pid", 'p', "PID[,PID...]", "select records of these processes" },
	{ "instance", OPTION_INSTANCE, "NAME",
	  "read an instance of ftrace that others made, which requires --consume" },
	{ "consume", OPTION_CONSUME, NULL,
	  "remove the records that are read from the instance" },
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
	.options = (const struct tool_option *const[]){ flight_options,
							read_options,
							query_select_options,
							NULL },
	.notes =
		"\nThe newest records stay readable after the death of all processes.\n",
	.formats = list_formats,
	.run = run,
};
