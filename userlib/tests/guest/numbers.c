// SPDX-License-Identifier: MIT
/* A program that writes numbered records, and can end by a signal. */
#include "guest.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <userevents/userevents.h>

void write_numbers(const char *first, const char *last, const char *end)
{
	uint32_t number = (uint32_t)atoi(first), until = (uint32_t)atoi(last);
	const struct iovec payload = { &number, sizeof(number) };
	const struct rlimit none = { 0 };
	struct uev_event event;

	uev_event_init(&event, "number u32 value");
	check(uev_event_register(&event, 0), "register");
	for (; number <= until; number++)
		if (uev_enabled(&event))
			check(uev_event_writev(&event, &payload, 1), "writev");
	/* Without a core file */
	setrlimit(RLIMIT_CORE, &none);
	if (end && !strcmp(end, "segv"))
		raise(SIGSEGV);
	if (end && !strcmp(end, "stop"))
		raise(SIGSTOP);
}
