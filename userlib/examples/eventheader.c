// SPDX-License-Identifier: MIT
/*
 * Writes EventHeader events whose shape is known at compile time: those of a
 * simulated disk that serves requests.
 *
 *	eventheader [REQUESTS [MILLISECONDS]]
 *
 * Serves REQUESTS requests, one every MILLISECONDS. To trace it, enable
 * user_events:Example_Disk_L4K1 while it runs, with perf or trace_pipe. The
 * last line has the number of written events.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <userevents/eventheader.h>

UEV_PROVIDER(disk, "Example_Disk");

/* Tracers can enable these separately. */
enum keyword {
	KEYWORD_REQUEST = 1,
	KEYWORD_CACHE = 2,
};

struct request {
	uint32_t number;
	uint64_t sector;
	uint32_t queued_us;
	uint32_t served_us;
	const char *device;
	uint8_t activity[UEV_ACTIVITY_SIZE];
};

static void serve(struct request *request)
{
	int err;

	memcpy(request->activity, &request->number, sizeof(request->number));
	err = UEV_EVENTHEADER(disk, UEV_LEVEL_INFORMATION, KEYWORD_REQUEST,
			      "RequestStart",
			      UEV_EH_OPCODE(UEV_OPCODE_ACTIVITY_START),
			      UEV_EH_ACTIVITY(request->activity, NULL),
			      UEV_EH_U32("number", request->number),
			      UEV_EH_ZUTF8("device", request->device));
	if (err)
		fprintf(stderr, "RequestStart: %s\n", uev_strerror(err));

	/* Slow, but not called while the event is disabled. */
	UEV_EVENTHEADER(disk, UEV_LEVEL_VERBOSE, KEYWORD_CACHE, "CacheMiss",
			UEV_EH_HEX64("sector", request->sector),
			UEV_EH_TIME64("time", time(NULL)));

	err = UEV_EVENTHEADER(
		disk, UEV_LEVEL_INFORMATION, KEYWORD_REQUEST, "RequestStop",
		UEV_EH_OPCODE(UEV_OPCODE_ACTIVITY_STOP),
		UEV_EH_ACTIVITY(request->activity, NULL),
		UEV_EH_STRUCT("time;unit=us",
			      UEV_EH_U32("queued", request->queued_us),
			      UEV_EH_U32("served", request->served_us)),
		UEV_EH_ERRNO("result", request->number % 10 ? 0 : EIO));
	if (err)
		fprintf(stderr, "RequestStop: %s\n", uev_strerror(err));
}

static void wait_for(long milliseconds)
{
	const struct timespec time = { milliseconds / 1000,
				       milliseconds % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

int main(int argc, char **argv)
{
	const struct uev_event *event = UEV_EVENTHEADER_SET(
		disk, UEV_LEVEL_INFORMATION, KEYWORD_REQUEST);
	const long requests = argc > 1 ? strtol(argv[1], NULL, 10) : 3;
	const long milliseconds = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
	struct uev_stats stats;
	int err = UEV_PROVIDER_STATUS(disk);

	/*
	 * The program works without user_events. Its events are enabled later.
	 */
	if (err)
		fprintf(stderr, "not yet: %s\n", uev_strerror(err));
	for (long i = 1; i <= requests; i++) {
		struct request request = {
			.number = (uint32_t)i,
			.sector = (uint64_t)i << 12,
			.queued_us = 10,
			.served_us = 100 + (uint32_t)i,
			.device = "sda",
		};

		serve(&request);
		wait_for(milliseconds);
	}
	err = uev_event_stats(event, &stats, sizeof(stats));
	if (err) {
		fprintf(stderr, "statistics: %s\n", uev_strerror(err));
		return EXIT_FAILURE;
	}
	printf("%ld requests, %llu of their events written\n", requests,
	       (unsigned long long)stats.written);
	return EXIT_SUCCESS;
}
