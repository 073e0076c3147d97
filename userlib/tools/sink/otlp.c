// SPDX-License-Identifier: MIT
#include "sink/otlp.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "export/otlp_options.h"
#include "export/otlp_send.h"

/* Metrics that do not change are sent again after that time. */
#define METRICS_INTERVAL_NS UINT64_C(60000000000)

static int take_url(void *otlp, const struct tool_argument *argument)
{
	int ret = export_otlp_init(otlp, argument->text);

	if (!ret)
		return TOOL_OK;
	if (ret == -EPROTONOSUPPORT) {
		tool_error("--otlp: not supported by this program");
		tool_hint("build it with libcurl");
		return TOOL_USAGE;
	}

	return tool_invalid(argument, "a URL such as http://127.0.0.1:4318");
}

static int take_header(void *otlp, const struct tool_argument *argument)
{
	struct export_otlp *sent = otlp;
	const char *header = argument->text;

	if (otlp_header_add(&sent->headers, header, strlen(header)))
		return TOOL_OK;

	return tool_usage(argument->command,
			  "--otlp-header: not NAME=VALUE of a header");
}

const struct tool_option sink_otlp_rows[] = {
	{ "otlp", 0, "URL",
	  "send records, spans and metrics to a collector of OpenTelemetry, such as http://127.0.0.1:4318",
	  SET_BY(struct sink_otlp, otlp, take_url, NULL) },
	{ "otlp-header", 0, "NAME=VALUE",
	  "with --otlp, add a header to requests",
	  SET_BY(struct sink_otlp, otlp, take_header, NULL) },
	{ 0 },
};

static void begin_span(void *data, struct uev_output *kept,
		       struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_otlp *sink = data;

	export_otlp_begin(&sink->otlp, kept, decoder, record);
}

static void end_span(void *data, struct query_text name, struct query_text kept,
		     uint64_t duration, const struct format_record *record)
{
	struct sink_otlp *sink = data;

	export_otlp_end(&sink->otlp, name, kept, duration, record);
}

static int take_record(void *data, struct uev_decoder *decoder,
		       const struct format_record *record)
{
	struct sink_otlp *sink = data;

	return export_otlp_take(&sink->otlp, decoder, record);
}

static void take_loss(void *data, const struct format_loss *loss)
{
	struct sink_otlp *sink = data;

	export_otlp_loss(&sink->otlp, loss);
}

/* Before the records, so that the numbers are not older than these. */
static void send_metrics(struct sink_otlp *sink)
{
	struct export_module *module = sink->module;
	uint64_t sum;

	if (!module || !export_module_read(module))
		return;
	sum = export_module_sum(module);
	if (sum == sink->module_sum &&
	    module->now - sink->module_time < METRICS_INTERVAL_NS)
		return;
	sink->module_sum = sum;
	sink->module_time = module->now;
	sink->text.size = 0;
	export_module_append_otlp(module, &sink->text);
	export_otlp_send_metrics(&sink->otlp, &sink->text);
}

static void send(void *data)
{
	struct sink_otlp *sink = data;

	send_metrics(sink);
	export_otlp_flush(&sink->otlp);
}

/* Return: TOOL_OK, or TOOL_INCOMPLETE if the collector has not taken all */
static int finish(void *data)
{
	const struct sink_otlp *sink = data;
	const struct export_batch *logs = &sink->otlp.logs;
	const struct export_batch *spans = &sink->otlp.spans;
	const struct export_batch *metrics = &sink->otlp.metrics;
	uint64_t rejected, dropped;

	send(data);
	rejected = logs->rejected + spans->rejected + metrics->rejected;
	dropped = logs->dropped + spans->dropped + metrics->dropped;
	if (sink->otlp.invalid)
		tool_error("%s: %" PRIu64
			   " records of OpenTelemetry are not valid, and were "
			   "sent like others",
			   sink->otlp.url, sink->otlp.invalid);
	tool_error("%s: %" PRIu64 " records, %" PRIu64 " spans, %" PRIu64
		   " data points, %" PRIu64 " rejected, %" PRIu64 " not sent",
		   sink->otlp.url, logs->sent, spans->sent, metrics->sent,
		   rejected, dropped);

	return rejected || dropped ? TOOL_INCOMPLETE : TOOL_OK;
}

static const struct sink_ops ops = {
	.record = take_record,
	.loss = take_loss,
	.tick = send,
	.finish = finish,
};

int sink_otlp_add(struct sink_otlp *sink, struct export_metrics *metrics,
		  struct pipe *pipe)
{
	int status;

	if (!sink->otlp.url)
		return TOOL_OK;
	status = export_otlp_open(&sink->otlp);
	if (status)
		return status;
	metrics->begin = begin_span;
	metrics->end = end_span;
	metrics->data = sink;
	sink->sink.ops = &ops;
	sink->sink.data = sink;
	pipe_add(pipe, &sink->sink);

	return TOOL_OK;
}

void sink_otlp_release(struct sink_otlp *sink)
{
	export_otlp_release(&sink->otlp);
	uev_output_release(&sink->text);
}
