// SPDX-License-Identifier: MIT
/* Probes without semaphores. */
#define SDT_USE_VARIADIC
#include <sys/sdt.h>

#include "program.h"

void plain_probe(int number)
{
	DTRACE_PROBE(usdt_test, plain);
	STAP_PROBEV(usdt_test, variadic, number, "text", 3);
	/* As LTTng-UST */
	_SDT_PROBE(usdt_test, direct, 2, (number, "text"));
}
