/* SPDX-License-Identifier: MIT */
/*
 * user-events export: a collector of OpenTelemetry, and batches of records, spans
 * or metrics that are sent to it.
 */
#ifndef USER_EVENTS_EXPORT_OTLP_SEND_H
#define USER_EVENTS_EXPORT_OTLP_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include "export/common_schema.h"
#include "export/http_client.h"
#include "export/module.h"
#include "pipe/sink.h"
#include "query/fields.h"
#include "query/names.h"

/* A batch is sent when it has this number of records or spans, or of bytes. */
#define EXPORT_BATCH_MAX 512
#define EXPORT_BATCH_BYTES ((size_t)1 << 20)

/* Number of activities whose spans have different IDs; a prime */
#define EXPORT_ACTIVITIES 1021

/* Between records or spans. A string of JSON has no tab. */
#define EXPORT_SEPARATOR ",\t"

/*
 * struct export_group - Records or spans of one resource and one scope
 * @items: their JSON
 * @tail: JSON that follows the list of them: the scope and the resource
 */
struct export_group {
	struct uev_output items;
	struct uev_output tail;
};

/*
 * struct export_batch - Records, spans or data points
 * @items: JSON of those of this program's resource; of data points, messages in
 *        Protobuf
 * @groups: those of other resources, @group_count of them
 * @group_bytes: of all groups
 * @count: number of all of them
 * @sent: number of accepted ones
 * @rejected: number of those that the collector did not accept
 * @dropped: number of those that no collector received: the program ended before,
 *        or another server answered
 */
struct export_batch {
	struct uev_output items;
	struct export_group *groups;
	size_t group_count;
	size_t group_bytes;
	uint64_t count;
	uint64_t sent;
	uint64_t rejected;
	uint64_t dropped;
};

/*
 * struct export_otlp - A collector; initialized to zeros, released with
 * export_otlp_release()
 * @url: as given; NULL: there is none
 * @module: counters of the module; NULL: none; set by the command
 * @module_sum: of the counters that were sent last, at @module_time, in ns
 * @sink: in the pipe
 * @invalid: number of records that start like those of the exporters of
 *        OpenTelemetry, but were sent like any other record
 * @activities: hashes of those that had a span lately
 * @repeated: number of spans whose activity had one
 * @give_up: end of the attempts after that of the capture; 0: none
 * @has_ended: no further attempts
 * @refuses_metrics: the collector takes none, which was printed
 * @told: last message of the collector that was printed, or NULL
 * @failure: status of the last request if it failed, which was printed, or 0
 * @headers: of --otlp-header, added to those of @client
 * @message, @body, @compressed, @value, @attributes, @compound, @tail, @names,
 *        @schema: memory
 */
struct export_otlp {
	const char *url;
	struct export_module *module;
	uint64_t module_sum;
	uint64_t module_time;
	struct sink sink;
	struct export_client client;
	struct export_batch logs;
	struct export_batch spans;
	struct export_batch metrics;
	uint64_t invalid;
	uint64_t activities[EXPORT_ACTIVITIES];
	uint64_t repeated;
	uint64_t give_up;
	bool has_ended;
	bool refuses_metrics;
	char *told;
	int failure;
	struct uev_output message;
	struct uev_output headers;
	struct uev_output body;
	struct uev_output compressed;
	struct uev_output value;
	struct uev_output attributes;
	struct query_compound compound;
	struct uev_output tail;
	struct query_names names;
	struct common_schema schema;
};

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
