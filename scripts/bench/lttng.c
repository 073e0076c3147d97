// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what a record of LTTng-UST costs a program.
 *
 *	lttng [-t THREADS]
 *
 * scripts/bench/lttng-guest enables the events and starts the program, which
 * disables them in the end.
 *
 * Prints lines like scripts/bench/write.c.
 */
#include <stdio.h>
#include <stdlib.h>

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng-events.h"
#include "median.h"
#include "times.h"

/* Some times the size of the buffers */
#define WARM_BYTES (16 << 20)

/* Values of the fields; volatile, so that they are read each time */
static volatile uint64_t a = 1, b = 2, c = 3;
static uint8_t data[RECORD_SIZE_MAX];
static size_t size;

/* Threads that write at the same time; 0: count instructions */
static unsigned int threads;

static void do_fields(void)
{
	lttng_ust_tracepoint(bench, fields, a, b, c);
}

static void do_bytes(void)
{
	lttng_ust_tracepoint(bench, bytes, data, size);
}

static void fail(const char *what)
{
	fprintf(stderr, "lttng: %s\n", what);
	exit(1);
}

static void print(const char *name, const char *bytes, void (*run)(void))
{
	if (threads) {
		print_times(name, run, threads, 1);
		return;
	}
	printf("%s %s %llu\n", name, bytes,
	       (unsigned long long)median_cost(run));
	fflush(stdout);
}

/* Fills the buffers, because the first use of each of their pages is a fault. */
static void warm(void)
{
	size_t written;

	size = RECORD_SIZE_MAX;
	for (written = 0; written < WARM_BYTES; written += size)
		do_bytes();
}

int main(int argc, char **argv)
{
	char bytes[32];
	size_t i;

	threads = time_option(&argc, &argv);

	if (!lttng_ust_tracepoint_enabled(bench, fields) ||
	    !lttng_ust_tracepoint_enabled(bench, bytes))
		fail("the events are disabled");

	warm();
	for (i = 0; i < SIZES && !threads; i++) {
		size = record_sizes[i];
		snprintf(bytes, sizeof(bytes), "%zu", size);
		print("lttng-ust", bytes, do_bytes);
	}
	/* The last records, which scripts/bench/write finds in the buffers */
	print("lttng-ust-24", "-", do_fields);

	if (system("lttng --quiet disable-event --userspace --all-events"))
		fail("cannot disable the events");
	if (lttng_ust_tracepoint_enabled(bench, fields))
		fail("the event is still enabled");
	print("lttng-ust-disabled", "-", do_fields);

	return 0;
}
