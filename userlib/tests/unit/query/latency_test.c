// SPDX-License-Identifier: MIT
/* Percentiles, groups and pairs, all in bounded memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/decode_help.h"
#include "lib/runner.h"
#include "lib/work.h"
#include "query/groups.h"
#include "query/histogram.h"
#include "query/pairs.h"

static bool is_near(double number, double wanted)
{
	double size = wanted < 0 ? -wanted : wanted;

	return number >= wanted - size / 64 && number <= wanted + size / 64;
}

TEST(percentiles)
{
	struct query_histogram histogram = { 0 };
	unsigned int i;

	ck_assert(query_histogram_percentile(&histogram, 50) == 0);
	/* In an order that needs insertions at all places. */
	for (i = 0; i < 10000; i++)
		query_histogram_add(&histogram, 1 + i * 7919 % 10000);
	ck_assert_uint_eq(histogram.count, 10000);
	ck_assert(histogram.min == 1 && histogram.max == 10000);
	ck_assert(histogram.sum == 50005000);
	ck_assert(is_near(query_histogram_percentile(&histogram, 50), 5000));
	ck_assert(is_near(query_histogram_percentile(&histogram, 90), 9000));
	ck_assert(is_near(query_histogram_percentile(&histogram, 99), 9900));
	ck_assert(query_histogram_percentile(&histogram, 100) == 10000);
	ck_assert_uint_eq(query_histogram_power(&histogram, 0), 1);
	ck_assert_uint_eq(query_histogram_power(&histogram, 10), 1024);
	ck_assert_uint_eq(query_histogram_power(&histogram, 13), 1809);
	query_histogram_release(&histogram);
}

TEST(negative_numbers_and_zero)
{
	static const double numbers[] = { 5, -3, 0, -0.0, -1000, 0.25 };
	struct query_histogram histogram = { 0 };
	size_t i;

	for (i = 0; i < COUNT(numbers); i++)
		query_histogram_add(&histogram, numbers[i]);
	ck_assert(histogram.min == -1000 && histogram.max == 5);
	ck_assert(is_near(query_histogram_percentile(&histogram, 30), -3));
	ck_assert(query_histogram_percentile(&histogram, 0) == -1000);
	query_histogram_release(&histogram);
	for (i = 1; i < COUNT(numbers) - 1; i++)
		query_histogram_add(&histogram, numbers[i]);
	/* Integers have integers. */
	ck_assert(query_histogram_percentile(&histogram, 50) == -3);
	query_histogram_add(&histogram, 0.25);
	query_histogram_add(&histogram, 5);
	/* Both zeros are one number. */
	ck_assert_uint_eq(histogram.bucket_count, 5);
	query_histogram_release(&histogram);
}

/* Numbers of all sizes, as a hostile program can write them. */
TEST(a_histogram_is_bounded)
{
	struct query_histogram histogram = { 0 };
	double number = 1e-300;
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < 3 * QUERY_BUCKETS_MAX; i++) {
		query_histogram_add(&histogram, number);
		number *= 1.05;
	}
	ck_assert_uint_eq(histogram.bucket_count, QUERY_BUCKETS_MAX);
	for (i = 0; i < histogram.bucket_count; i++)
		sum += histogram.buckets[i].count;
	ck_assert_uint_eq(sum, 3 * QUERY_BUCKETS_MAX);
	ck_assert(query_histogram_percentile(&histogram, 100) == histogram.max);
	query_histogram_release(&histogram);
}

TEST(groups_are_bounded)
{
	struct query_groups groups = { .limit = 2 };
	static const char long_name[QUERY_GROUP_NAME_MAX + 1];

	query_groups_get(&groups, "a", 1)->count += 1;
	query_groups_get(&groups, "b", 1)->count += 3;
	query_groups_get(&groups, "c", 1)->count += 5;
	query_groups_get(&groups, "a", 1)->count += 1;
	query_groups_get(&groups, long_name, sizeof(long_name))->count += 1;
	query_groups_sort(&groups);
	ck_assert_uint_eq(groups.count, 2);
	ck_assert_str_eq(groups.groups[0]->name, "b");
	ck_assert_uint_eq(groups.groups[0]->count, 3);
	ck_assert_uint_eq(groups.groups[1]->count, 2);
	ck_assert_uint_eq(groups.other.count, 6);
	query_groups_release(&groups);
}

static void start(struct query_pairs *pairs, const char *key, uint64_t time)
{
	const struct query_text text = { key, strlen(key) };

	query_pairs_start(pairs, text, text, time);
}

/* Return: the duration; -1 without a start */
static int64_t stop(struct query_pairs *pairs, const char *key, uint64_t time)
{
	const struct query_text text = { key, strlen(key) };
	struct query_text name;
	uint64_t duration;

	if (!query_pairs_stop(pairs, text, time, &name, &duration))
		return -1;
	ck_assert_uint_eq(name.size, text.size);
	ck_assert_mem_eq(name.text, key, name.size);

	return (int64_t)duration;
}

