/* SPDX-License-Identifier: MIT */
/* user-events export: batches of records, spans or metrics to a collector. */
#ifndef USER_EVENTS_EXPORT_OTLP_SEND_H
#define USER_EVENTS_EXPORT_OTLP_SEND_H

#include "export/otlp_state.h"

/* Append attributes of a resource: of this program, and of this machine */
void export_otlp_put_service(struct uev_output *to);
void export_otlp_put_host(struct uev_output *to);

/*
 * export_otlp_body() - Returns the message of a batch of @otlp: JSON, or of
 * metrics Protobuf
 */
const struct uev_output *export_otlp_body(struct export_otlp *otlp,
					  const struct export_batch *batch);

/*
 * export_otlp_send() - Sends and empties a batch of @otlp
 *
 * Repeats it until the collector accepts or rejects it; after a stop signal or the
 * end of the capture, for some seconds.
 */
void export_otlp_send(struct export_otlp *otlp, struct export_batch *batch);

void export_otlp_release_batch(struct export_batch *batch);

/*
 * export_otlp_send_metrics() - Sends metrics in the same way, unless the collector
 * has rejected some
 * @items: their JSON, separated by commas
 */
void export_otlp_send_metrics(struct export_otlp *otlp,
			      const struct uev_output *items);

#endif
