// SPDX-License-Identifier: MIT
/*
 * Probes of a program that is instrumented for <sys/sdt.h>, as events. With
 * UEV_SDT_USDT, bpftrace finds the same probes in the program:
 *
 *	cc -DUEV_SDT_USDT usdt.c $(pkg-config --cflags --libs libuserevents)
 *	bpftrace -e 'usdt:./a.out:example:request { print(str(arg1)) }'
 *
 *	usdt [SECONDS]
 *
 * Passes the probe "request" every 100 milliseconds. The event is
 * "example_request". Its second argument is text, and a pointer for bpftrace.
 */
#include <stdlib.h>
#include <unistd.h>
#include <userevents/sdt.h>

#define TENTHS 10
#define TENTH_IN_MICROSECONDS 100000

int main(int argc, char **argv)
{
	int tenths = TENTHS * (argc > 1 ? atoi(argv[1]) : 3);
	int i;

	for (i = 0; i < tenths; i++) {
		DTRACE_PROBE2(example, request, i,
			      UEV_SDT_STRING("/index.html"));
		usleep(TENTH_IN_MICROSECONDS);
	}

	return 0;
}
