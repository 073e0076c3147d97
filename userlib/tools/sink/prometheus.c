// SPDX-License-Identifier: MIT
#include "sink/prometheus.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "capture/signals.h"
#include "formats/format.h"
#include "pipe/output_file.h"
#include "tool.h"

#define SIGNAL_POLL_MS 100

/* As long as that of Prometheus itself */
#define CLIENT_TIMEOUT_MS 10000

static int take_buckets(void *metrics, const struct tool_argument *argument)
{
	if (export_metrics_set_buckets(metrics, argument->text))
		return TOOL_OK;

	return tool_invalid(argument,
			    "a list of up to %d ascending times such as "
			    "0.5,1 or 100us,5ms",
			    EXPORT_BUCKETS_MAX);
}

/* Prometheus rejects the series of a name that is given twice. */
static int take_counter(void *names, const struct tool_argument *argument)
{
	const struct query_list *list = names;
	size_t i;

	for (i = 0; i < list->count; i++)
		if (strcmp(list->texts[i], argument->text) == 0)
			return TOOL_OK;

	return query_take_text(names, argument);
}

const struct tool_option sink_prometheus_rows[] = {
	{ "prometheus", 0, "TARGET",
	  "serve /metrics by HTTP at TARGET: HOST:PORT, or PORT of 127.0.0.1",
	  SET_TEXT(struct sink_prometheus, address, NULL) },
	{ "textfile", 0, "FILE",
	  "write the same to FILE, which is replaced as a whole; - is standard output",
	  SET_TEXT(struct sink_prometheus, path, "@file") },
	{ "buckets", 0, "TIME[,...]",
	  "with these, count latencies up to these times, such as 0.5,1,5 or 100us,5ms (default: 1us,2us,5us and so on to 100s)",
	  SET_BY(struct sink_prometheus, metrics, take_buckets, NULL) },
	{ "counters", 0, "NAME",
	  "with these, also give a counter of user-events count; can be repeated. Without EVENT, COMMAND and other destinations, no records are read",
	  SET_BY(struct sink_prometheus, counters.names, take_counter, NULL) },
	{ 0 },
};

int sink_prometheus_check(const struct sink_prometheus *prometheus,
			  const struct tool_command *command, bool has_spans)
{
	const struct query_spans *spans = &prometheus->metrics.spans;
	const char *option = prometheus->metrics.limit_count	? "buckets"
			     : prometheus->counters.names.count ? "counters"
								: NULL;

	if (prometheus->address || prometheus->path)
		return query_spans_check(spans, command);
	if (option)
		return tool_usage(command,
				  "--%s: requires --prometheus or --textfile",
				  option);
	if (!has_spans && spans->start)
		return tool_usage(command, "--start: requires --prometheus, "
					   "--textfile or --otlp");

	return query_spans_check(spans, command);
}

/* Return: 0 or -errno */
static int write_file(const struct sink_prometheus *prometheus)
{
	struct output_file *file;
	int ret = output_file_open(&file, prometheus->path, NULL);

	if (ret)
		return ret;
	output_file_wait_for_reader(file);
	output_file_write(file, prometheus->text.text, prometheus->text.size);

	return output_file_finish(file);
}

/* A reader of the file never sees a part. */
static void show(void *data)
{
	struct sink_prometheus *prometheus = data;
	int ret = 0;

	prometheus->text.size = 0;
	export_metrics_append(&prometheus->metrics, prometheus->pipe->lost,
			      &prometheus->text);
	if (prometheus->module && export_module_read(prometheus->module))
		export_module_append(prometheus->module, &prometheus->text);
	export_counters_append(&prometheus->counters, &prometheus->text);
	if (prometheus->server)
		export_server_set(prometheus->server, &prometheus->text);
	if (prometheus->path)
		ret = write_file(prometheus);
	if (ret && ret != prometheus->error)
		tool_error_of(ret, "%s: cannot write", prometheus->path);
	prometheus->error = ret;
}

/* Return: an exit status */
static int report_server(const struct tool_command *command,
			 const char *address, int error)
{
	if (error == -EINVAL)
		return tool_usage(command,
				  "--prometheus: \"%s\" is not a target such "
				  "as 9464 or localhost:9464",
				  address);
	if (error == -ENOENT) {
		tool_error("--prometheus: %s: unknown host", address);
		return TOOL_FAILED;
	}

	return tool_error_of(error, "--prometheus: %s: cannot serve", address);
}

static int open_server(struct sink_prometheus *prometheus,
		       const struct tool_command *command)
{
	int ret = export_server_new(&prometheus->server, prometheus->address,
				    CLIENT_TIMEOUT_MS);

	if (ret)
		return report_server(command, prometheus->address, ret);
	show(prometheus);

	return TOOL_OK;
}

/* Says so when there are numbers, after errors of the first source. */
static void begin_part(void *data, const char *name)
{
	const struct sink_prometheus *prometheus = data;

	(void)name;
	if (prometheus->server && !prometheus->pipe->has_result)
		tool_error("serving /metrics on port %u",
			   export_server_port(prometheus->server));
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_prometheus *prometheus = data;

	export_metrics_take(&prometheus->metrics, decoder, record);

	/* Other sinks of the command read records to their end. */
	return prometheus->is_only ? format_check(decoder, record) : 0;
}

static void take_loss(void *data, const struct format_loss *loss)
{
	struct sink_prometheus *prometheus = data;

	export_metrics_loss(&prometheus->metrics, loss);
}

static void end_part(void *data)
{
	struct sink_prometheus *prometheus = data;

	query_spans_end(&prometheus->metrics.spans);
}

/* The numbers of files are served until a signal. */
static void serve_files(const struct sink_prometheus *prometheus)
{
	if (!prometheus->server || prometheus->pipe->source->is_live)
		return;
	capture_signals_catch();
	while (!capture_signals.stop_requests)
		poll(NULL, 0, SIGNAL_POLL_MS);
}

/* Prints mistakes in options. Return: TOOL_OK or another status */
static int report(const struct sink_prometheus *prometheus)
{
	const struct query_spans *spans = &prometheus->metrics.spans;
	const struct pipe *pipe = prometheus->pipe;
	int status =
		query_spans_report(spans, pipe->select, pipe->source->is_live);

	if (status)
		return status;
	if (prometheus->error)
		return TOOL_FAILED;
	if (prometheus->counters.status)
		return prometheus->counters.status;

	return spans->pairs.evicted || spans->skipped ? TOOL_INCOMPLETE
						      : TOOL_OK;
}

static int finish(void *data)
{
	struct sink_prometheus *prometheus = data;

	show(prometheus);
	serve_files(prometheus);

	return report(prometheus);
}

static const struct sink_ops ops = {
	.begin_part = begin_part,
	.record = take_record,
	.loss = take_loss,
	.tick = show,
	.end_part = end_part,
	.finish = finish,
};

int sink_prometheus_add(struct sink_prometheus *prometheus,
			const struct tool_command *command, struct pipe *pipe)
{
	int status = export_counters_open(&prometheus->counters);

	prometheus->pipe = pipe;
	prometheus->is_only = !pipe->sinks;
	if (!status && prometheus->address)
		status = open_server(prometheus, command);
	if (status)
		return status;
	prometheus->sink.ops = &ops;
	prometheus->sink.data = prometheus;
	pipe_add(pipe, &prometheus->sink);

	return TOOL_OK;
}

void sink_prometheus_release(struct sink_prometheus *prometheus)
{
	export_server_free(prometheus->server);
	export_metrics_release(&prometheus->metrics);
	export_counters_release(&prometheus->counters);
	uev_output_release(&prometheus->text);
}
