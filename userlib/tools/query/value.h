/* SPDX-License-Identifier: MIT */
/* user-events: comparisons of decoded values, as their types require. */
#ifndef USER_EVENTS_QUERY_VALUE_H
#define USER_EVENTS_QUERY_VALUE_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/decode.h>

enum query_operator {
	QUERY_EQUAL = 0,
	QUERY_NOT_EQUAL,
	QUERY_LESS,
	QUERY_LESS_EQUAL,
	QUERY_GREATER,
	QUERY_GREATER_EQUAL,
	QUERY_MATCH, /* ~: the right one is a shell pattern for the text */
	QUERY_NOT_MATCH,
	QUERY_MASK, /* &: both have a bit that is set */
};

enum query_result {
	QUERY_FALSE = 0,
	QUERY_TRUE = 1,
	QUERY_MISMATCH = 2, /* the types cannot be compared */
};

/*
 * struct query_scratch - Memory of comparisons; initialized to zeros, released
 * with query_scratch_release()
 */
struct query_scratch {
	struct uev_output left;
	struct uev_output right;
};

/*
 * query_compare() - Compares two values
 *
 * Numbers are compared by their value, whatever their sign and size, a float of
 * 4 bytes with a number that is rounded to one; -0 is 0, and NaN differs from
 * all numbers. Texts are compared by their characters; an address or a UUID
 * with the text of one; an error with a number or its name; a time with a
 * number of seconds or a date. Null is equal to null only.
 */
enum query_result query_compare(enum query_operator op,
				const struct uev_decoded_value *left,
				const struct uev_decoded_value *right,
				struct query_scratch *scratch);

/* Tests whether a value is a number other than 0, true, or not empty. */
bool query_is_true(const struct uev_decoded_value *value);

/*
 * query_number() - Gets a number
 * Return: false if the value is not one
 */
bool query_number(const struct uev_decoded_value *value, double *number);

void query_scratch_release(struct query_scratch *scratch);

#endif
