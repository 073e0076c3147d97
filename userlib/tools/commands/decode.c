// SPDX-License-Identifier: MIT
/*
 * user-events decode: converts perf.data and trace.dat to text and other
 * formats.
 */
#include <stdlib.h>
#include <unistd.h>

#include "pipe/pipe.h"
#include "query/columns.h"
#include "query/select.h"
#include "sink/formats.h"
#include "source/files.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

static const char help[] =
	"FILE is perf.data of perf or of \"user-events record\", trace.dat of trace-cmd, or\n"
	"- for standard input, which can be a pipe from perf.\n\n"
	"Options:\n"
	"  -t, --format=FORMAT  write FORMAT (default: text):\n"
	"                         text    one line per record\n"
	"                         json    one object with an array of records per file\n"
	"                         csv     one row per record, with titles\n"
	"                         logfmt  one line of KEY=VALUE per record\n"
	"                         chrome  trace events, for Perfetto and Chrome\n"
	"                         ctf     a directory for babeltrace2\n"
	"  -j, --json           write JSON, same as --format=json\n"
	"      --lines          with json, write one object per line\n"
	"      --merge          merge the records of all files by their time\n"
	"  -o, --output=OUT     write to OUT when complete; ctf requires a new directory\n"
	"                       (default: standard output)\n"
	"  -F, --fields=LIST    print these fields only, such as time,comm,path; not with\n"
	"                       chrome and ctf\n"
	"      --time=FORM      print times as utc or local dates, of the file's clock,\n"
	"                       relative to the first record, or as delta to the previous\n"
	"                       one (default: utc, if known)\n"
	"      --file-time      same as --time=clock\n"
	"      --color=WHEN     with text, use colors: auto, always or never (default:\n"
	"                       auto)\n"
	"      --no-progress    show no progress bar on a terminal\n"
	"  -h, --help           print this help\n\n"
	"Selection:\n"
	"  -p, --pid PID[,PID...]   select records of these processes\n" SELECT_HELP
	"\nMalformed data is reported on standard error with its offset, and the rest is\n"
	"decoded. The exit status is then 4.\n";

/* struct arguments - The options of the command */
struct arguments {
	const struct sink_ops *format;
	struct sink_options options;
	bool has_progress;
	bool is_merged;
	struct query_columns columns;
	struct query_select select;
};

static int report_fields(void *data)
{
	const struct arguments *arguments = data;

	return query_fields_report(&arguments->columns.fields, "--fields",
				   &arguments->select);
}

static int decode_files(struct arguments *arguments, char **names, size_t count)
{
	const struct sink_options *options = &arguments->options;
	const struct source_files_options files = {
		.names = (const char *const *)names,
		.count = count,
		.is_merged = arguments->is_merged,
		.has_progress = arguments->has_progress,
		.ends_at_signals = options->path,
	};
	struct sink sink;
	struct pipe pipe = {
		.select = &arguments->select,
		.is_slow = !options->path && out_is_terminal(),
		.summary = report_fields,
		.data = arguments,
	};
	int status = sink_open(&sink, arguments->format, options);

	if (status)
		return status;
	pipe.source = source_files_new(&files);
	pipe_add(&pipe, &sink);

	return pipe_run(&pipe);
}

static bool set_format(struct arguments *arguments, const char *name)
{
	const struct sink_format *format = sink_format_find(name);

	if (!format)
		return false;
	arguments->format = format->ops;
	arguments->columns.style = format->style;

	return true;
}

static int check_time(const struct arguments *arguments)
{
	const struct sink_ops *format = arguments->format;
	enum record_time_form form = arguments->options.time;

	if (form == RECORD_TIME_UTC || format == &sink_text ||
	    format == &sink_columns ||
	    (format == &sink_json && form == RECORD_TIME_CLOCK))
		return TOOL_OK;

	return tool_usage(&command_decode,
			  "--time: --format=%s supports %s only%s",
			  format->name,
			  format == &sink_json ? "utc and clock" : "utc",
			  format == &sink_json ? " without --fields" : "");
}

