/* SPDX-License-Identifier: MIT */
/* user-events: records by the values of fields. */
#ifndef USER_EVENTS_QUERY_AGGREGATE_H
#define USER_EVENTS_QUERY_AGGREGATE_H

#include <stdbool.h>
#include <stdint.h>

#include "query/fields.h"
#include "query/groups.h"
#include "query/read.h"

/*
 * struct query_aggregate - Counters by field; initialized to zeros, released
 * with query_aggregate_release()
 * @by: the fields
 * @value: a field with a number; none: records are only counted
 * @is_json: the output is JSON
 * @reader: reads the records; set up by query_aggregate_begin()
 * @missing: records without a field of @by
 * @not_numbers: counted records without a number in @value
 * @text: memory of a name
 */
struct query_aggregate {
	struct query_fields by;
	struct query_fields value;
	bool is_json;
	struct query_reader reader;
	struct query_groups groups;
	uint64_t missing;
	uint64_t not_numbers;
	struct uev_output text;
};

/* query_aggregate_begin() - Sets the functions of @reader */
void query_aggregate_begin(struct query_aggregate *aggregate);

/* query_aggregate_show() - Prints the counters */
void query_aggregate_show(struct query_aggregate *aggregate);

/*
 * query_aggregate_report() - Prints the number of records without the fields
 * Return: TOOL_OK; TOOL_INCOMPLETE if there are any; TOOL_NOT_FOUND if no
 *         record had them
 */
int query_aggregate_report(const struct query_aggregate *aggregate);

void query_aggregate_release(struct query_aggregate *aggregate);

#endif
