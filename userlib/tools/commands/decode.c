// SPDX-License-Identifier: MIT
/*
 * user-events decode: converts perf.data and trace.dat to text and other
 * formats.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/format.h"
#include "formats/trace_input.h"
#include "formats/trace_merge.h"
#include "query/columns.h"
#include "query/select.h"
#include "ui/options.h"
#include "ui/out.h"
#include "terminal.h"
#include "tool.h"

/* Records between two updates of the progress bar, and its steps. */
#define PROGRESS_RECORDS 4096
#define PROGRESS_STEPS 40

/* Maximum number of problems that are printed per file. */
#define PROBLEMS_PRINTED_MAX 20

/* Names of formats; @style: of rows of columns */
static const struct {
	const char *name;
	const struct format_ops *format;
	enum query_style style;
} formats[] = {
	{ "text", &format_text, QUERY_STYLE_TEXT },
	{ "json", &format_json, QUERY_STYLE_JSON },
	{ "csv", &query_format_columns, QUERY_STYLE_CSV },
	{ "logfmt", &query_format_columns, QUERY_STYLE_LOGFMT },
	{ "chrome", &format_chrome, QUERY_STYLE_TEXT },
	{ "ctf", &format_ctf, QUERY_STYLE_TEXT },
};

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

static volatile sig_atomic_t stopped_by;
static int nowhere = -1;

/* A blocked read returns the end. */
static void stop(int signal)
{
	stopped_by = signal;
	trace_input_stop(nowhere);
}

/*
 * struct decoding - State of a file, or of files that are merged
 * @problems: number of problems
 * @records: number of records
 * @has_progress: show a progress bar
 * @is_shown: the bar is visible
 * @is_live: flush after each record
 * @select: which records are written
 */
struct decoding {
	const struct format_ops *format;
	void *writer;
	struct uev_decoder *decoder;
	struct trace_merge *input;
	uint64_t problems;
	uint64_t records;
	bool has_progress;
	bool is_shown;
	bool is_live;
	struct query_select *select;
};

/* ---- Progress ---- */

static void hide_progress(struct decoding *decoding)
{
	if (decoding->is_shown)
		fputs("\r\033[K", stderr);
	decoding->is_shown = false;
}

static void show_progress(struct decoding *decoding)
{
	static const char bar[PROGRESS_STEPS + 1] =
		"########################################";
	uint64_t at, size;
	char *name;
	int steps;

	if (!decoding->has_progress || decoding->records % PROGRESS_RECORDS)
		return;
	at = trace_merge_offset(decoding->input, &size);
	decoding->is_shown = true;
	name = terminal_text(trace_merge_name(decoding->input));
	fprintf(stderr, "\r%s: ", name);
	free(name);
	if (!size) {
		fprintf(stderr, "%" PRIu64 " MiB", at >> 20);
		return;
	}
	steps = at < size ? (int)((double)at / (double)size * PROGRESS_STEPS)
			  : PROGRESS_STEPS;
	fprintf(stderr, "[%-*.*s] %3d %%", PROGRESS_STEPS, steps, bar,
		steps * 100 / PROGRESS_STEPS);
}

/* ---- Problems ---- */

static bool may_print_problem(struct decoding *decoding)
{
	hide_progress(decoding);
	/* Standard output and standard error can be the same. */
	if (decoding->writer)
		decoding->format->flush(decoding->writer);

	return decoding->problems++ < PROBLEMS_PRINTED_MAX;
}

static void problem(void *data, const char *name, uint64_t offset,
		    const char *reason)
{
	struct decoding *decoding = data;

	/* The rest of a pipe is missing after a signal. */
	if (!stopped_by && may_print_problem(decoding))
		tool_error("%s: at byte %" PRIu64 ": %s", name, offset, reason);
}

