/* SPDX-License-Identifier: MIT */
/* user-events export: records and spans for a collector of OpenTelemetry. */
#ifndef USER_EVENTS_SINK_OTLP_H
#define USER_EVENTS_SINK_OTLP_H

#include "export/module.h"
#include "export/otlp.h"
#include "pipe/sink.h"
#include "tool.h"

/*
 * struct sink_otlp - A collector; @otlp is set and released by the command
 * @module: counters of the module; NULL: none; set by the command
 * @module_sum: of the counters that were sent last, at @module_time, in ns
 * @text: memory, released by the command
 *
 * Spans are those of a struct export_metrics, whose functions sink_otlp_begin()
 * and sink_otlp_end() are.
 */
struct sink_otlp {
	struct export_otlp otlp;
	struct export_module *module;
	uint64_t module_sum;
	uint64_t module_time;
	struct uev_output text;
};

/*
 * sink_otlp_take_url() - Sets the collector; sink_otlp_take_header() - adds a
 * header of requests
 * Return: TOOL_OK; TOOL_USAGE, and the error is printed
 */
int sink_otlp_take_url(struct sink_otlp *sink,
		       const struct tool_command *command, const char *url);
int sink_otlp_take_header(struct sink_otlp *sink,
			  const struct tool_command *command,
			  const char *header);

/* Functions of struct export_metrics; @data is a struct sink_otlp */
void sink_otlp_begin(void *data, struct uev_output *kept,
		     struct uev_decoder *decoder,
		     const struct format_record *record);
void sink_otlp_end(void *data, struct query_text name, struct query_text kept,
		   uint64_t duration, const struct format_record *record);

/* Sends records, spans and metrics at ticks; its data is a struct sink_otlp. */
extern const struct sink_ops sink_otlp;

void sink_otlp_release(struct sink_otlp *sink);

#endif
