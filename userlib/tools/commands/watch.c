// SPDX-License-Identifier: MIT
/* user-events watch: prints events as they occur. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/decode.h>

#include "capture/capture.h"
#include "capture/names.h"
#include "capture/output.h"
#include "capture/schemas.h"
#include "ui/options.h"
#include "ui/out.h"
#include "formats/record_text.h"
#include "formats/kernel_symbols.h"
#include "formats/stack.h"
#include "query/columns.h"
#include "query/select.h"
#include "tool.h"

/* Bytes that trigger a write, and the timeout of a stalled reader. */
#define WRITE_AT 32768
#define STALL_TIMEOUT_MS 10000

enum {
	OPTION_TIME = OPTION_FIRST,
};

/* The limit of locked memory of an unprivileged process. */
#define BUFFER_SIZE (512 * 1024)

/*
 * struct watch - State of the output
 * @select: which records are printed
 * @columns: what is printed of them, if @has_columns
 * @shown: number of lines made of records
 * @unwritten: number of these that could not be written
 * @filtered: number of records that were not selected
 * @bytes: bytes of the shown records
 * @bad: number of malformed records among these
 */
struct watch {
	struct capture_options options;
	struct capture capture;
	struct capture_schemas schemas;
	struct capture_names names;
	struct capture_output output;
	struct record_text text;
	struct uev_decoder *decoder;
	struct uev_clock clock;
	bool is_json;
	bool has_columns;
	struct query_select select;
	struct query_columns columns;
	uint64_t shown;
	uint64_t unwritten;
	uint64_t filtered;
	uint64_t bytes;
	uint64_t bad;
};

static void append(struct watch *watch, const char *text)
{
	tool_need(uev_output_append(&watch->output.text, text, strlen(text)));
}

/* Return: 0, or the error of the record, which has a line nevertheless. */
static int append_json(struct watch *watch, const struct format_record *record)
{
	int ret = format_append_json(&watch->output.text, watch->decoder,
				     record, UEV_JSON_COMPACT,
				     UEV_META_DEFAULT);

	if (ret == -E2BIG)
		append(watch, "{\"error\":{\"reason\":\"record too long\"}}");

	return ret;
}

/* Return: an exit status */
static int write_out(struct watch *watch, uint64_t *unwritten)
{
	int ret = capture_output_write(&watch->output, unwritten);

	if (ret)
		return tool_error_of(ret, "standard output: cannot write");

	return TOOL_OK;
}

static int write_lines(struct watch *watch)
{
	uint64_t unwritten = 0;
	int status = write_out(watch, &unwritten);

	watch->unwritten += unwritten;

	return status;
}

static int show_losses(struct watch *watch, uint64_t lost)
{
	uint64_t unwritten;
	char *line;

	if (!lost)
		return TOOL_OK;
	if (!watch->is_json) {
		tool_error("%" PRIu64 " lost", lost);
		return TOOL_OK;
	}
	line = tool_print("{\"lost\":%" PRIu64 "}\n", lost);
	append(watch, line);
	free(line);

	return write_out(watch, &unwritten);
}

/* Columns have no stacks. Return: as append_json() */
static int append_record(struct watch *watch,
			 const struct format_record *record)
{
	int ret;

	if (watch->has_columns)
		return query_columns_append(&watch->columns,
					    &watch->output.text, watch->decoder,
					    record);
	if (watch->is_json)
		return append_json(watch, record);

	ret = record_text_append(&watch->text, &watch->output.text,
				 watch->decoder, record->schema, record->sample,
				 record->comm);
	stack_append_text(&watch->output.text, record);

	return ret;
}

static const struct uev_mapping *find_mapping(const void *data, uint32_t pid,
					      uint64_t address)
{
	return pid == UEV_KERNEL_PID ? kernel_symbols_mapping(address)
				     : uev_session_mapping(data, pid, address);
}

static void show(struct watch *watch, const struct uev_sample *sample)
{
	struct format_record record = {
		.sample = sample,
		.mapping = find_mapping,
		.mapping_data = watch->capture.session,
		.schema =
			capture_schema(&watch->schemas, sample->source)->schema,
		.clock = &watch->clock,
	};
	int ret;

	if (watch->options.has_names)
		record.comm = capture_comm(&watch->names,
					   watch->capture.session, sample);
	if (!query_select_test(&watch->select, watch->decoder, &record)) {
		watch->filtered++;
		return;
	}
	ret = append_record(watch, &record);
	append(watch, "\n");
	watch->shown++;
	watch->bytes += sample->raw_size;
	watch->bad += ret != 0;
}

