// SPDX-License-Identifier: MIT
/*
 * Writes records for scripts/bench/decode to read.
 *
 *	decode COUNT
 *
 * The records have a counter, a negative number and a path, as those of many
 * programs. Prints the time of the thread per record in nanoseconds, which are
 * instructions if the clock counts instructions.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <userevents/tracepoint.h>

#define PATHS 64

static uint64_t thread_time(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);

	return (uint64_t)time.tv_sec * 1000000000U + (uint64_t)time.tv_nsec;
}

int main(int argc, char **argv)
{
	char paths[PATHS][40];
	uint64_t i, count, start;

	if (argc != 2) {
		fprintf(stderr, "usage: decode COUNT\n");
		return 2;
	}
	count = strtoull(argv[1], NULL, 10);
	if (!count) {
		fprintf(stderr, "decode: %s: not a number\n", argv[1]);
		return 2;
	}
	for (i = 0; i < PATHS; i++)
		snprintf(paths[i], sizeof(paths[i]), "/usr/share/file/%llu",
			 10000 + (unsigned long long)i);

	start = thread_time();
	for (i = 0; i < count; i++)
		UEV_TRACE(bench_decode, size, i, mode, -(int32_t)(i % 1000),
			  path, paths[i % PATHS]);
	printf("%llu\n", (unsigned long long)(thread_time() - start) /
				 (unsigned long long)count);

	return 0;
}