static void bad_record(struct decoding *decoding,
		       const struct format_record *record, int error)
{
	const struct uev_source *source = record->sample->source;
	size_t offset = 0;
	const char *reason = uev_decoder_error(decoding->decoder, &offset);
	char *event;

	if (!may_print_problem(decoding))
		return;
	event = tool_print("%s%s%s", source->system ? source->system : "",
			   source->system ? ":" : "", source->name);
	tool_error("%s: at byte %" PRIu64 ": %s: at byte %zu of the record: %s",
		   trace_merge_name(decoding->input),
		   trace_merge_record_offset(decoding->input), event, offset,
		   reason ? reason : strerror(-error));
	free(event);
}

/* ---- A file ---- */

/* Return: 0 or an error of read(2). */
static int decode_records(struct decoding *decoding)
{
	struct format_record record;
	int ret, bad;

	query_select_begin(decoding->select);
	while (!stopped_by && !decoding->format->error(decoding->writer) &&
	       !query_select_is_full(decoding->select)) {
		ret = trace_merge_next(decoding->input, &record);
		if (ret <= 0)
			return ret;
		decoding->records++;
		show_progress(decoding);
		if (!query_select_test(decoding->select, decoding->decoder,
				       &record))
			continue;
		bad = decoding->format->record(decoding->writer,
					       decoding->decoder, &record);
		if (bad)
			bad_record(decoding, &record, bad);
		/* Readers of a pipe wait for the record. */
		if (decoding->is_live)
			decoding->format->flush(decoding->writer);
	}

	return 0;
}

static const char *error_text(int error)
{
	switch (error) {
	case -EBADMSG:
		return "neither perf.data nor trace.dat, or not readable";
	case -ESPIPE:
		return "cannot be read from a pipe";
	case -EXDEV:
		return "times cannot be compared with those of other files";
	default:
		return strerror(-error);
	}
}

static enum tool_status finish_files(struct decoding *decoding,
				     const char *name, int error)
{
	struct uev_trace_stats counts;

	trace_merge_counts(decoding->input, &counts);
	decoding->format->end_file(decoding->writer, counts.lost);
	hide_progress(decoding);
	if (error) {
		tool_error("%s: %s", trace_merge_name(decoding->input),
			   error_text(error));
		decoding->problems++;
	}
	if (decoding->problems > PROBLEMS_PRINTED_MAX)
		tool_error("%s: %" PRIu64 " more errors", name,
			   decoding->problems - PROBLEMS_PRINTED_MAX);
	if (counts.lost)
		tool_error("%s: %" PRIu64 " records lost during recording",
			   name, counts.lost);
	/* A malformed file without any record is a failure. */
	if (decoding->problems && !counts.records)
		return TOOL_FAILED;

	return decoding->problems || counts.corrupt || counts.lost
		       ? TOOL_INCOMPLETE
		       : TOOL_OK;
}

static bool is_pipe(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISFIFO(status.st_mode);
}

/* Decodes one file, or merges several. */
static enum tool_status decode_together(struct decoding *decoding, char **paths,
					size_t count)
{
	const char *name;
	enum tool_status status;
	int ret;

	if (strcmp(paths[0], "-") == 0)
		decoding->is_live |= is_pipe(STDIN_FILENO);
	decoding->problems = 0;
	decoding->records = 0;
	ret = trace_merge_open(&decoding->input, paths, count, problem,
			       decoding, &name);
	if (ret && stopped_by)
		return TOOL_FAILED;
	if (ret) {
		/* The reason might have been printed. */
		if (ret != -EBADMSG || !decoding->problems)
			tool_error("%s: %s", name, error_text(ret));
		if (ret == -EXDEV)
			tool_hint("record with the same clock, such as perf "
				  "record -k mono, or decode without --merge");
		return TOOL_FAILED;
	}
	name = count > 1 ? "merged" : trace_merge_name(decoding->input);
	decoding->format->begin_file(decoding->writer, name);
	ret = decode_records(decoding);
	status = finish_files(decoding, name, ret);
	trace_merge_close(decoding->input);

	return status;
}

/* ---- All files ---- */

/*
 * Combines the statuses of two files: a failure of one leaves the other valid.
 */
