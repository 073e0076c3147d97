// SPDX-License-Identifier: MIT
/* user-events decode: converts perf.data and trace.dat to other formats. */
#include <unistd.h>

#include "pipe/pipe.h"
#include "query/select.h"
#include "sink/formats.h"
#include "source/files.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

/* struct arguments - The options of the command */
struct arguments {
	struct sink_output output;
	bool hides_progress;
	bool is_merged;
	struct query_select select;
};

/* Return: an exit status */
static int decode(struct arguments *arguments, char **names, size_t count)
{
	struct sink_output *output = &arguments->output;
	const char *path = output->options.path;
	const struct source_files_options files = {
		.names = (const char *const *)names,
		.count = count,
		.is_merged = arguments->is_merged,
		/* Output on the same terminal shows the progress. */
		.has_progress = !arguments->hides_progress &&
				isatty(STDERR_FILENO) &&
				(path || !out_is_terminal()),
		.ends_at_signals = path,
	};
	struct sink sink;
	struct pipe pipe = {
		.select = &arguments->select,
		.is_slow = !path && out_is_terminal(),
		.summary = sink_output_report,
		.data = output,
	};
	int status;

	status = sink_output_check(output, &command_decode,
				   arguments->is_merged ? 1 : count);
	if (!status)
		status = source_files_check_output(path, files.names, count);
	if (!status)
		status = sink_output_open(output, &sink);
	if (status)
		return status;
	pipe.source = source_files_new(&files);
	pipe_add(&pipe, &sink);

	return pipe_run(&pipe);
}

static int run(int argc, char **argv)
{
	struct arguments arguments = {
		.output = SINK_OUTPUT_INIT,
		.select = QUERY_SELECT_INIT,
	};
	int status = tool_parse_common(&command_decode, &arguments, argc, argv);

	if (!status && optind == argc)
		status = tool_usage(&command_decode, "no file given");
	if (!status)
		status = decode(&arguments, argv + optind,
				(size_t)(argc - optind));
	sink_output_release(&arguments.output);
	query_select_release(&arguments.select);

	return status;
}

static const struct tool_option own_options[] = {
	SINK_OPTION_FORMAT(struct arguments, output, "write FORMAT",
			   sink_take_format),
	SINK_OPTION_JSON(struct arguments, output,
			 "write JSON, same as --format=json", 0),
	SINK_OPTION_LINES(struct arguments, output,
			  "with json, write one object per line", 0),
	{ "merge", 0, NULL, "merge the records of all files by their time",
	  SET_FLAG(struct arguments, is_merged) },
	SINK_OPTION_OUTPUT(struct arguments, output, "write to OUT", 0),
	SINK_OPTION_FIELDS(struct arguments, output),
	SINK_OPTION_TIME(struct arguments, output, "the file's clock",
			 "utc, if known"),
	{ "file-time", 0, NULL, "same as --time=clock",
	  SET_VALUE(struct arguments, output.options.time, RECORD_TIME_CLOCK) },
	OPTION_COLORS,
	{ "no-progress", 0, NULL, "show no progress bar on a terminal",
	  SET_FLAG(struct arguments, hides_progress) },
	{ 0 },
};

static const struct tool_option selection_options[] = {
	{ .help = "Selection:" },
	QUERY_SELECT_PID(struct arguments, select),
	{ 0 },
};

const struct tool_command command_decode = {
	.name = "decode",
	.arguments = "[OPTION...] FILE...",
	.summary = "Decode perf.data and trace.dat as text, JSON, CSV or CTF",
	.help = "FILE is perf.data of perf or of \"user-events record\", trace.dat of trace-cmd, or\n"
		"- for standard input, which can be a pipe from perf.\n",
	.options = OPTION_TABLES({ own_options }, { selection_options },
				 { query_select_options,
				   offsetof(struct arguments, select) }),
	.notes =
		"Malformed data is reported on standard error with its offset, and the rest is\n"
		"decoded. The exit status is then 4.\n",
	.formats = sink_formats_list,
	.run = run,
};
