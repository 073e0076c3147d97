// SPDX-License-Identifier: MIT
/*
 * What an event that nobody listens to costs: a test of one bit. Whatever it
 * takes to know the values of the fields is only done if somebody wants them.
 *
 *	only_if_enabled [TIMES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <userevents/tracepoint.h>

static unsigned int calls;

/* Something that takes time. */
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
		/* The function is called if there is a listener, not else. */
		UEV_TRACE(step, number, i, sum, sum, kilobytes,
			  resident_kilobytes());
	}
	printf("%lu: looked at the memory %u times\n", sum, calls);

	return 0;
}
