// SPDX-License-Identifier: MIT
#include "util/time_namespace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/sys_perf.h"
#include "util/text_file.h"

#define NANOSECONDS 1000000000ULL

/* The offsets are those of the namespace for new child processes. */
#define OFFSETS "/proc/self/timens_offsets"
#define OWN "/proc/self/ns/time"
#define OF_CHILDREN "/proc/self/ns/time_for_children"

static const char *name_of(clockid_t clock)
{
	switch (clock) {
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
		return "monotonic";
	case CLOCK_BOOTTIME:
		return "boottime";
	default:
		return NULL;
	}
}

/* Lines have a name, seconds, which can be negative, and nanoseconds. */
static uint64_t parse(const char *text, const char *name)
{
	const char *line = strstr(text, name);
	uint64_t seconds;
	char *end;

	if (!line)
		return 0;
	seconds = (uint64_t)strtoll(line + strlen(name), &end, 10);

	return seconds * NANOSECONDS + strtoull(end, NULL, 10);
}

int uev_time_namespace_offset(clockid_t clock, uint64_t *offset)
{
	const char *name = name_of(clock);
	char *text;
	int ret;

	*offset = 0;
	if (!name || !uev_sys_perf_is_same(OWN, OF_CHILDREN))
		return 0;
	ret = uev_text_file_read(OFFSETS, &text, NULL);
	if (ret == -ENOENT || ret == -EACCES)
		return 0;
	if (ret)
		return ret;
	*offset = parse(text, name);
	free(text);

	return 0;
}
