// SPDX-License-Identifier: MIT
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
#include "tool.h"

/* Bytes that trigger a write, and the timeout of a stalled reader. */
#define WRITE_AT 32768
#define STALL_TIMEOUT_MS 10000

/* The limit of locked memory of an unprivileged process. */
#define BUFFER_SIZE (512 * 1024)

/*
 * struct watch - State of the output
 * @level: maximum level of EventHeader events
 * @limit: maximum number of events; UINT64_MAX: unlimited
 * @shown: number of lines made of records
 * @unwritten: number of these that could not be written
 * @filtered: number of records of other levels
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
	unsigned int level;
	uint64_t limit;
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
static int append_json(struct watch *watch, const struct uev_sample *record,
		       const struct uev_schema *schema)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_json_sample sample = UEV_JSON_SAMPLE_INIT;
	int ret;

	options.flags = UEV_JSON_COMPACT | UEV_JSON_PARTIAL;
	sample.flags = UEV_SAMPLE_WALL_TIME | UEV_SAMPLE_CPU | UEV_SAMPLE_PID |
		       UEV_SAMPLE_TID;
	sample.time = uev_clock_wall(&watch->clock, record->time);
	sample.cpu = record->cpu;
	sample.pid = (int32_t)record->pid;
	sample.tid = (int32_t)record->tid;

	/* The next call returns an error of the start again. */
	uev_decoder_start(watch->decoder, schema, record->raw,
			  record->raw_size);
	ret = uev_decoder_append_json(watch->decoder, &options, &sample,
				      &watch->output.text);
	tool_need(ret);
	if (ret == -E2BIG)
		append(watch, "{\"error\":{\"reason\":\"record too long\"}}");

	return ret;
}

/* Return: as append_json() */
static int append_text(struct watch *watch, const struct uev_sample *record,
		       const struct uev_schema *schema)
{
	const char *name =
		capture_comm(&watch->names, watch->capture.session, record);

	return record_text_append(&watch->text, &watch->output.text,
				  watch->decoder, schema, record, name);
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

static void show(struct watch *watch, const struct uev_sample *record)
{
	const struct capture_schema *schema =
		capture_schema(&watch->schemas, record->source);
	int ret;

	if (schema->level > watch->level) {
		watch->filtered++;
		return;
	}
	ret = watch->is_json ? append_json(watch, record, schema->schema)
			     : append_text(watch, record, schema->schema);
	append(watch, "\n");
	watch->shown++;
	watch->bytes += record->raw_size;
	watch->bad += ret != 0;
}

/* Prints the ready records. Return: an exit status */
static int show_ready(struct watch *watch)
{
	struct uev_session *session = watch->capture.session;
	const struct uev_sample *record;
	int status = TOOL_OK;

	while (!status && watch->shown < watch->limit &&
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
	} while (!status && ready && watch->shown < watch->limit);

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
	if (totals.hits > known && watch->shown < watch->limit)
		unknown = totals.hits - known;

	line = tool_print("%" PRIu64 " events, %" PRIu64 " bytes, %" PRIu64
			  " lost",
			  watch->shown - watch->unwritten, watch->bytes,
			  totals.lost);
	add(&line, watch->filtered, "filtered by level");
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
	while (!status && watch->shown < watch->limit &&
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

	return missing ? missing : status;
}

static void release(struct watch *watch)
{
	capture_schemas_release(&watch->schemas);
	uev_output_release(&watch->output.text);
	record_text_release(&watch->text);
	uev_decoder_free(watch->decoder);
}

static int execute(struct watch *watch)
{
	struct capture_options *options = &watch->options;
	int status;

	if (!options->buffer_size)
		options->buffer_size = BUFFER_SIZE;
	/* JSON objects have no names of threads. */
	options->has_names = !watch->is_json;
	status = capture_open(&watch->capture, options);
	if (status)
		return status;

	uev_session_clock(watch->capture.session, &watch->clock);
	(void)uev_decoder_new(&watch->decoder);
	if (!watch->decoder) {
		tool_error("out of memory");
		status = TOOL_FAILED;
	}
	if (!status)
		status = collect(watch);
	capture_close(&watch->capture);

	return status;
}

static int take_option(void *data, int option, const char *argument)
{
	struct watch *watch = data;
	uint64_t number;

	switch (option) {
	case 'n':
		if (!tool_number(argument, 1, UINT64_MAX - 1, &watch->limit))
			return tool_usage(&command_watch,
					  "--count: \"%s\" is not a number "
					  "of events",
					  argument);
		return TOOL_OK;
	case 'l':
		if (!tool_number(argument, 1, UINT8_MAX, &number))
			return tool_usage(&command_watch,
					  "--level: \"%s\" is not a level "
					  "from 1 to 255",
					  argument);
		watch->level = (unsigned int)number;
		return TOOL_OK;
	default:
		watch->is_json = true;
		return TOOL_OK;
	}
}

static int run(int argc, char **argv)
{
	static const struct option names[] = {
		{ "count", required_argument, NULL, 'n' },
		{ "level", required_argument, NULL, 'l' },
		LONG_OPTION_JSON,
		LONG_OPTION_COLOR,
		{ 0 },
	};
	static struct watch watch = {
		.options = CAPTURE_OPTIONS_INIT,
		.output = { .fd = STDOUT_FILENO,
			    .stall_timeout_ms = STALL_TIMEOUT_MS },
		.text = { .has_colour = true },
		.level = UINT8_MAX,
		.limit = UINT64_MAX,
	};
	const struct tool_options options = {
		.letters = "n:l:j",
		.names = names,
		.take = take_option,
		.data = &watch,
	};
	int status;

	watch.text.clock = &watch.clock;
	status = capture_parse(&command_watch, &options, argc, argv,
			       &watch.options);
	if (!status)
		status = execute(&watch);
	release(&watch);
	capture_options_release(&watch.options);

	return status;
}

const struct tool_command command_watch = {
	.name = "watch",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...]",
	.summary = "Print events as they occur",
	.help = "EVENT is a name or a shell pattern (default: all events). SYSTEM is user_events\n"
		"by default. Events that appear later are printed, too. Ctrl-C stops.\n\n"
		"Options:\n" CAPTURE_HELP(
			"512K") "  -l, --level LEVEL        print EventHeader events up to LEVEL, 1 to 255\n"
				"                           (default: 255)\n"
				"  -n, --count N            exit after N events\n"
				"  -j, --json               print one JSON object per line\n"
				"      --color WHEN         use colors: auto, always or never (default: auto)\n"
				"  -h, --help               print this help\n",
	.run = run,
};
