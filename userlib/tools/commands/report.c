// SPDX-License-Identifier: MIT
/* user-events report: an HTML page about a file. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sink/output_file.h"
#include "query/read.h"
#include "report/page.h"
#include "report/report.h"
#include "ui/options.h"
#include "tool.h"

#define MEBIBYTE ((uint64_t)1 << 20)
#define DEFAULT_SIZE (16 * MEBIBYTE)

/*
 * struct arguments - The options of the command
 * @path: the page; NULL: FILE.html
 * @size: about the maximum bytes of the page
 */
struct arguments {
	const char *path;
	uint64_t size;
	struct query_select select;
	struct report report;
};

static void take(void *data, struct uev_decoder *decoder,
		 const struct format_record *record)
{
	struct arguments *arguments = data;

	report_take(&arguments->report, decoder, record);
}

static void end_file(void *data)
{
	(void)data;
}

/* Return: 0 or -errno */
static int write_page(const struct report *report, const char *name,
		      const char *path)
{
	struct uev_output json = UEV_OUTPUT_INIT;
	struct output_file *file;
	int ret = output_file_open(&file, path);

	if (ret)
		return ret;
	report_append_json(report, name, &json);
	report_page_write(file, &json);
	uev_output_release(&json);

	return output_file_finish(file);
}

static void print_summary(const struct report *report, const char *path)
{
	uint64_t size = report_full_size(report);

	tool_error("%s: %" PRIu64 " events, %" PRIu64 " lost", path,
		   report->records, report->lost);
	if (report->rows.count == report->records)
		return;
	tool_error("%s: has a sample of %zu of %" PRIu64 " records", path,
		   report->rows.count, report->records);
	if (size)
		tool_hint("--max-size=%" PRIu64 "M for all of them",
			  size / MEBIBYTE + 1);
	else
		tool_hint("select fewer records, such as with --since, --until "
			  "or --event");
}

static int write_report(struct arguments *arguments, const char *name)
{
	const struct report *report = &arguments->report;
	char *path = arguments->path
			     ? tool_copy(arguments->path)
			     : tool_print("%s.html",
					  strcmp(name, "-") ? name : "report");
	int ret = write_page(report, name, path);

	if (ret)
		ret = tool_error_of(ret, "%s: cannot write", path);
	else
		print_summary(report, path);
	free(path);

	return ret;
}

static int report_file(struct arguments *arguments, const char *name)
{
	struct query_reader reader = {
		.select = &arguments->select,
		.take = take,
		.end_file = end_file,
		.data = arguments,
	};
	struct report *report = &arguments->report;
	int status, ret;
	bool is_complete;

	report_begin(report, arguments->size);
	status = query_read_files(&reader, &name, 1);
	if (!reader.has_result)
		return status;
	report_end(report, reader.lost);
	ret = write_report(arguments, name);
	if (ret)
		return ret;
	is_complete = !query_select_is_full(&arguments->select);
	ret = query_spans_report(&report->spans, &arguments->select,
				 is_complete);

	if (!ret && report->malformed)
		ret = TOOL_INCOMPLETE;

	return status ? status : ret;
}

enum {
	OPTION_MAX_SIZE = OPTION_FIRST,
};

static int take_option(void *data, int option, const char *argument)
{
	struct arguments *arguments = data;
	int status = query_spans_take_option(&arguments->report.spans, option,
					     argument);

	if (status >= 0)
		return status;
	switch (option) {
	case 'o':
		arguments->path = argument;
		return TOOL_OK;
	case OPTION_MAX_SIZE:
		if (tool_size(argument, &arguments->size) &&
		    arguments->size <= REPORT_SIZE_MAX)
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

	return query_spans_check(&arguments->report.spans, &command_report);
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
		.size = DEFAULT_SIZE,
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
	report_release(&arguments.report);
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