static void show_titles(struct watch *watch)
{
	if (watch->has_columns)
		query_columns_append_titles(&watch->columns,
					    &watch->output.text);
}

/* Prints the ready records. Return: an exit status */
static int show_ready(struct watch *watch)
{
	struct uev_session *session = watch->capture.session;
	const struct uev_sample *record;
	int status = TOOL_OK;

	while (!status && !query_select_is_full(&watch->select) &&
	       uev_session_next(session, &record)) {
		show(watch, record);
		if (watch->output.text.size >= WRITE_AT)
			status = write_lines(watch);
	}

	return status ? status : write_lines(watch);
}

/* Return: an exit status */
static int read_events(struct watch *watch)
{
	int status;

	if (capture_read(&watch->capture, 0) < 0)
		return TOOL_FAILED;
	status = show_ready(watch);

	return status ? status
		      : show_losses(watch, capture_new_losses(&watch->capture));
}

/* Reads the buffers, and the records that were queued in memory before. */
static int drain(struct watch *watch)
{
	ssize_t ready;
	int status;

	do {
		ready = capture_read(&watch->capture, UEV_READ_DRAIN);
		status = ready < 0 ? TOOL_FAILED : show_ready(watch);
	} while (!status && ready && !query_select_is_full(&watch->select));

	return status;
}

/* Appends ", COUNT WHAT" unless @count is 0. */
static void add(char **line, uint64_t count, const char *what)
{
	char *before = *line;

	if (!count)
		return;
	*line = tool_print("%s, %" PRIu64 " %s", before, count, what);
	free(before);
}

/* Prints the summary. Return: an exit status */
static int print_summary(struct watch *watch)
{
	struct capture_totals totals;
	uint64_t known, unknown = 0;
	char *line;

	if (capture_totals(&watch->capture, &totals) ||
	    show_losses(watch, capture_last_losses(&watch->capture, &totals)))
		return TOOL_FAILED;
	known = totals.read + totals.lost + totals.corrupt;
	/* With a limit, the remaining events were not read on purpose. */
	if (totals.hits > known && !query_select_is_full(&watch->select))
		unknown = totals.hits - known;

	line = tool_print("%" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64
			  " lost",
			  watch->shown - watch->unwritten, watch->bytes,
			  totals.lost);
	add(&line, watch->filtered, "not selected");
	add(&line, watch->unwritten, "not written");
	add(&line, watch->bad + totals.corrupt, "bad");
	add(&line, unknown, "unaccounted for");
	tool_error("%s", line);
	free(line);

	return totals.lost || totals.corrupt || unknown || watch->bad ||
			       watch->unwritten
		       ? TOOL_INCOMPLETE
		       : TOOL_OK;
}

static int collect(struct watch *watch)
{
	struct capture *capture = &watch->capture;
	int status, missing, incomplete;

	status = capture_start(capture);
	show_titles(watch);
	while (!status && !query_select_is_full(&watch->select) &&
	       capture_wait(capture, 1000))
		status = read_events(watch);
	if (!status)
		status = capture_stop(capture);
	if (!status)
		status = drain(watch);
	if (status)
		return status;

	missing = capture_report_missing(capture);
	status = print_summary(watch);
	incomplete = capture_report_gaps(capture);
	if (!status)
		status = incomplete;
	incomplete = query_select_report(&watch->select);
	if (!status)
		status = incomplete;

	return missing ? missing : status;
}

static void release(struct watch *watch)
{
	capture_schemas_release(&watch->schemas);
	uev_output_release(&watch->output.text);
	uev_decoder_free(watch->decoder);
	query_select_release(&watch->select);
	query_columns_release(&watch->columns);
}

static int execute(struct watch *watch)
{
	struct capture_options *options = &watch->options;
	int status;

	if (!options->buffer_size)
		options->buffer_size = BUFFER_SIZE;
	/* JSON objects have no names of threads. */
	options->has_names = !watch->is_json || watch->has_columns ||
			     watch->select.comms.count ||
			     watch->select.expression;
	status = capture_open(&watch->capture, options);
	if (status)
		return status;

	if (options->stacks & UEV_SESSION_KERNEL_STACKS)
		kernel_symbols_check();
	uev_session_clock(watch->capture.session, &watch->clock);
	tool_need(uev_decoder_new(&watch->decoder));
	status = collect(watch);
	capture_close(&watch->capture);

	return status;
}

