// SPDX-License-Identifier: MIT
/*
 * Registers, tests, writes and unregisters an event without macros, for
 * payloads with a custom layout.
 *
 *	by_hand
 */
#include <stdio.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
#include <userevents/userevents.h>

/* The payload, in the layout of the description. */
struct payload {
	uint64_t nanoseconds;
	uint32_t process;
} __attribute__((__packed__));

static struct uev_event event =
	UEV_EVENT_INIT("by_hand u64 nanoseconds; u32 process");

static int write_event(void)
{
	struct payload payload = { .process = (uint32_t)getpid() };
	const struct iovec vector = { &payload, sizeof(payload) };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	payload.nanoseconds =
		(uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;

	return uev_event_writev(&event, &vector, 1);
}

int main(void)
{
	int err = uev_event_register(&event, 0);
	int i;

	if (err) {
		fprintf(stderr, "by_hand: %s\n", uev_strerror(err));
		return 1;
	}
	err = uev_event_status(&event);
	if (err)
		printf("not yet: %s\n", uev_strerror(err));

	for (i = 0; i < 20; i++) {
		if (uev_enabled(&event)) {
			err = write_event();
			if (err)
				fprintf(stderr, "by_hand: %s\n",
					uev_strerror(err));
		}
		usleep(100000);
	}

	return uev_event_unregister(&event) ? 1 : 0;
}