static int check_arguments(const struct arguments *arguments, int count)
{
	const struct sink_ops *format = arguments->format;
	const struct sink_options *options = &arguments->options;

	if (!count)
		return tool_usage(&command_decode, "no file given");
	if (options->lines && arguments->columns.style != QUERY_STYLE_JSON)
		return tool_usage(&command_decode, "--lines: requires "
						   "--format=json");
	if (arguments->columns.fields.count &&
	    (format == &sink_chrome || format == &sink_ctf))
		return tool_usage(&command_decode,
				  "--fields: not supported by --format=%s",
				  format->name);
	if (format->needs_path && !options->path)
		return tool_usage(&command_decode,
				  "--format=%s: requires "
				  "--output",
				  format->name);
	if (format->is_single && count > 1 && !arguments->is_merged)
		return tool_usage(&command_decode,
				  "--format=%s: accepts only one file without "
				  "--merge",
				  format->name);

	return TOOL_OK;
}

/* Selects rows if there are columns. */
static void set_columns(struct arguments *arguments)
{
	struct query_columns *columns = &arguments->columns;

	if (columns->fields.count)
		arguments->format = &sink_columns;
	if (arguments->format != &sink_columns)
		return;
	query_columns_complete(columns);
	columns->time.form = arguments->options.time;
	arguments->options.columns = columns;
}

enum {
	OPTION_LINES = OPTION_FIRST,
	OPTION_FILE_TIME,
	OPTION_TIME,
	OPTION_MERGE,
	OPTION_NO_PROGRESS,
};

static int take_option(void *data, int option, const char *argument)
{
	struct arguments *arguments = data;

	switch (option) {
	case 't':
		if (!set_format(arguments, argument))
			return tool_usage(&command_decode,
					  "--format: unknown format \"%s\"",
					  argument);
		break;
	case 'o':
		arguments->options.path = argument;
		break;
	case 'F':
		return query_columns_take(&arguments->columns, argument);
	case 'j':
		set_format(arguments, "json");
		break;
	case OPTION_LINES:
		arguments->options.lines = true;
		break;
	case OPTION_FILE_TIME:
		arguments->options.time = RECORD_TIME_CLOCK;
		break;
	case OPTION_TIME:
		if (!record_time_parse(argument, &arguments->options.time))
			return tool_usage(&command_decode,
					  "--time: \"%s\" is not utc, local, "
					  "clock, relative or delta",
					  argument);
		break;
	case OPTION_MERGE:
		arguments->is_merged = true;
		break;
	case OPTION_NO_PROGRESS:
		arguments->has_progress = false;
		break;
	default:
		return query_select_take(&arguments->select, &command_decode,
					 option, argument);
	}

	return TOOL_OK;
}

static int decode(struct arguments *arguments, char **names, int count)
{
	int status = check_arguments(arguments, count);

	if (!status) {
		set_columns(arguments);
		status = check_time(arguments);
	}
	if (status)
		return status;

	arguments->options.has_colour = !arguments->options.path;
	/* Output on the same terminal shows the progress. */
	if (!arguments->options.path && out_is_terminal())
		arguments->has_progress = false;

	return decode_files(arguments, names, (size_t)count);
}

static int run(int argc, char **argv)
{
	static const struct option own[] = {
		{ "format", required_argument, NULL, 't' },
		{ "output", required_argument, NULL, 'o' },
		{ "fields", required_argument, NULL, 'F' },
		{ "pid", required_argument, NULL, 'p' },
		LONG_OPTION_JSON,
		{ "lines", no_argument, NULL, OPTION_LINES },
		{ "time", required_argument, NULL, OPTION_TIME },
		{ "file-time", no_argument, NULL, OPTION_FILE_TIME },
		{ "merge", no_argument, NULL, OPTION_MERGE },
		{ "no-progress", no_argument, NULL, OPTION_NO_PROGRESS },
		LONG_OPTION_COLOR,
		LONG_OPTION_HELP,
		{ 0 },
	};
	struct arguments arguments = {
		.format = &sink_text,
		.has_progress = isatty(STDERR_FILENO),
		.select = QUERY_SELECT_INIT,
	};
	struct option *names = query_select_names(own);
	const struct tool_options options = {
		.letters = "t:jo:F:p:h" SELECT_LETTERS,
		.names = names,
		.take = take_option,
		.data = &arguments,
	};
	int status = tool_parse_common(&command_decode, &options, argc, argv);

	if (!status)
		status = decode(&arguments, argv + optind, argc - optind);
	query_columns_release(&arguments.columns);
	query_select_release(&arguments.select);
	free(names);

	return status;
}

const struct tool_command command_decode = {
	.name = "decode",
	.arguments = "[OPTION...] FILE...",
	.summary = "Decode perf.data and trace.dat as text, JSON, CSV or CTF",
	.help = help,
	.run = run,
};
