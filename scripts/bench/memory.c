// SPDX-License-Identifier: GPL-2.0-only
/*
 * Measures how much memory of the kernel objects of user_events take.
 *
 *	memory
 *
 * Prints lines "object count result" with bytes of an object: slabs, including
 * what is free in them, memory of CPUs and vmalloc(). Memory of the process
 * itself is not included.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "../../selftests/lib/user_events.h"

#define EVENTS 2000
#define ENABLERS 20000
#define FILES 2000

static volatile uint32_t words[ENABLERS + 1];
static int data;

/* Returns the bytes that the kernel has allocated. */
static unsigned long long allocated(void)
{
	static const char *const counters[] = { "Slab:", "Percpu:",
						"VmallocUsed:" };
	unsigned long long sum = 0;
	char *content;
	size_t i;

	/* Each CPU adds its changes to the counters from time to time. */
	ASSERT_OK(write_file("1", "/proc/sys/vm/stat_refresh"));
	content = read_file("/proc/meminfo");
	ASSERT_TRUE(content);
	for (i = 0; i < ARRAY_SIZE(counters); i++)
		sum += number_after(content, counters[i]);
	free(content);

	return sum * 1024;
}

static void measure(const char *object, unsigned int count,
		    void (*create)(unsigned int i))
{
	unsigned long long before;
	unsigned int i;

	ASSERT_TRUE(count);
	/* The first one can need more. */
	create(count);
	before = allocated();
	for (i = 0; i < count; i++)
		create(i);
	printf("%s %u %llu\n", object, count, (allocated() - before) / count);
	fflush(stdout);
}

static void open_file(unsigned int i)
{
	(void)i;
	ASSERT_OK(open(text("%s/user_events_data", tracefs()), O_RDWR));
}

/* With the enabler that registers it */
static void create_event(unsigned int i)
{
	char command[100];

	snprintf(command, sizeof(command),
		 PREFIX "memory_%u u64 a; u64 b; u64 c", i);
	ASSERT_OK(reg_word(data, command, &words[i], 0));
}

/* One event, and a bit that the events above do not use */
static void create_enabler(unsigned int i)
{
	ASSERT_OK(reg_word(data, PREFIX "memory_enablers", &words[i], 1));
}

int main(void)
{
	const struct rlimit files = { FILES + 100, FILES + 100 };

	ASSERT_OK(setrlimit(RLIMIT_NOFILE, &files));
	/* Page tables of the words are not memory of user_events. */
	memset((void *)words, 1, sizeof(words));
	memset((void *)words, 0, sizeof(words));
	data = data_open();
	measure("open-file", FILES, open_file);
	measure("enabler", ENABLERS, create_enabler);
	measure("event-with-enabler", EVENTS, create_event);

	return 0;
}
