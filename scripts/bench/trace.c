// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what a record of UEV_TRACE() with three integers costs a program, as
 * records of scripts/bench/write.c have, for scripts/bench/time.
 *
 *	trace -t THREADS
 *
 * Prints the lines of times.h: disabled, and enabled by ftrace.
 */
#include <stdio.h>
#include <stdlib.h>
#include <userevents/tracepoint.h>

#include "library.h"
#include "times.h"

/* Values of the fields; volatile, so that they are read each time */
static volatile uint64_t a = 1, b = 2, c = 3;

static void do_trace(void)
{
	UEV_TRACE(bench_trace, a, a, b, b, c, c);
}

/* @any: whether records must be written */
static void measure(const char *name, unsigned int threads, bool any)
{
	uint64_t before = written();

	print_times(name, do_trace, threads, 1);
	if ((written() != before) != any) {
		fprintf(stderr, "trace: %s: %s records\n", name,
			any ? "no" : "unexpected");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	unsigned int threads = time_option(&argc, &argv);

	if (!threads || argc > 1) {
		fprintf(stderr, "usage: trace -t THREADS\n");
		return 2;
	}
	/* Registers the event. */
	do_trace();
	measure("trace-disabled", threads, false);
	set_enabled("bench_trace", true);
	measure("trace-24", threads, true);
	set_enabled("bench_trace", false);

	return 0;
}
