/* SPDX-License-Identifier: MIT */
/* user-events: records by the values of fields. */
#ifndef USER_EVENTS_SINK_AGGREGATE_H
#define USER_EVENTS_SINK_AGGREGATE_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/pipe.h"
#include "query/fields.h"
#include "query/groups.h"

/*
 * struct sink_aggregate - Counters by field; initialized to zeros, released
 * with sink_aggregate_release()
 * @by: the fields
 * @value: a field with a number; none: records are only counted
 * @is_json: the output is JSON
 * @pipe: gives the records
 * @missing: records without a field of @by
 * @not_numbers: counted records without a number in @value
 * @text: memory of a name
 */
struct sink_aggregate {
	struct query_fields by;
	struct query_fields value;
	bool is_json;
	const struct pipe *pipe;
	struct query_groups groups;
	uint64_t missing;
	uint64_t not_numbers;
	struct uev_output text;
};

/*
 * Prints the counters at ticks and at the end; its data is a struct
 * sink_aggregate.
 */
extern const struct sink_ops sink_aggregate;

void sink_aggregate_release(struct sink_aggregate *aggregate);

#endif