static int take_format(struct watch *watch, const char *name)
{
	static const struct {
		const char *name;
		enum query_style style;
	} styles[] = {
		{ "text", QUERY_STYLE_TEXT },
		{ "json", QUERY_STYLE_JSON },
		{ "csv", QUERY_STYLE_CSV },
		{ "logfmt", QUERY_STYLE_LOGFMT },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(styles); i++) {
		if (strcmp(styles[i].name, name) == 0) {
			watch->columns.style = styles[i].style;
			return TOOL_OK;
		}
	}

	return tool_usage(&command_watch, "--format: unknown format \"%s\"",
			  name);
}

static int take_option(void *data, int option, const char *argument)
{
	struct watch *watch = data;

	switch (option) {
	case 'j':
		return take_format(watch, "json");
	case 't':
		return take_format(watch, argument);
	case 'g':
		return capture_stacks_take(&watch->options, &command_watch,
					   argument);
	case 'F':
		return query_columns_take(&watch->columns, argument);
	case OPTION_TIME:
		if (record_time_parse(argument, &watch->text.time.form))
			return TOOL_OK;

		return tool_usage(&command_watch,
				  "--time: \"%s\" is not utc, local, clock, "
				  "relative or delta",
				  argument);
	default:
		return query_select_take(&watch->select, &command_watch, option,
					 argument);
	}
}

/* Return: an exit status */
static int set_output(struct watch *watch)
{
	enum query_style style = watch->columns.style;

	watch->is_json = style == QUERY_STYLE_JSON;
	watch->has_columns = watch->columns.fields.count ||
			     style == QUERY_STYLE_CSV ||
			     style == QUERY_STYLE_LOGFMT;
	watch->columns.time = watch->text.time;
	if (watch->has_columns && watch->options.stacks)
		return tool_usage(&command_watch,
				  "--stacks: not supported with --fields, csv "
				  "and logfmt");
	if (watch->has_columns)
		query_columns_complete(&watch->columns);
	else if (watch->is_json && watch->text.time.form != RECORD_TIME_UTC)
		return tool_usage(&command_watch,
				  "--time: --format=json supports utc only "
				  "without --fields");

	return TOOL_OK;
}

static int run(int argc, char **argv)
{
	static const struct option own[] = {
		{ "format", required_argument, NULL, 't' },
		{ "fields", required_argument, NULL, 'F' },
		{ "stacks", optional_argument, NULL, 'g' },
		{ "time", required_argument, NULL, OPTION_TIME },
		LONG_OPTION_JSON,
		LONG_OPTION_COLOR,
		{ 0 },
	};
	static struct watch watch = {
		.options = CAPTURE_OPTIONS_INIT,
		.output = { .fd = STDOUT_FILENO,
			    .stall_timeout_ms = STALL_TIMEOUT_MS },
		.text = { .has_colour = true },
		.select = QUERY_SELECT_INIT,
	};
	struct option *names = query_select_names(own);
	const struct tool_options options = {
		.letters = "jt:F:g::" SELECT_LETTERS,
		.names = names,
		.take = take_option,
		.data = &watch,
	};
	int status;

	watch.text.time.clock = &watch.clock;
	status = capture_parse(&command_watch, &options, argc, argv,
			       &watch.options);
	if (!status)
		status = set_output(&watch);
	if (!status)
		status = execute(&watch);
	release(&watch);
	capture_options_release(&watch.options);
	free(names);

	return status;
}

const struct tool_command command_watch = {
	.name = "watch",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...]",
	.summary = "Print events as they occur",
	.help = "EVENT is a name or a shell pattern (default: all events). SYSTEM is user_events\n"
		"by default. Events that appear later are printed, too. Ctrl-C stops.\n\n"
		"Options:\n" CAPTURE_HELP("512K") SELECT_HELP
	"  -t, --format FORMAT      print text, json (one object per line), csv or logfmt\n"
	"                           (default: text)\n"
	"  -j, --json               same as --format json\n"
	"  -F, --fields LIST        print these fields only, such as time,comm,path\n"
	"  -g, --stacks[=WHICH]     print the calls that lead to events: WHICH is user,\n"
	"                           kernel or both; not with --fields, csv and logfmt\n"
	"                           (default: user)\n"
	"      --time FORM          print times as utc or local dates, of the clock,\n"
	"                           relative to the first record, or as delta to the\n"
	"                           previous one (default: utc)\n"
	"      --color WHEN         use colors: auto, always or never (default: auto)\n"
	"  -h, --help               print this help\n",
	.run = run,
};
