// SPDX-License-Identifier: MIT
/*
 * The shortest program with an event.
 *
 *	hello [SECONDS]
 *
 * Writes a record of the event "hello" every 100 milliseconds, while it is
 * enabled by one of
 *
 *	echo 1 > /sys/kernel/tracing/events/user_events/hello/enable
 *	perf record -e user_events:hello -a
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

#define TENTHS 10
#define TENTH_IN_MICROSECONDS 100000

int main(int argc, char **argv)
{
	int tenths = TENTHS * (argc > 1 ? atoi(argv[1]) : 3);
	struct uev_stats stats;
	char text[1000];
	int i;

	uev_diagnose(text, sizeof(text));
	puts(text);
	fflush(stdout);

	for (i = 0; i < tenths; i++) {
		UEV_TRACE(hello, number, i, text, "hello, world");
		usleep(TENTH_IN_MICROSECONDS);
	}

	uev_process_stats(&stats, sizeof(stats));
	printf("%llu records written\n", (unsigned long long)stats.written);

	return 0;
}
