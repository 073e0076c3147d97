// SPDX-License-Identifier: MIT
/* user-events report: an HTML page about a file, a recorder or a session. */
#include <string.h>

#include "pipe/pipe.h"
#include "report/report.h"
#include "source/input.h"
#include "tool.h"

#define DEFAULT_SIZE ((uint64_t)16 << 20)

/*
 * struct arguments - The options of the command
 * @path: where the page is written; NULL: the default
 */
struct arguments {
	struct source_input input;
	const char *path;
	struct report report;
};

static int write_report(struct arguments *arguments)
{
	_cleanup_free_ char *path = NULL;
	struct source_input *input = &arguments->input;
	struct report *report = &arguments->report;
	struct sink sink = { .ops = &sink_report, .data = report };
	struct pipe pipe = { 0 };
	const char *name = source_input_name(input);
	int status;

	path = arguments->path ? tool_copy(arguments->path)
			       : tool_print("%s.html", name ? name : "report");
	report->title = name ? name : "live";
	report->path = path;
	/* Nobody has chosen a place for everyone. */
	if (!arguments->path && input->files.count)
		report->like = name;
	report->pipe = &pipe;
	status = source_input_check_output(input, path);
	if (status)
		return status;
	source_input_open(input, &pipe);
	pipe_add(&pipe, &sink);

	return pipe_run(&pipe);
}

static int check_arguments(struct arguments *arguments)
{
	struct source_input *input = &arguments->input;
	const struct query_list *files = &input->files;
	int status;

	if (source_input_is_session(input) && capture_has_files(&input->live))
		return tool_usage(&command_report,
				  "no file given, and no --duration or command "
				  "for a session");
	if (files->count > 1)
		return tool_usage(&command_report, "only one file is accepted");
	if (files->count && strcmp(files->texts[0], "-") == 0 &&
	    !arguments->path)
		return tool_usage(&command_report, "-: requires --output");
	status = query_spans_check(&arguments->report.spans, &command_report);

	return status ? status : source_input_check(input, &command_report);
}

static int run(int argc, char **argv)
{
	struct arguments arguments = {
		.input = SOURCE_INPUT_INIT,
		.report = { .size = DEFAULT_SIZE },
	};
	int status;

	arguments.input.live.takes_files = true;
	status = source_input_parse(&arguments.input, &command_report,
				    &arguments, argc, argv);
	if (!status)
		status = check_arguments(&arguments);
	if (!status)
		status = write_report(&arguments);
	report_release(&arguments.report);
	source_input_release(&arguments.input);

	return status;
}

static const struct tool_option own_options[] = {
	{ "output", 'o', "OUT",
	  "write to OUT, - for standard output (default: FILE.html, of a recorder NAME.html, of a session report.html)",
	  SET_TEXT(struct arguments, path, "@file") },
	{ "max-size", 0, "SIZE",
	  "show a sample of the records if the page would have more than about SIZE bytes (default: 16M)",
	  SET_SIZE(struct arguments, report.size, 1, REPORT_SIZE_MAX) },
	SOURCE_OPTION_READ(struct arguments, input, "same as FILE"),
	CAPTURE_BUFFER_SIZE(struct arguments, input.live, "512K"),
	SOURCE_OPTION_ALL(struct arguments, input, "report"),
	{ 0 },
};

const struct tool_command command_report = {
	.name = "report",
	.arguments = "[OPTION...] FILE | [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Write an HTML page about a file or a session",
	.help = "FILE is as for \"user-events decode\". With --duration or COMMAND, the page is\n"
		"about the events of that time or of COMMAND. The page has rates, a timeline of\n"
		"processes and activities, latencies, losses, and a table of the records with a\n"
		"search. It is one file that needs nothing else.\n",
	.options = OPTION_TABLES({ own_options },
				 { query_spans_options,
				   offsetof(struct arguments, report.spans) },
				 SOURCE_TABLE_RECORDER(struct arguments, input),
				 SOURCE_TABLE_FLIGHT(struct arguments, input),
				 SOURCE_TABLE_LIVE(struct arguments, input),
				 SOURCE_TABLE_SELECT(struct arguments, input)),
	.run = run,
};
