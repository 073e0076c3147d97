/* SPDX-License-Identifier: MIT */
/* user-events: distribution of numbers in bounded memory. */
#ifndef USER_EVENTS_QUERY_HISTOGRAM_H
#define USER_EVENTS_QUERY_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum number of buckets; later numbers go to the nearest one. */
#define QUERY_BUCKETS_MAX 4096

struct query_bucket {
	uint32_t key;
	uint64_t count;
};

/*
 * struct query_histogram - A distribution; initialized to zeros, released with
 * query_histogram_release()
 * @count: number of numbers
 * @sum, @min, @max: exact
 * @has_fractions: a number was no integer
 * @buckets: ordered; the width of a bucket is 1/64 of its power of two
 */
struct query_histogram {
	uint64_t count;
	double sum;
	double min;
	double max;
	bool has_fractions;
	struct query_bucket *buckets;
	size_t bucket_count;
};

/* query_histogram_add() - Adds a number, which is not a NaN */
void query_histogram_add(struct query_histogram *histogram, double number);

/*
 * query_histogram_percentile() - Gets a percentile
 * @percent: 0 to 100
 * Return: the number, with an error of at most 1/64; 0 without numbers
 */
double query_histogram_percentile(const struct query_histogram *histogram,
				  double percent);

/* Number of powers of two of nanoseconds */
#define QUERY_POWERS 63

/*
 * query_histogram_power() - Counts the numbers from 2 to the power of @exponent
 * up to, but without, the next power; with 0, also those from 0
 */
uint64_t query_histogram_power(const struct query_histogram *histogram,
			       unsigned int exponent);

void query_histogram_release(struct query_histogram *histogram);

#endif
