// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures what a record of UEV_TRACE() with three integers costs a program, as
 * records of scripts/bench/write.c have, for scripts/bench/time.
 *
 *	trace -t THREADS
 *
 * Prints the lines of times.h: disabled, and enabled by ftrace.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

#include "times.h"

#define ENABLE "/sys/kernel/tracing/events/user_events/bench_trace/enable"

/* Values of the fields; volatile, so that they are read each time */
static volatile uint64_t a = 1, b = 2, c = 3;

static void do_trace(void)
{
	UEV_TRACE(bench_trace, a, a, b, b, c, c);
}

static void enable(const char *value)
{
	int fd = open(ENABLE, O_WRONLY);

	if (fd < 0 || write(fd, value, 1) != 1) {
		perror(ENABLE);
		exit(1);
	}
	close(fd);
}

static uint64_t written(void)
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));

	return stats.written;
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
	enable("1");
	measure("trace-24", threads, true);
	enable("0");

	return 0;
}
