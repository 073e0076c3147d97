// SPDX-License-Identifier: MIT
/*
 * Writes many small records with few system calls.
 *
 *	batch [SECONDS]
 *
 * Reads the clock 100 times every 100 milliseconds, and writes the records
 * together, while the event "clock_sample" is enabled.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include <userevents/batch.h>

#define TENTHS 10
#define TENTH_IN_MICROSECONDS 100000
#define SAMPLES 100

static struct uev_event event =
	UEV_EVENT_INIT("clock_sample s64 seconds; u32 nanoseconds");

static void add_sample(struct uev_batch *batch)
{
	struct timespec now;
	uint32_t nanoseconds;
	int64_t seconds;
	struct iovec vector[] = {
		{ &seconds, sizeof(seconds) },
		{ &nanoseconds, sizeof(nanoseconds) },
	};

	if (!uev_enabled(&event))
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = now.tv_sec;
	nanoseconds = (uint32_t)now.tv_nsec;
	/* Writes the batch if it is full. */
	uev_batch_add(batch, &event, vector, 2);
}

int main(int argc, char **argv)
{
	int tenths = TENTHS * (argc > 1 ? atoi(argv[1]) : 3);
	struct uev_batch *batch;
	struct uev_stats stats;
	int i, j;

	if (uev_event_register(&event, 0) || uev_batch_new(&batch, 0)) {
		fputs("out of memory\n", stderr);
		return 1;
	}

	for (i = 0; i < tenths; i++) {
		for (j = 0; j < SAMPLES; j++)
			add_sample(batch);
		uev_batch_write(batch);
		usleep(TENTH_IN_MICROSECONDS);
	}

	uev_process_stats(&stats, sizeof(stats));
	printf("%llu records written\n", (unsigned long long)stats.written);
	uev_batch_free(batch);
	uev_event_unregister(&event);

	return 0;
}
