// SPDX-License-Identifier: MIT
#include "sink/prometheus.h"

#include <errno.h>
#include <poll.h>

#include "capture/signals.h"
#include "sink/output_file.h"
#include "tool.h"

#define SIGNAL_POLL_MS 100

/* As long as that of Prometheus itself */
#define CLIENT_TIMEOUT_MS 10000

int sink_prometheus_take_buckets(struct sink_prometheus *prometheus,
				 const struct tool_command *command,
				 const char *list)
{
	if (export_metrics_set_buckets(&prometheus->metrics, list))
		return TOOL_OK;

	return tool_usage(command,
			  "--buckets: \"%s\" is not a list of up to %d "
			  "ascending times such as 0.5,1 or 100us,5ms",
			  list, EXPORT_BUCKETS_MAX);
}

int sink_prometheus_check(const struct sink_prometheus *prometheus,
			  const struct tool_command *command)
{
	const char *option = prometheus->metrics.limit_count	? "buckets"
			     : prometheus->counters.names.count ? "counters"
								: NULL;

	if (!option || prometheus->address || prometheus->path)
		return query_spans_check(&prometheus->metrics.spans, command);

	return tool_usage(command, "--%s: requires --prometheus or --textfile",
			  option);
}

/* Return: 0 or -errno */
static int write_file(const struct sink_prometheus *prometheus)
{
	struct output_file *file;
	int ret = output_file_open(&file, prometheus->path);

	if (ret)
		return ret;
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

int sink_prometheus_open(struct sink_prometheus *prometheus,
			 const struct tool_command *command)
{
	int ret = export_counters_open(&prometheus->counters);

	if (ret || !prometheus->address)
		return ret;
	ret = export_server_new(&prometheus->server, prometheus->address,
				CLIENT_TIMEOUT_MS);
	if (ret)
		return report_server(command, prometheus->address, ret);
	tool_error("serving /metrics on port %u",
		   export_server_port(prometheus->server));
	show(prometheus);

	return TOOL_OK;
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_prometheus *prometheus = data;

	export_metrics_take(&prometheus->metrics, decoder, record);

	return 0;
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
	const struct query_select *select = prometheus->pipe->select;
	bool is_complete = !prometheus->pipe->source->is_live &&
			   !query_select_is_full(select);
	int status = query_spans_report(spans, select, is_complete);

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

const struct sink_ops sink_prometheus = {
	.record = take_record,
	.loss = take_loss,
	.tick = show,
	.end_part = end_part,
	.finish = finish,
};

void sink_prometheus_release(struct sink_prometheus *prometheus)
{
	export_server_free(prometheus->server);
	export_metrics_release(&prometheus->metrics);
	export_counters_release(&prometheus->counters);
	uev_output_release(&prometheus->text);
}
