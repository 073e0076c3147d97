// SPDX-License-Identifier: MIT
/* user-events export: gives records to programs that collect them. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>

#include "capture/signals.h"
#include "export/http_server.h"
#include "export/journal.h"
#include "export/metrics.h"
#include "export/otlp.h"
#include "export/otlp_options.h"
#include "sink/output_file.h"
#include "query/input.h"
#include "query/spans.h"
#include "tool.h"

#define DEFAULT_INTERVAL_MS 1000
#define SIGNAL_POLL_MS 100

/* Of a client of --prometheus; as long as that of Prometheus itself */
#define CLIENT_TIMEOUT_MS 10000

/*
 * struct export_state - State of the command
 * @address: argument of --prometheus, or NULL
 * @path: argument of --textfile, or NULL
 * @has_journal: --journal was given
 * @server: serves the text at @address
 * @text: memory of the text
 * @error: the last error of @path that was printed
 */
struct export_state {
	struct query_input input;
	struct query_reader reader;
	struct export_metrics metrics;
	const char *address;
	const char *path;
	bool has_journal;
	struct export_server *server;
	struct export_journal journal;
	struct export_otlp otlp;
	struct uev_output text;
	int error;
};

static void take(void *data, struct uev_decoder *decoder,
		 const struct format_record *record)
{
	struct export_state *export = data;

	export_metrics_take(&export->metrics, decoder, record);
	if (export->has_journal)
		export_journal_take(&export->journal, decoder, record);
	if (export->otlp.url)
		export_otlp_take(&export->otlp, decoder, record);
}

static void begin_span(void *data, struct uev_output *kept,
		       struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct export_state *export = data;

	export_otlp_begin(&export->otlp, kept, decoder, record);
}

static void end_span(void *data, struct query_text name, struct query_text kept,
		     uint64_t duration, const struct format_record *record)
{
	struct export_state *export = data;

	export_otlp_end(&export->otlp, name, kept, duration, record);
}

static void end_file(void *data)
{
	struct export_state *export = data;

	query_spans_end(&export->metrics.spans);
}

/* Return: 0 or -errno */
static int write_file(const struct export_state *export)
{
	struct output_file *file;
	int ret = output_file_open(&file, export->path);

	if (ret)
		return ret;
	output_file_write(file, export->text.text, export->text.size);

	return output_file_finish(file);
}

/* A reader of the file never sees a part. */
static void show(void *data)
{
	struct export_state *export = data;
	int ret = 0;

	if (export->otlp.url)
		export_otlp_flush(&export->otlp, export->reader.lost);
	export->text.size = 0;
	export_metrics_append(&export->metrics, export->reader.lost,
			      &export->text);
	if (export->server)
		export_server_set(export->server, &export->text);
	if (export->path)
		ret = write_file(export);
	if (ret && ret != export->error)
		tool_error_of(ret, "%s: cannot write", export->path);
	export->error = ret;
}

/* Return: an exit status */
static int open_server(struct export_state *export)
{
	int ret = export_server_new(&export->server, export->address,
				    CLIENT_TIMEOUT_MS);

	if (ret == -EINVAL)
		return tool_usage(&command_export,
				  "--prometheus: \"%s\" is not a target such "
				  "as 9464 or localhost:9464",
				  export->address);
	if (ret == -ENOENT) {
		tool_error("--prometheus: %s: unknown host", export->address);
		return TOOL_FAILED;
	}
	if (ret)
		return tool_error_of(ret, "--prometheus: %s: cannot serve",
				     export->address);
	tool_error("serving /metrics on port %u",
		   export_server_port(export->server));
	show(export);

	return TOOL_OK;
}

/* The numbers of files are served until a signal. */
static void serve_files(const struct export_state *export)
{
	if (!export->server || !export->input.files.count)
		return;
	capture_signals_catch();
	while (!capture_signals.stop_requests)
		poll(NULL, 0, SIGNAL_POLL_MS);
}

/* Return: an exit status */
static int open_journal(struct export_state *export)
{
	int ret = export_journal_open(&export->journal, EXPORT_JOURNAL_SOCKET);

	return ret ? tool_error_of(ret, "--journal: %s", EXPORT_JOURNAL_SOCKET)
		   : TOOL_OK;
}

