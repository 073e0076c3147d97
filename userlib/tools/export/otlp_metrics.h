/* SPDX-License-Identifier: MIT */
/*
 * user-events export: metrics of the exporters of OpenTelemetry.
 *
 * They write a message of OTLP, ExportMetricsServiceRequest in Protobuf, as a
 * record of the event "otlp_metrics". Several messages are one message if they
 * follow each other.
 */
#ifndef USER_EVENTS_EXPORT_OTLP_METRICS_H
#define USER_EVENTS_EXPORT_OTLP_METRICS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/record.h"
#include "query/pairs.h"

/*
 * otlp_metrics_find() - Finds the message of a record
 * @decoder: any decoder; it is started with the record
 * @message: set to its bytes, in the record
 * Return: whether the record is one of the event
 */
bool otlp_metrics_find(struct uev_decoder *decoder,
		       const struct format_record *record,
		       struct query_text *message);

/*
 * otlp_metrics_count() - Counts the data points of a message
 *
 * Tests the message down to its data points, whose content the collector tests. A
 * message without data points is valid only if all that it has is known.
 *
 * Return: whether it is valid
 */
bool otlp_metrics_count(struct query_text message, uint64_t *points);

#endif
