/* SPDX-License-Identifier: MIT */
/* user-events latency: distributions of times between starts and stops. */
#ifndef USER_EVENTS_SINK_LATENCY_H
#define USER_EVENTS_SINK_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/pipe.h"
#include "query/fields.h"
#include "query/groups.h"
#include "query/spans.h"

/*
 * struct sink_latency - Latencies by name; initialized to zeros, released with
 * sink_latency_release()
 * @spans: what is measured; options are set by the command
 * @by: fields that separate the results; none: the name of the start
 * @is_json: the output is JSON
 * @pipe: gives the records
 * @groups: the latencies
 * @unnamed: starts without a field of @by
 */
struct sink_latency {
	struct query_spans spans;
	struct query_fields by;
	bool is_json;
	const struct pipe *pipe;
	struct query_groups groups;
	uint64_t unnamed;
};

/*
 * Prints the latencies at ticks and at the end; its data is a struct
 * sink_latency.
 */
extern const struct sink_ops sink_latency;

void sink_latency_release(struct sink_latency *latency);

#endif
