// SPDX-License-Identifier: MIT
/* A program that writes records while the module is replaced. */
#define _GNU_SOURCE
#include "guest.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <userevents/userevents.h>

#define PAUSE_US 10000

static volatile sig_atomic_t is_ended;

static void end(int number)
{
	(void)number;
	is_ended = 1;
}

static void write_number(struct uev_event *event, uint32_t number)
{
	const struct iovec payload = { &number, sizeof(number) };

	if (uev_enabled(event))
		check(uev_event_writev(event, &payload, 1), "writev");
}

/* Writes until a signal, then prints the counters. */
void write_through_reload(void)
{
	struct uev_event event;
	struct uev_stats stats;
	uint32_t number = 0;

	signal(SIGTERM, end);
	uev_event_init(&event, "reloaded u32 number");
	check(uev_event_register(&event, 0), "register");
	check(uev_set_retry_interval(1), "thread");
	while (!is_ended) {
		write_number(&event, number++);
		usleep(PAUSE_US);
	}
	check(uev_event_stats(&event, &stats, sizeof(stats)), "stats");
	printf("written %llu missed %llu failed %llu pending %llu\n",
	       (unsigned long long)stats.written,
	       (unsigned long long)stats.missed,
	       (unsigned long long)stats.failed,
	       (unsigned long long)stats.pending);
}
