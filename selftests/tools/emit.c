// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes records for tests of tracing tools.
 *
 *   emit COUNT [CPU]
 *
 * Registers tool_event and plain_event, waits until one of them is enabled, and
 * writes COUNT records, numbered from 0, on CPU if it is given. plain_event is
 * for tools that do not support __rel_loc. Fails if a record is not written.
 */
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <linux/user_events.h>

#define TRACEFS "/sys/kernel/tracing/"
#define TOOL_EVENT                                                    \
	"tool_event u32 number; char[16] text; __rel_loc char[] rel;" \
	" __data_loc char[] abs"
#define PLAIN_EVENT "plain_event unsigned int number; char[16] text"

/* Timeout for a tracer to enable one of the events. */
#define ENABLE_TIMEOUT_S 60

struct record {
	uint32_t index;
	uint32_t number;
	char text[16];
	uint32_t relative;
	uint32_t absolute;
	char relative_text[8];
	char absolute_text[8];
} __attribute__((__packed__));

/*
 * __data_loc offsets count from the start of the common fields, which the
 * kernel puts in front of the payload. The payload follows the index.
 */
static unsigned int common_fields_size;
#define ENTRY_OFFSET(member)                                  \
	(offsetof(struct record, member) - sizeof(uint32_t) + \
	 common_fields_size)

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static struct user_reg registered(int fd, const char *definition)
{
	struct user_reg reg = {
		.size = sizeof(reg),
		.name_args = (uintptr_t)definition,
	};

	if (ioctl(fd, DIAG_IOCSREG, &reg))
		fail(definition);

	return reg;
}

static const volatile uint8_t *map_status(void)
{
	int fd = open(TRACEFS "user_events_status", O_RDONLY);
	void *status = mmap(NULL, getpagesize(), PROT_READ, MAP_SHARED, fd, 0);

	if (status == MAP_FAILED)
		fail("user_events_status");

	return status;
}

static int is_enabled(const volatile uint8_t *status,
		      const struct user_reg *reg)
{
	return status[reg->status_bit / 8] & (1 << (reg->status_bit % 8));
}

/* Waits until one of the events is enabled. Return: that event. */
static struct user_reg wait_until_enabled(const struct user_reg *tool,
					  const struct user_reg *plain)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	const volatile uint8_t *status = map_status();
	time_t deadline = time(NULL) + ENABLE_TIMEOUT_S;

	while (time(NULL) < deadline) {
		if (is_enabled(status, tool))
			return *tool;
		if (is_enabled(status, plain))
			return *plain;
		nanosleep(&pause, NULL);
	}

	fprintf(stderr, "emit: timeout: no event was enabled\n");
	exit(1);
}

static void fill(struct record *record, uint32_t index, uint32_t number)
{
	memset(record, 0, sizeof(*record));
	record->index = index;
	record->number = number;
	snprintf(record->text, sizeof(record->text), "text%u", number);
	snprintf(record->relative_text, sizeof(record->relative_text), "rel%u",
		 number % 10);
	snprintf(record->absolute_text, sizeof(record->absolute_text), "abs%u",
		 number % 10);
	record->relative = DYN_LOC(offsetof(struct record, relative_text) -
					   offsetof(struct record, absolute),
				   strlen(record->relative_text) + 1);
	record->absolute = DYN_LOC(ENTRY_OFFSET(absolute_text),
				   strlen(record->absolute_text) + 1);
}

/*
 * Offset of the first field after the common fields, the same for all events.
 */
static unsigned int read_common_fields_size(void)
{
	FILE *format = fopen(TRACEFS "events/sched/sched_switch/format", "r");
	char line[256];
	char *offset;

	while (format && fgets(line, sizeof(line), format)) {
		offset = strstr(line, "offset:");
		if (offset && !strstr(line, "common_"))
			return strtoul(offset + 7, NULL, 10);
	}

	fail("sched_switch/format");
	return 0;
}

int main(int argc, char **argv)
{
	struct user_reg tool, plain, reg;
	struct record record;
	uint32_t count, i;
	cpu_set_t cpus;
	int fd;

	if (argc < 2 || argc > 3) {
		fprintf(stderr, "usage: emit COUNT [CPU]\n");
		return 2;
	}

	count = strtoul(argv[1], NULL, 0);
	if (argc == 3) {
		CPU_ZERO(&cpus);
		CPU_SET(strtoul(argv[2], NULL, 0), &cpus);
		if (sched_setaffinity(0, sizeof(cpus), &cpus))
			fail("sched_setaffinity");
	}

	common_fields_size = read_common_fields_size();
	fd = open(TRACEFS "user_events_data", O_RDWR);
	if (fd < 0)
		fail("user_events_data");

	tool = registered(fd, TOOL_EVENT);
	plain = registered(fd, PLAIN_EVENT);
	reg = wait_until_enabled(&tool, &plain);

	for (i = 0; i < count; i++) {
		fill(&record, reg.write_index, i);
		if (write(fd, &record, sizeof(record)) != sizeof(record))
			fail("write");
	}

	return 0;
}
