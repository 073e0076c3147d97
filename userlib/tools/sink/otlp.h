/* SPDX-License-Identifier: MIT */
/* user-events export: records and spans for a collector of OpenTelemetry. */
#ifndef USER_EVENTS_SINK_OTLP_H
#define USER_EVENTS_SINK_OTLP_H

#include "export/metrics.h"
#include "export/module.h"
#include "export/otlp.h"
#include "pipe/pipe.h"
#include "tool.h"

/*
 * struct sink_otlp - A collector; released with sink_otlp_release()
 * @otlp: options are set by the command
 * @module: counters of the module; NULL: none; set by the command
 * @sink: in the pipe
 * @module_sum: of the counters that were sent last, at @module_time, in ns
 * @text: memory
 */
struct sink_otlp {
	struct export_otlp otlp;
	struct export_module *module;
	struct sink sink;
	uint64_t module_sum;
	uint64_t module_time;
	struct uev_output text;
};

/* The options of a struct sink_otlp */
extern const struct tool_option sink_otlp_rows[];

/*
 * sink_otlp_add() - Connects to the collector, and adds the sink, if there is a URL
 * @metrics: pairs starts and stops, once for metrics and for spans
 *
 * Records, spans and metrics are sent at ticks.
 *
 * Return: an exit status; an error is printed
 */
int sink_otlp_add(struct sink_otlp *sink, struct export_metrics *metrics,
		  struct pipe *pipe);

void sink_otlp_release(struct sink_otlp *sink);

#endif
