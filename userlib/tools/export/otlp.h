/* SPDX-License-Identifier: MIT */
/*
 * user-events export: records and spans for OpenTelemetry, in batches of OTLP
 * with JSON by HTTP.
 */
#ifndef USER_EVENTS_EXPORT_OTLP_H
#define USER_EVENTS_EXPORT_OTLP_H

#include <stdbool.h>
#include <stdint.h>

#include "export/http_client.h"
#include "export/message.h"
#include "formats/format.h"
#include "query/fields.h"
#include "query/pairs.h"

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

/*
 * export_otlp_init() - Sets the collector
 * @url: as for export_client_init(), without /v1/logs
 * Return: whether it is valid
 */
bool export_otlp_init(struct export_otlp *otlp, const char *url);

/*
 * export_otlp_open() - Applies @headers, and the variables of OpenTelemetry
 * Return: an exit status; mistakes are printed
 */
int export_otlp_open(struct export_otlp *otlp);

/*
 * export_otlp_take() - Adds a record; @decoder is any decoder
 *
 * Sends a full batch. Waits until the collector accepts or rejects it; after a
 * stop signal, for some seconds.
 */
void export_otlp_take(struct export_otlp *otlp, struct uev_decoder *decoder,
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

/*
 * export_otlp_flush() - Sends what was added
 * @lost: number of lost records so far; new ones become a record
 */
void export_otlp_flush(struct export_otlp *otlp, uint64_t lost);

void export_otlp_release(struct export_otlp *otlp);

#endif
