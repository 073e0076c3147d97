// SPDX-License-Identifier: MIT
/*
 * A program that is instrumented for USDT, with a header that dtrace(1)
 * generates.
 *
 *	program [REQUESTS]
 *
 * Prints the number of requests whose arguments were prepared.
 */
#include <stdio.h>
#include <stdlib.h>

#include "probes.h"
#include "program.h"

int main(int argc, char **argv)
{
	int prepared = 0, requests = argc > 1 ? atoi(argv[1]) : 1, i;
	char name[20];

	for (i = 0; i < requests; i++) {
		if (USDT_TEST_REQUEST_START_ENABLED()) {
			prepared++;
			snprintf(name, sizeof(name), "request %d", i);
			USDT_TEST_REQUEST_START(i, name);
		}
		plain_probe(i);
		cxx_probe(i);
		USDT_TEST_REQUEST_DONE(2L * i);
	}
	printf("%d of %d requests prepared\n", prepared, requests);

	return 0;
}
