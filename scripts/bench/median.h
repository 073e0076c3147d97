/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cost of a function, and the sizes of the records that benchmarks write.
 */
#ifndef SCRIPTS_BENCH_MEDIAN_H
#define SCRIPTS_BENCH_MEDIAN_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/*
 * A result is the median of batches, so it does not include interrupts, nor,
 * for small records, that a page of the trace buffer is full.
 */
#define BATCHES 101
#define BATCH 16

#define SIZES 13
#define RECORD_SIZE_MAX 8000

static const size_t record_sizes[SIZES] = {
	0,
	8,
	24,
	64,
	128,
	256,
	512,
	1000,
	2000,
	3000,
	4000,
	6000,
	RECORD_SIZE_MAX,
};

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);

	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return (*left > *right) - (*left < *right);
}

static uint64_t median_batch(void (*run)(void))
{
	uint64_t batches[BATCHES], start;
	unsigned int i, j;

	for (i = 0; i < BATCHES; i++) {
		start = now();
		for (j = 0; j < BATCH; j++)
			run();
		batches[i] = now() - start;
	}
	qsort(batches, BATCHES, sizeof(*batches), compare);

	return batches[BATCHES / 2];
}

static void do_nothing(void)
{
	__asm__ volatile("");
}

/* Returns the nanoseconds of one call, without those of the loop. */
static inline uint64_t median_cost(void (*run)(void))
{
	uint64_t loop = median_batch(do_nothing);

	return (median_batch(run) - loop) / BATCH;
}

#endif
