/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The time that a function takes in several threads at once, and its
 * distribution, on a machine whose clock is real.
 */
#ifndef SCRIPTS_BENCH_TIMES_H
#define SCRIPTS_BENCH_TIMES_H

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "median.h"

#define TIME_THREADS_MAX 1024

/* Duration of each of the two parts of a measurement, in milliseconds */
#define TIME_MS 250
#define TIME_MS_MAX 60000

/* Each power of two has this many buckets, so that a result is right to 3 %. */
#define TIME_STEPS 32
#define TIME_BUCKETS (TIME_STEPS * 40)

/**
 * struct times - what a thread has measured
 * @per_call: nanoseconds of a call, without reading the clock in between
 * @buckets: number of calls by their time
 * @count: number of calls in @buckets
 * @max: time of the slowest of these
 */
struct times {
	double per_call;
	uint64_t buckets[TIME_BUCKETS];
	uint64_t count;
	uint64_t max;
};

static void (*timed_function)(void);
static pthread_barrier_t timed_barrier;
static uint64_t timed_ns = TIME_MS * 1000000ULL;

/* Nanoseconds between two readings of the clock */
static uint64_t clock_cost_ns;

static unsigned int time_bucket(uint64_t time)
{
	unsigned int shift = 0;

	while (time >> shift >= 2 * TIME_STEPS)
		shift++;

	return shift * TIME_STEPS + (unsigned int)(time >> shift);
}

/* Returns the least time of a bucket. */
static uint64_t time_of_bucket(unsigned int bucket)
{
	unsigned int shift = bucket / TIME_STEPS;

	if (shift)
		shift--;

	return (uint64_t)(bucket - shift * TIME_STEPS) << shift;
}

static void add_time(struct times *times, uint64_t time)
{
	unsigned int bucket;

	time -= time < clock_cost_ns ? time : clock_cost_ns;
	bucket = time_bucket(time);
	times->buckets[bucket < TIME_BUCKETS ? bucket : TIME_BUCKETS - 1]++;
	times->count++;
	if (time > times->max)
		times->max = time;
}

static void *time_thread(void *data)
{
	struct times *times = data;
	uint64_t start, time, calls = 0;
	unsigned int i;

	timed_function();
	pthread_barrier_wait(&timed_barrier);
	start = now();
	do {
		for (i = 0; i < BATCH; i++)
			timed_function();
		calls += BATCH;
		time = now();
	} while (time - start < timed_ns);
	times->per_call = (double)(time - start) / (double)calls;

	pthread_barrier_wait(&timed_barrier);
	start = now();
	do {
		time = now();
		timed_function();
		add_time(times, now() - time);
	} while (time - start < timed_ns);

	return NULL;
}

static void merge_times(struct times *sum, const struct times *times)
{
	unsigned int i;

	for (i = 0; i < TIME_BUCKETS; i++)
		sum->buckets[i] += times->buckets[i];
	sum->count += times->count;
	sum->per_call += times->per_call;
	if (times->max > sum->max)
		sum->max = times->max;
}

static uint64_t time_percentile(const struct times *times, double percent)
{
	double wanted = (double)times->count * percent / 100;
	uint64_t seen = 0;
	unsigned int i;

	for (i = 0; i < TIME_BUCKETS; i++) {
		seen += times->buckets[i];
		if ((double)seen >= wanted)
			break;
	}

	return time_of_bucket(i);
}

static void measure_clock(void)
{
	uint64_t before, cost;
	unsigned int i;

	clock_cost_ns = UINT64_MAX;
	for (i = 0; i < BATCHES; i++) {
		before = now();
		cost = now() - before;
		if (cost < clock_cost_ns)
			clock_cost_ns = cost;
	}
}

/*
 * Prints "name threads average 50% 90% 99% 99.9% maximum" in nanoseconds of one
 * of the @records of a call.
 */
static void print_times(const char *name, void (*run)(void),
			unsigned int threads, unsigned int records)
{
	static const double percents[] = { 50, 90, 99, 99.9 };
	static struct times all[TIME_THREADS_MAX], sum;
	pthread_t ids[TIME_THREADS_MAX];
	unsigned int i;

	memset(all, 0, threads * sizeof(*all));
	memset(&sum, 0, sizeof(sum));
	timed_function = run;
	measure_clock();
	pthread_barrier_init(&timed_barrier, NULL, threads);
	for (i = 0; i < threads; i++)
		if (pthread_create(&ids[i], NULL, time_thread, &all[i])) {
			perror("cannot create a thread");
			exit(1);
		}
	for (i = 0; i < threads; i++) {
		pthread_join(ids[i], NULL);
		merge_times(&sum, &all[i]);
	}
	pthread_barrier_destroy(&timed_barrier);

	printf("%s %u %.1f", name, threads, sum.per_call / threads / records);
	for (i = 0; i < sizeof(percents) / sizeof(*percents); i++)
		printf(" %.1f",
		       (double)time_percentile(&sum, percents[i]) / records);
	printf(" %.1f\n", (double)sum.max / records);
	fflush(stdout);
}

/*
 * Returns the number of threads of the option "-t THREADS[,MILLISECONDS]", or 0.
 */
static unsigned int time_option(int *argc, char ***argv)
{
	unsigned long threads, duration = TIME_MS;
	char *end;

	if (*argc < 3 || strcmp((*argv)[1], "-t"))
		return 0;
	threads = strtoul((*argv)[2], &end, 10);
	if (*end == ',')
		duration = strtoul(end + 1, &end, 10);
	if (*end || !threads || threads > TIME_THREADS_MAX || !duration ||
	    duration > TIME_MS_MAX) {
		fprintf(stderr, "-t: 1 to %d threads, 1 to %d ms\n",
			TIME_THREADS_MAX, TIME_MS_MAX);
		exit(2);
	}
	timed_ns = duration * 1000000ULL;
	*argc -= 2;
	*argv += 2;

	return (unsigned int)threads;
}

#endif