/* Return: TOOL_OK, or TOOL_INCOMPLETE if records are missing in the journal */
static int report_journal(const struct export_state *export)
{
	const struct export_journal *journal = &export->journal;

	if (!export->has_journal)
		return TOOL_OK;
	tool_error("journal: %" PRIu64 " entries, %" PRIu64 " dropped, %" PRIu64
		   " without some of their fields",
		   journal->sent, journal->dropped, journal->cut);
	if (journal->last_error)
		tool_error_of(journal->last_error, "%s: last error",
			      EXPORT_JOURNAL_SOCKET);

	return journal->dropped || journal->cut ? TOOL_INCOMPLETE : TOOL_OK;
}

/* Return: as report_journal() */
static int report_otlp(const struct export_state *export)
{
	const struct export_batch *logs = &export->otlp.logs;
	const struct export_batch *spans = &export->otlp.spans;

	if (!export->otlp.url)
		return TOOL_OK;
	tool_error("%s: %" PRIu64 " records, %" PRIu64 " spans, %" PRIu64
		   " rejected, %" PRIu64 " not sent",
		   export->otlp.url, logs->sent, spans->sent,
		   logs->rejected + spans->rejected,
		   logs->dropped + spans->dropped);

	return logs->rejected || spans->rejected || logs->dropped ||
			       spans->dropped
		       ? TOOL_INCOMPLETE
		       : TOOL_OK;
}

/* Prints mistakes in options. Return: TOOL_OK or another status */
static int report_options(const struct export_state *export)
{
	const struct query_spans *spans = &export->metrics.spans;
	const struct query_select *select = &export->input.select;
	bool is_complete = export->input.files.count &&
			   !query_select_is_full(select);
	int status = query_spans_report(spans, select, is_complete);

	if (status)
		return status;
	if (export->error)
		return TOOL_FAILED;

	return spans->pairs.evicted || spans->skipped ? TOOL_INCOMPLETE
						      : TOOL_OK;
}

/* Return: as report_options(), or as the others */
static int report(const struct export_state *export)
{
	int options = report_options(export);
	int journal = report_journal(export);
	int otlp = report_otlp(export);

	if (options)
		return options;

	return journal ? journal : otlp;
}

static int execute(struct export_state *export)
{
	struct query_reader *reader = &export->reader;
	int status = TOOL_OK, mistakes;

	export_metrics_begin(&export->metrics);
	if (export->otlp.url) {
		export->metrics.begin = begin_span;
		export->metrics.end = end_span;
		export->metrics.data = export;
	}
	reader->take = take;
	reader->end_file = end_file;
	reader->show = show;
	reader->data = export;
	if (export->otlp.url)
		status = export_otlp_open(&export->otlp);
	if (!status && export->has_journal)
		status = open_journal(export);
	if (!status && export->address)
		status = open_server(export);
	if (!status)
		status = query_input_read(&export->input, reader);
	if (!reader->has_result)
		return status;
	show(export);
	serve_files(export);
	mistakes = report(export);

	return status ? status : mistakes;
}

enum {
	OPTION_PROMETHEUS = OPTION_FIRST,
	OPTION_BUCKETS,
	OPTION_TEXTFILE,
	OPTION_JOURNAL,
	OPTION_OTLP,
	OPTION_OTLP_HEADER,
};

static int take_otlp(struct export_state *export, const char *url)
{
	if (export_otlp_init(&export->otlp, url))
		return TOOL_OK;
	if (strncmp(url, "https:", strlen("https:")) == 0 &&
	    !export_client_has_tls()) {
		tool_error("--otlp: https: not supported by this program");
		tool_hint("build it with libcurl");
		return TOOL_USAGE;
	}

	return tool_usage(&command_export,
			  "--otlp: \"%s\" is not a URL such as "
			  "http://127.0.0.1:4318",
			  url);
}

