// SPDX-License-Identifier: MIT
/* user-events export: the sink that sends to a collector of OpenTelemetry. */
#include <errno.h>
#include <inttypes.h>

#include "export/otlp.h"
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

	if (otlp_header_add(&sent->headers, argument->text))
		return TOOL_OK;

	return tool_usage(argument->command,
			  "--otlp-header: not NAME=VALUE of a header");
}

const struct tool_option export_otlp_rows[] = {
	{ "otlp", 0, "URL",
	  "send records, spans and metrics to a collector of OpenTelemetry, such as http://127.0.0.1:4318",
	  SET_WITH(take_url, NULL) },
	{ "otlp-header", 0, "NAME=VALUE",
	  "with --otlp, add a header to requests",
	  SET_WITH(take_header, NULL) },
	{ 0 },
};

/* Before the records, so that the numbers are not older than these. */
static void send_metrics(struct export_otlp *otlp)
{
	struct export_module *module = otlp->module;
	uint64_t sum;

	if (!module || !export_module_read(module))
		return;
	sum = export_module_sum(module);
	if (sum == otlp->module_sum &&
	    module->now - otlp->module_time < METRICS_INTERVAL_NS)
		return;
	otlp->module_sum = sum;
	otlp->module_time = module->now;
	otlp->value.size = 0;
	export_module_append_otlp(module, &otlp->value);
	export_otlp_send_metrics(otlp, &otlp->value);
}

static void send(void *data)
{
	struct export_otlp *otlp = data;

	send_metrics(otlp);
	export_otlp_flush(otlp);
}

/* Return: TOOL_OK, or TOOL_INCOMPLETE if the collector has not taken all */
static int finish(void *data)
{
	const struct export_otlp *otlp = data;
	const struct export_batch *logs = &otlp->logs;
	const struct export_batch *spans = &otlp->spans;
	const struct export_batch *metrics = &otlp->metrics;
	uint64_t rejected, dropped;

	send(data);
	rejected = logs->rejected + spans->rejected + metrics->rejected;
	dropped = logs->dropped + spans->dropped + metrics->dropped;
	if (otlp->invalid)
		tool_error("%s: %" PRIu64
			   " records of OpenTelemetry are not valid, and were "
			   "sent like others",
			   otlp->url, otlp->invalid);
	tool_error("%s: %" PRIu64 " records, %" PRIu64 " spans, %" PRIu64
		   " data points, %" PRIu64 " rejected, %" PRIu64 " not sent",
		   otlp->url, logs->sent, spans->sent, metrics->sent, rejected,
		   dropped);

	return rejected || dropped ? TOOL_INCOMPLETE : TOOL_OK;
}

static const struct sink_ops ops = {
	.record = export_otlp_take,
	.loss = export_otlp_loss,
	.tick = send,
	.finish = finish,
};

int export_otlp_add(struct export_otlp *otlp, struct export_metrics *metrics,
		    struct pipe *pipe)
{
	int status;

	if (!otlp->url)
		return TOOL_OK;
	status = otlp_options_read(&otlp->client);
	if (status)
		return status;
	tool_append(&otlp->client.headers, otlp->headers.text,
		    otlp->headers.size);
	metrics->begin = export_otlp_begin;
	metrics->end = export_otlp_end;
	metrics->data = otlp;
	otlp->sink.ops = &ops;
	otlp->sink.data = otlp;
	pipe_add(pipe, &otlp->sink);

	return TOOL_OK;
}
