// SPDX-License-Identifier: MIT
#include "capture/clock.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include "util/time_namespace.h"

#define PREFIX "CLOCK_"

/* Between the readings of two clocks, in nanoseconds; more is a change */
#define CHANGE UINT64_C(100000000)

bool capture_clock_parse(const char *name, int32_t *clockid)
{
	static const struct {
		const char *name;
		int32_t clockid;
	} clocks[] = {
		{ "monotonic", CLOCK_MONOTONIC },
		{ "monotonic_raw", CLOCK_MONOTONIC_RAW },
		{ "perf", UEV_CLOCK_PERF },
	};
	size_t i;

	if (strncasecmp(name, PREFIX, strlen(PREFIX)) == 0)
		name += strlen(PREFIX);
	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		if (strcasecmp(name, clocks[i].name) == 0) {
			*clockid = clocks[i].clockid;
			return true;
		}
	}

	return false;
}

int capture_take_clock(void *clockid, const struct tool_argument *argument)
{
	if (capture_clock_parse(argument->text, clockid))
		return TOOL_OK;

	return tool_usage(argument->command, "--%s: unknown clock \"%s\"",
			  argument->option->name, argument->text);
}

/* The time namespace of the tool remains, and usually one clock is read. */
static uint64_t offset_of(int32_t clockid)
{
	static int32_t known = CLOCK_REALTIME;
	static uint64_t offset;
	uint64_t found;

	if (clockid == CLOCK_REALTIME)
		return 0;
	if (clockid == known)
		return offset;
	if (uev_time_namespace_offset(clockid, &found))
		return 0;
	known = clockid;
	offset = found;

	return offset;
}

uint64_t capture_clock_time(int32_t clockid)
{
	struct timespec time;

	if (clock_gettime(clockid, &time))
		return 0;

	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec -
	       offset_of(clockid);
}

/* The wall clock is read between two readings of the other. */
void capture_clock_follow(struct uev_clock *clock)
{
	uint64_t before, wall, after, change;

	do {
		before = capture_clock_time(clock->clockid);
		wall = capture_clock_time(CLOCK_REALTIME);
		after = capture_clock_time(clock->clockid);
	} while (after - before >= CHANGE);
	change = wall - before - (clock->wall - clock->clock);
	if (change + CHANGE > 2 * CHANGE)
		clock->wall = clock->clock + wall - before;
}