static int take_option(void *data, int option, const char *argument)
{
	struct export_state *export = data;

	switch (option) {
	case OPTION_PROMETHEUS:
		export->address = argument;
		return TOOL_OK;
	case OPTION_BUCKETS:
		if (export_metrics_set_buckets(&export->metrics, argument))
			return TOOL_OK;
		return tool_usage(&command_export,
				  "--buckets: \"%s\" is not a list of up to %d "
				  "ascending times such as 0.5,1 or 100us,5ms",
				  argument, EXPORT_BUCKETS_MAX);
	case OPTION_TEXTFILE:
		export->path = argument;
		return TOOL_OK;
	case OPTION_JOURNAL:
		export->has_journal = true;
		return TOOL_OK;
	case OPTION_OTLP:
		return take_otlp(export, argument);
	case OPTION_OTLP_HEADER:
		if (otlp_header_add(&export->otlp.headers, argument,
				    strlen(argument)))
			return TOOL_OK;
		return tool_usage(&command_export,
				  "--otlp-header: not NAME=VALUE of a header");
	default:
		return query_spans_take_option(&export->metrics.spans, option,
					       argument);
	}
}

static int check_arguments(struct export_state *export)
{
	int status;

	if (!export->address && !export->path && !export->has_journal &&
	    !export->otlp.url)
		return tool_usage(&command_export,
				  "no destination given, such as "
				  "--prometheus=9464");
	if (export->metrics.limit_count && !export->address && !export->path)
		return tool_usage(&command_export,
				  "--buckets: requires --prometheus or "
				  "--textfile");
	if (export->input.is_json)
		return tool_usage(&command_export, "--json: not supported");
	status = query_spans_check(&export->metrics.spans, &command_export);
	if (status || !export->input.files.count)
		return status;

	return query_read_files_check(&command_export, &export->input.live,
				      &export->input.select);
}

static int run(int argc, char **argv)
{
	static const struct option names[] = {
		LONG_OPTION_START,
		LONG_OPTION_STOP,
		LONG_OPTION_KEY,
		{ "buckets", required_argument, NULL, OPTION_BUCKETS },
		{ "prometheus", required_argument, NULL, OPTION_PROMETHEUS },
		{ "textfile", required_argument, NULL, OPTION_TEXTFILE },
		{ "journal", no_argument, NULL, OPTION_JOURNAL },
		{ "otlp", required_argument, NULL, OPTION_OTLP },
		{ "otlp-header", required_argument, NULL, OPTION_OTLP_HEADER },
		{ 0 },
	};
	struct export_state export = { .input = QUERY_INPUT_INIT };
	int status;

	export.input.interval = DEFAULT_INTERVAL_MS;
	status = query_input_parse(&export.input, &command_export, names,
				   take_option, &export, argc, argv);
	if (!status)
		status = check_arguments(&export);
	if (!status)
		status = execute(&export);
	export_server_free(export.server);
	export_journal_close(&export.journal);
	export_otlp_release(&export.otlp);
	export_metrics_release(&export.metrics);
	query_input_release(&export.input);
	uev_output_release(&export.text);

	return status;
}

const struct tool_command command_export = {
	.name = "export",
	.arguments = "[OPTION...] [[SYSTEM:]EVENT...] [-- COMMAND...]",
	.summary = "Give records and latencies to other systems",
	.help = "Counts records by event, and pairs starts and stops as \"user-events latency\".\n"
		"With COMMAND, export its events until it exits, and exit with its status.\n"
		"Otherwise export until Ctrl-C, or read files, and serve their numbers until\n"
		"Ctrl-C.\n\n"
		"Options:\n"
		"      --prometheus TARGET  serve /metrics by HTTP at TARGET: HOST:PORT, or PORT\n"
		"                           of 127.0.0.1\n"
		"      --textfile FILE      write the same to FILE, which is replaced as a whole;\n"
		"                           - is standard output\n"
		"      --buckets TIME[,...] with these, count latencies up to these times, such\n"
		"                           as 0.5,1,5 or 100us,5ms (default: 1us,2us,5us and\n"
		"                           so on to 100s)\n"
		"      --journal            send each record to the journal of systemd\n"
		"      --otlp URL           send records and spans to a collector of\n"
		"                           OpenTelemetry, such as http://127.0.0.1:4318\n"
		"      --otlp-header NAME=VALUE\n"
		"                           with --otlp, add a header to requests\n"
		"  -r, --read FILE          read perf.data or trace.dat; can be repeated\n" SPANS_HELP
			CAPTURE_HELP(
				"512K") "  -a, --all                with COMMAND, export other processes, too\n"
					"  -i, --interval TIME      update the numbers every TIME, such as 0.5 or 500ms\n"
					"                           (default: 1)\n" SELECT_HELP
					"  -h, --help               print this help\n",
	.run = run,
};
