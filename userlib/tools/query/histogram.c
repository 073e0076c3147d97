// SPDX-License-Identifier: MIT
#include "query/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* Bits of a double that a key leaves out: 6 of 52 of the fraction are used. */
#define SHIFT 46
#define SIGN (UINT64_C(1) << 63)

/* Returns a key that has the order of the numbers. */
static uint32_t key_of(double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	bits = bits & SIGN ? ~bits : bits | SIGN;

	return (uint32_t)(bits >> SHIFT);
}

/* Returns the smallest number with a key. */
static double number_of(uint32_t key)
{
	uint64_t bits = (uint64_t)key << SHIFT;
	double number;

	bits = bits & SIGN ? bits ^ SIGN : ~bits;
	memcpy(&number, &bits, sizeof(number));

	return number;
}

/* Returns the index of the first bucket that is not before @key. */
static size_t find_bucket(const struct query_histogram *histogram, uint32_t key)
{
	size_t first = 0, last = histogram->bucket_count, middle;

	while (first < last) {
		middle = (first + last) / 2;
		if (histogram->buckets[middle].key < key)
			first = middle + 1;
		else
			last = middle;
	}

	return first;
}

static void insert_bucket(struct query_histogram *histogram, size_t at,
			  uint32_t key)
{
	struct query_bucket *bucket;

	histogram->buckets = tool_room(
		histogram->buckets, histogram->bucket_count, sizeof(*bucket));
	bucket = &histogram->buckets[at];
	memmove(bucket + 1, bucket,
		(histogram->bucket_count - at) * sizeof(*bucket));
	*bucket = (struct query_bucket){ .key = key };
	histogram->bucket_count++;
}

void query_histogram_add(struct query_histogram *histogram, double number)
{
	/* Zero has one key. */
	uint32_t key = key_of(number == 0 ? 0 : number);
	size_t at = find_bucket(histogram, key);
	bool is_new = at == histogram->bucket_count ||
		      histogram->buckets[at].key != key;

	if (is_new && histogram->bucket_count < QUERY_BUCKETS_MAX)
		insert_bucket(histogram, at, key);
	else if (at == histogram->bucket_count)
		at--;
	histogram->buckets[at].count++;
	if (!histogram->count || number < histogram->min)
		histogram->min = number;
	if (!histogram->count || number > histogram->max)
		histogram->max = number;
	histogram->has_fractions |= number != trunc(number);
	histogram->sum += number;
	histogram->count++;
}

/* A percentile of integers is one. */
static double clamp(const struct query_histogram *histogram, double number)
{
	if (!histogram->has_fractions)
		number = trunc(number);
	if (number < histogram->min)
		return histogram->min;

	return number > histogram->max ? histogram->max : number;
}

double query_histogram_percentile(const struct query_histogram *histogram,
				  double percent)
{
	double rank = percent / 100 * (double)histogram->count;
	const struct query_bucket *bucket;
	uint64_t before = 0;
	size_t i;

	for (i = 0; i < histogram->bucket_count; i++) {
		bucket = &histogram->buckets[i];
		before += bucket->count;
		if ((double)before < rank)
			continue;
		/* The last bucket ends with the maximum. */
		if (before == histogram->count)
			return rank > (double)(before - 1)
				       ? histogram->max
				       : clamp(histogram,
					       number_of(bucket->key));

		return clamp(histogram, (number_of(bucket->key) +
					 number_of(bucket->key + 1)) /
						2);
	}

	return 0;
}

uint64_t query_histogram_power(const struct query_histogram *histogram,
			       unsigned int exponent)
{
	double from = exponent ? ldexp(1, (int)exponent) : 0;
	size_t i = find_bucket(histogram, key_of(from));
	uint32_t end = key_of(ldexp(1, (int)exponent + 1));
	uint64_t count = 0;

	for (; i < histogram->bucket_count && histogram->buckets[i].key < end;
	     i++)
		count += histogram->buckets[i].count;

	return count;
}

void query_histogram_release(struct query_histogram *histogram)
{
	free(histogram->buckets);
	*histogram = (struct query_histogram){ 0 };
}
