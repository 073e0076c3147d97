/* SPDX-License-Identifier: MIT */
/*
 * user-events export: records, spans and metrics for OpenTelemetry, in batches of
 * OTLP by HTTP.
 */
#ifndef USER_EVENTS_EXPORT_OTLP_H
#define USER_EVENTS_EXPORT_OTLP_H

#include <stdint.h>

#include "export/metrics.h"
#include "export/otlp_send.h"
#include "formats/format.h"
#include "formats/loss.h"
#include "pipe/pipe.h"
#include "tool.h"

/*
 * export_otlp_init() - Sets the collector
 * @url: as for export_client_init(), without /v1/logs
 * Return: as export_client_init()
 */
int export_otlp_init(struct export_otlp *otlp, const char *url);

/* The options of a struct export_otlp */
extern const struct tool_option export_otlp_rows[];

/*
 * export_otlp_add() - Connects to the collector, and adds a sink, if there is a URL
 * @metrics: pairs starts and stops, once for metrics and for spans
 *
 * Applies @headers, and the variables of OpenTelemetry. Records, spans and metrics
 * are sent at ticks.
 *
 * Return: an exit status; an error is printed
 */
int export_otlp_add(struct export_otlp *otlp, struct export_metrics *metrics,
		    struct pipe *pipe);

/*
 * export_otlp_take() - Adds a record, as a function of the sink
 * @data: a struct export_otlp, also of the next functions
 * @decoder: any decoder
 *
 * A record of the exporters of OpenTelemetry is the log, the span or the metrics
 * that it has; any other, and an invalid one of these, is a log of its fields.
 *
 * Sends a full batch. Waits until the collector accepts or rejects it, as
 * export_otlp_send().
 *
 * Return: 0, or an error of uev_decoder_next(); then the part before it is sent
 */
int export_otlp_take(void *data, struct uev_decoder *decoder,
		     const struct format_record *record);

/*
 * export_otlp_begin() - Appends what is kept of the start of a span
 * export_otlp_end() - Adds a span
 * @name: the event of the start
 * @kept: of the start
 * @duration: nanoseconds
 * @record: the stop
 */
void export_otlp_begin(void *data, struct uev_output *kept,
		       struct uev_decoder *decoder,
		       const struct format_record *record);
void export_otlp_end(void *data, struct query_text name, struct query_text kept,
		     uint64_t duration, const struct format_record *record);

/* export_otlp_loss() - Adds lost records as a record */
void export_otlp_loss(void *data, const struct format_loss *loss);

/* export_otlp_flush() - Sends what was added */
void export_otlp_flush(struct export_otlp *otlp);

void export_otlp_release(struct export_otlp *otlp);

#endif