TEST(stops_find_their_start)
{
	struct query_pairs pairs = { 0 };

	ck_assert_int_eq(stop(&pairs, "a", 5), -1);
	start(&pairs, "a", 10);
	start(&pairs, "b", 11);
	start(&pairs, "a", 12);
	/* The last start of a key ends first. */
	ck_assert_int_eq(stop(&pairs, "a", 20), 8);
	ck_assert_int_eq(stop(&pairs, "a", 30), 20);
	ck_assert_int_eq(stop(&pairs, "a", 31), -1);
	ck_assert_int_eq(stop(&pairs, "b", 11), 0);
	/* A start after its stop is of another pair. */
	start(&pairs, "", 40);
	ck_assert_int_eq(stop(&pairs, "", 39), -1);
	ck_assert_uint_eq(pairs.matched, 3);
	ck_assert_uint_eq(pairs.unmatched, 3);
	ck_assert_uint_eq(query_pairs_clear(&pairs), 1);
	query_pairs_release(&pairs);
}

TEST(oldest_starts_are_evicted)
{
	struct query_pairs pairs = { .limit = 2 };
	static char key[QUERY_PAIRS_BYTES_MAX / 2];

	start(&pairs, "a", 1);
	start(&pairs, "b", 2);
	start(&pairs, "c", 3);
	ck_assert_uint_eq(pairs.evicted, 1);
	ck_assert_int_eq(stop(&pairs, "a", 9), -1);
	ck_assert_int_eq(stop(&pairs, "b", 9), 7);
	ck_assert_int_eq(stop(&pairs, "c", 9), 6);
	/* Key and name together exceed the limit with the second one. */
	memset(key, 'x', sizeof(key) - 1);
	start(&pairs, key, 1);
	ck_assert_uint_eq(pairs.waiting, 1);
	start(&pairs, "a", 2);
	start(&pairs, "b", 3);
	ck_assert_uint_eq(pairs.evicted, 2);
	ck_assert_uint_eq(pairs.waiting, 2);
	query_pairs_release(&pairs);
}

/* Far more basic blocks than a start takes. */
#define WORK_PER_START 1000

/* A program can start more activities than it stops. */
TEST(starts_of_one_key_take_constant_work)
{
	struct query_pairs pairs = { 0 };
	uint64_t before = work_count(), starts = 2 * QUERY_PAIRS_MAX, i;

	for (i = 0; i < starts; i++)
		start(&pairs, "a", i);
	ck_assert_uint_eq(pairs.waiting, QUERY_PAIRS_MAX);
	ck_assert_uint_eq(pairs.evicted, QUERY_PAIRS_MAX);
	ck_assert_int_eq(stop(&pairs, "a", starts), 1);
	ck_assert_uint_eq(query_pairs_clear(&pairs), QUERY_PAIRS_MAX - 1);
	ck_assert_uint_gt(work_count() - before, starts);
	ck_assert_uint_le(work_count() - before, starts * WORK_PER_START);
	/* No start is found after that. */
	ck_assert_int_eq(stop(&pairs, "a", starts), -1);
	start(&pairs, "a", 1);
	ck_assert_int_eq(stop(&pairs, "a", 3), 2);
	query_pairs_release(&pairs);
}

/* Every choice of one of two texts at each place is a key with one FNV-1a. */
#define PLACES 14
static uint32_t choices[PLACES][2];

static uint32_t fnv(uint32_t hash, uint32_t word)
{
	int i;

	for (i = 0; i < 4; i++, word >>= 8)
		hash = (hash ^ (word & 0xff)) * 0x01000193U;

	return hash;
}

/* Return: the FNV-1a after two texts with the same one */
static uint32_t find_collision(uint32_t hash, uint32_t words[2])
{
	const size_t room = (size_t)1 << 20;
	uint32_t *seen = calloc(room, sizeof(*seen)), word, after, *slot;

	ck_assert_ptr_nonnull(seen);
	/* Odd, so that all words occur, with different bytes. */
	for (word = 0x9e3779b1U;; word += 0x9e3779b1U) {
		after = fnv(hash, word);
		slot = &seen[after % room];
		if (*slot && fnv(hash, *slot) == after)
			break;
		*slot = word;
	}
	words[0] = *slot;
	words[1] = word;
	free(seen);

	return after;
}

TEST(keys_cannot_be_chosen_to_collide)
{
	struct query_pairs pairs = { 0 };
	uint32_t hash = 0x811c9dc5U, key[PLACES];
	const struct query_text text = { (char *)key, sizeof(key) };
	uint64_t before, keys = 1U << PLACES, i, duration;
	struct query_text name;
	size_t place;

	for (place = 0; place < PLACES; place++)
		hash = find_collision(hash, choices[place]);
	before = work_count();
	for (i = 0; i < 2 * keys; i++) {
		for (place = 0; place < PLACES; place++)
			key[place] = choices[place][i >> place & 1];
		if (i < keys)
			query_pairs_start(&pairs, text, text, i);
		else
			ck_assert(query_pairs_stop(&pairs, text, i, &name,
						   &duration));
	}
	ck_assert_uint_eq(pairs.matched, keys);
	ck_assert_uint_gt(work_count() - before, keys);
	ck_assert_uint_le(work_count() - before, keys * WORK_PER_START);
	query_pairs_release(&pairs);
}
