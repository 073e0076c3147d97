/* SPDX-License-Identifier: MIT */
/* user-events export: the state of a collector of OpenTelemetry. */
#ifndef USER_EVENTS_EXPORT_OTLP_STATE_H
#define USER_EVENTS_EXPORT_OTLP_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "export/http_client.h"
#include "export/message.h"
#include "query/fields.h"

/* A batch is sent when it has this number of records or spans, or of bytes. */
#define EXPORT_BATCH_MAX 512
#define EXPORT_BATCH_BYTES ((size_t)1 << 20)

/*
 * struct export_batch - Records or spans
 * @items: their JSON, @count of them
 * @sent: number of accepted ones
 * @rejected: number of those that the collector did not accept
 * @dropped: number of those that no collector received: the program ended before,
 *        or another server answered
 */
struct export_batch {
	struct uev_output items;
	uint64_t count;
	uint64_t sent;
	uint64_t rejected;
	uint64_t dropped;
};

/*
 * struct export_otlp - A collector; initialized to zeros, released with
 * export_otlp_release()
 * @url: as given; NULL: there is none
 * @lost: number of lost records that were sent
 * @give_up: end of the attempts after a stop signal; 0: none
 * @has_ended: no further attempts
 * @told: last message of the collector that was printed, or NULL
 * @failure: status of the last request if it failed, which was printed, or 0
 * @headers: of --otlp-header, added to those of @client
 * @message, @body, @compressed, @value, @attributes, @compound: memory
 */
struct export_otlp {
	const char *url;
	struct export_client client;
	struct export_batch logs;
	struct export_batch spans;
	uint64_t lost;
	uint64_t give_up;
	bool has_ended;
	char *told;
	int failure;
	struct export_message message;
	struct uev_output headers;
	struct uev_output body;
	struct uev_output compressed;
	struct uev_output value;
	struct uev_output attributes;
	struct query_compound compound;
};

#endif
