// SPDX-License-Identifier: MIT
/* Events with the same text, declared in each way, for readers of others. */
#include "guest.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <linux/user_events.h>
#include <userevents/tracepoint.h>

/* Timeout for a reader to enable one of the events. */
#define ENABLE_TIMEOUT_S 120

#define ARRAY_SIZE 32

/* What the program lays out itself */
enum kind {
	KIND_REL,
	KIND_DATA,
	KIND_CHAR,
	KINDS
};

static struct uev_event events[KINDS] = {
	UEV_EVENT_INIT("kind_rel u32 id; __rel_loc char[] path"),
	UEV_EVENT_INIT("kind_data u32 id; __data_loc char[] path"),
	UEV_EVENT_INIT("kind_char u32 id; char[32] path"),
};

/* The library's; the line of UEV_TRACE() tells whether it is enabled. */
static bool write_library(uint32_t id, const char *path)
{
	static unsigned int evaluated;
	unsigned int before = evaluated;

	UEV_TRACE(kind_library, id, (evaluated++, id), path, path);

	return evaluated > before;
}

/* Returns the offset of the first field after the common fields. */
static uint32_t read_header_size(void)
{
	size_t size;
	char *text = read_text(EVENTS "/kind_data/format", &size);
	const char *field = strstr(text, " id;\toffset:");
	uint32_t offset;

	if (!field)
		fail("kind_data: no field: %s", text);
	offset = (uint32_t)strtoul(strchr(field, ':') + 1, NULL, 10);
	free(text);

	return offset;
}

static void write_kind(enum kind kind, uint32_t id, const char *path)
{
	char array[ARRAY_SIZE] = "";
	size_t size = strlen(path) + 1;
	uint32_t word = DYN_LOC(0, size);
	struct iovec vector[] = {
		{ &id, sizeof(id) },
		{ &word, sizeof(word) },
		{ (void *)path, size },
	};

	if (kind == KIND_DATA)
		word += read_header_size() + sizeof(id) + sizeof(word);
	if (kind == KIND_CHAR) {
		memcpy(array, path, size);
		vector[1] = (struct iovec){ array, sizeof(array) };
	}
	check(uev_event_writev(&events[kind], vector,
			       kind == KIND_CHAR ? 2 : 3),
	      events[kind].command);
}

/* Writes a record to each enabled event. Return: whether there is one. */
static bool write_enabled(uint32_t id)
{
	char path[ARRAY_SIZE];
	bool is_enabled;
	int kind;

	snprintf(path, sizeof(path), "/srv/%u.%s", id, id % 2 ? "sh" : "txt");
	is_enabled = write_library(id, path);
	for (kind = 0; kind < KINDS; kind++) {
		if (!uev_enabled(&events[kind]))
			continue;
		is_enabled = true;
		write_kind((enum kind)kind, id, path);
	}

	return is_enabled;
}

void write_kinds(const char *count)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	time_t deadline = time(NULL) + ENABLE_TIMEOUT_S;
	uint32_t id, end = (uint32_t)atoi(count);
	int kind;

	for (kind = 0; kind < KINDS; kind++)
		check(uev_event_register(&events[kind], 0),
		      events[kind].command);
	while (end && !write_enabled(0)) {
		if (time(NULL) > deadline)
			fail("no event was enabled");
		nanosleep(&pause, NULL);
	}
	for (id = 1; id < end; id++)
		write_enabled(id);
	for (kind = 0; kind < KINDS; kind++)
		check(uev_event_unregister(&events[kind]),
		      events[kind].command);
}
