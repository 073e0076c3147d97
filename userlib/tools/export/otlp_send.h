/* SPDX-License-Identifier: MIT */
/* user-events export: batches of records or spans to a collector. */
#ifndef USER_EVENTS_EXPORT_OTLP_SEND_H
#define USER_EVENTS_EXPORT_OTLP_SEND_H

#include <stdbool.h>

#include "export/otlp_state.h"

/*
 * export_otlp_send() - Sends and empties the batch of records, or that of spans
 *
 * Repeats it until the collector accepts or rejects it; after a stop signal, for
 * some seconds.
 */
void export_otlp_send(struct export_otlp *otlp, bool is_logs);

#endif
