/* SPDX-License-Identifier: MIT */
/*
 * user-events export: records, spans and metrics for OpenTelemetry, in batches of
 * OTLP by HTTP.
 */
#ifndef USER_EVENTS_EXPORT_OTLP_H
#define USER_EVENTS_EXPORT_OTLP_H

#include <stdint.h>

#include "export/otlp_state.h"
#include "formats/format.h"
#include "formats/loss.h"
#include "query/pairs.h"

/*
 * export_otlp_init() - Sets the collector
 * @url: as for export_client_init(), without /v1/logs
 * Return: as export_client_init()
 */
int export_otlp_init(struct export_otlp *otlp, const char *url);

/*
 * export_otlp_open() - Applies @headers, and the variables of OpenTelemetry
 * Return: an exit status; mistakes are printed
 */
int export_otlp_open(struct export_otlp *otlp);

/*
 * export_otlp_take() - Adds a record; @decoder is any decoder
 *
 * A record of the exporters of OpenTelemetry is the log, the span or the metrics
 * that it has; any other, and an invalid one of these, is a log of its fields.
 *
 * Sends a full batch. Waits until the collector accepts or rejects it, as
 * export_otlp_send().
 *
 * Return: 0, or an error of uev_decoder_next(); then the part before it is sent
 */
int export_otlp_take(struct export_otlp *otlp, struct uev_decoder *decoder,
		     const struct format_record *record);

/*
 * export_otlp_begin() - Appends what is kept of the start of a span
 * export_otlp_end() - Adds a span
 * @name: the event of the start
 * @kept: of the start
 * @duration: nanoseconds
 * @record: the stop
 */
void export_otlp_begin(struct export_otlp *otlp, struct uev_output *kept,
		       struct uev_decoder *decoder,
		       const struct format_record *record);
void export_otlp_end(struct export_otlp *otlp, struct query_text name,
		     struct query_text kept, uint64_t duration,
		     const struct format_record *record);

/* export_otlp_loss() - Adds lost records as a record */
void export_otlp_loss(struct export_otlp *otlp, const struct format_loss *loss);

/* export_otlp_flush() - Sends what was added */
void export_otlp_flush(struct export_otlp *otlp);

void export_otlp_release(struct export_otlp *otlp);

#endif
