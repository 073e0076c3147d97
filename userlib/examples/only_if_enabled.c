// SPDX-License-Identifier: MIT
/*
 * Shows the cost of a disabled event: a test of one bit. The values of its
 * fields are computed only while it is enabled.
 *
 *	only_if_enabled [TIMES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <userevents/tracepoint.h>

static unsigned int calls;

/* A slow function. */
static long resident_kilobytes(void)
{
	struct rusage usage;

	calls++;

	return getrusage(RUSAGE_SELF, &usage) ? -1 : usage.ru_maxrss;
}

int main(int argc, char **argv)
{
	unsigned long times = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000000;
	unsigned long i, sum = 0;

	for (i = 0; i < times; i++) {
		sum += i * i;
		/* The function is called only while the event is enabled. */
		UEV_TRACE(step, number, i, sum, sum, kilobytes,
			  resident_kilobytes());
	}
	printf("%lu: looked at the memory %u times\n", sum, calls);

	return 0;
}
