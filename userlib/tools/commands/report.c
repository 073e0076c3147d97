// SPDX-License-Identifier: MIT
/* user-events report: an HTML page about a file. */
#include <stdlib.h>
#include <string.h>

#include "pipe/pipe.h"
#include "sink/report.h"
#include "source/files.h"
#include "ui/options.h"
#include "tool.h"

#define DEFAULT_SIZE ((uint64_t)16 << 20)

/* struct arguments - The options of the command; @path can be NULL */
struct arguments {
	const char *path;
	struct query_select select;
	struct sink_report report;
};

static int report_file(struct arguments *arguments, const char *name)
{
	const struct source_files_options files = { .names = &name,
						    .count = 1 };
	struct sink_report *report = &arguments->report;
	struct sink sink = { .ops = &sink_report, .data = report };
	struct pipe pipe = {
		.source = source_files_new(&files),
		.select = &arguments->select,
	};
	char *path = arguments->path ? tool_copy(arguments->path)
				     : tool_print("%s.html", name);
	int status;

	report->name = name;
	report->path = path;
	report->pipe = &pipe;
	pipe_add(&pipe, &sink);
	status = pipe_run(&pipe);
	free(path);

	return status;
}

enum {
	OPTION_MAX_SIZE = OPTION_FIRST,
};

static int take_option(void *data, int option, const char *argument)
{
	struct arguments *arguments = data;
	int status = query_spans_take_option(&arguments->report.report.spans,
					     option, argument);

	if (status >= 0)
		return status;
	switch (option) {
	case 'o':
		arguments->path = argument;
		return TOOL_OK;
	case OPTION_MAX_SIZE:
		if (tool_size(argument, &arguments->report.size) &&
		    arguments->report.size <= REPORT_SIZE_MAX)
			return TOOL_OK;

		return tool_usage(&command_report,
				  "--max-size: \"%s\" is not a size below 4G",
				  argument);
	default:
		return query_select_take(&arguments->select, &command_report,
					 option, argument);
	}
}

static int check_arguments(const struct arguments *arguments, char **names,
			   int count)
{
	if (!count)
		return tool_usage(&command_report, "no file given");
	if (count > 1)
		return tool_usage(&command_report, "only one file is accepted");
	if (strcmp(names[0], "-") == 0 && !arguments->path)
		return tool_usage(&command_report, "-: requires --output");

	return query_spans_check(&arguments->report.report.spans,
				 &command_report);
}

static int run(int argc, char **argv)
{
	static const struct option own[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "max-size", required_argument, NULL, OPTION_MAX_SIZE },
		{ "pid", required_argument, NULL, 'p' },
		LONG_OPTION_START,
		LONG_OPTION_STOP,
		LONG_OPTION_KEY,
		LONG_OPTION_HELP,
		{ 0 },
	};
	struct arguments arguments = {
		.report = { .size = DEFAULT_SIZE },
		.select = QUERY_SELECT_INIT,
	};
	struct option *names = query_select_names(own);
	const struct tool_options options = {
		.letters = "o:p:h" SELECT_LETTERS,
		.names = names,
		.take = take_option,
		.data = &arguments,
	};
	int status = tool_parse_common(&command_report, &options, argc, argv);

	if (!status)
		status = check_arguments(&arguments, argv + optind,
					 argc - optind);
	if (!status)
		status = report_file(&arguments, argv[optind]);
	report_release(&arguments.report.report);
	query_select_release(&arguments.select);
	free(names);

	return status;
}

const struct tool_command command_report = {
	.name = "report",
	.arguments = "[OPTION...] FILE",
	.summary = "Write an HTML page about perf.data or trace.dat",
	.help = "FILE is as for \"user-events decode\". The page has rates, a timeline of processes\n"
		"and activities, latencies, losses, and a table of the records with a search. It\n"
		"is one file that needs nothing else.\n\n"
		"Options:\n"
		"  -o, --output OUT         write to OUT, - for standard output (default:\n"
		"                           FILE.html)\n"
		"      --max-size SIZE      show a sample of the records if the page would have\n"
		"                           more than about SIZE bytes (default: 16M)\n" SPANS_HELP
		"  -h, --help               print this help\n\n"
		"Selection:\n"
		"  -p, --pid PID[,PID...]   select records of these processes\n" SELECT_HELP,
	.run = run,
};