static enum tool_status worse_status(enum tool_status one,
				     enum tool_status other)
{
	return one == other ? one : TOOL_INCOMPLETE;
}

/* Removes incomplete output. */
static void catch_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = stop };
	size_t i;

	nowhere = open("/dev/null", O_RDONLY | O_CLOEXEC);
	sigemptyset(&action.sa_mask);
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaction(signals[i], &action, NULL);
}

static int cannot_write(const struct format_options *options, int error)
{
	return tool_error_of(error, "%s: cannot write",
			     options->path ? options->path : "standard output");
}

/* struct arguments - The options of the command */
struct arguments {
	const struct format_ops *format;
	struct format_options options;
	bool has_progress;
	bool is_merged;
	struct query_columns columns;
	struct query_select select;
};

/* Return: as worse_status() of all files */
static enum tool_status decode_all(struct decoding *decoding, char **names,
				   size_t count)
{
	enum tool_status status = TOOL_OK, one;
	size_t i;

	for (i = 0; i < count && !stopped_by; i++) {
		/* The first file might be missing. */
		if (i && query_select_is_full(decoding->select))
			break;
		one = decode_together(decoding, names + i, 1);
		status = i ? worse_status(status, one) : one;
		if (decoding->format->error(decoding->writer))
			break;
	}

	return status;
}

static int decode_files(struct arguments *arguments, char **names, size_t count)
{
	const struct format_ops *format = arguments->format;
	const struct format_options *options = &arguments->options;
	struct decoding decoding = {
		.format = format,
		.has_progress = arguments->has_progress,
		.is_live = !options->path && out_is_terminal(),
		.select = &arguments->select,
	};
	enum tool_status status;
	int ret;

	ret = format->begin(&decoding.writer, options);
	if (ret)
		return cannot_write(options, ret);
	tool_need(uev_decoder_new(&decoding.decoder));
	if (options->path)
		catch_signals();
	status = arguments->is_merged ? decode_together(&decoding, names, count)
				      : decode_all(&decoding, names, count);
	uev_decoder_free(decoding.decoder);

	ret = format->error(decoding.writer);
	/* No output is left if no file could be read. */
	if (ret || stopped_by || status == TOOL_FAILED)
		format->discard(decoding.writer);
	else
		ret = format->finish(decoding.writer);
	if (stopped_by) {
		signal(stopped_by, SIG_DFL);
		raise(stopped_by);
	}
	if (ret)
		return cannot_write(options, ret);
	ret = query_select_report(&arguments->select);
	if (!ret)
		ret = query_fields_report(&arguments->columns.fields,
					  "--fields", &arguments->select);

	return status == TOOL_OK ? ret : (int)status;
}

static bool set_format(struct arguments *arguments, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++) {
		if (strcmp(formats[i].name, name) == 0) {
			arguments->format = formats[i].format;
			arguments->columns.style = formats[i].style;
			return true;
		}
	}

	return false;
}

static int check_time(const struct arguments *arguments)
{
	const struct format_ops *format = arguments->format;
	enum record_time_form form = arguments->options.time;

	if (form == RECORD_TIME_UTC || format == &format_text ||
	    format == &query_format_columns ||
	    (format == &format_json && form == RECORD_TIME_CLOCK))
		return TOOL_OK;

	return tool_usage(&command_decode,
			  "--time: --format=%s supports %s only%s",
			  format->name,
			  format == &format_json ? "utc and clock" : "utc",
			  format == &format_json ? " without --fields" : "");
}

static int check_arguments(const struct arguments *arguments, int count)
{
	const struct format_ops *format = arguments->format;
	const struct format_options *options = &arguments->options;

	if (!count)
		return tool_usage(&command_decode, "no file given");
	if (options->lines && arguments->columns.style != QUERY_STYLE_JSON)
		return tool_usage(&command_decode, "--lines: requires "
						   "--format=json");
	if (arguments->columns.fields.count &&
	    (format == &format_chrome || format == &format_ctf))
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
		arguments->format = &query_format_columns;
	if (arguments->format != &query_format_columns)
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
		.format = &format_text,
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
