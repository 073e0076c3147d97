// SPDX-License-Identifier: MIT
/*
 * The fake kernel for a program that is not a test. All events are enabled, and
 * each record is a line in the file of the environment variable RECORDS: the name
 * of the event, a space and the payload in hexadecimal digits. Linked into the
 * library with --wrap=uev_tracepoint_write.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <userevents/tracepoint.h>

#include "lib/fake_sys.h"

/* One line with the largest record */
#define LINE_MAX_SIZE (sizeof(((struct fake_record *)NULL)->payload) * 2 + 512)

__typeof__(uev_tracepoint_write) __real_uev_tracepoint_write,
	__wrap_uev_tracepoint_write;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;

static void log_record(const struct fake_record *record)
{
	static char line[LINE_MAX_SIZE];
	int length = snprintf(line, sizeof(line), "%s ", record->name);
	size_t i;

	for (i = 0; i < record->size; i++)
		length +=
			snprintf(line + length, 3, "%02x", record->payload[i]);
	line[length++] = '\n';
	if (write(log_fd, line, (size_t)length) != length)
		abort();
}

int __wrap_uev_tracepoint_write(struct uev_event *event,
				const struct uev_value *values, size_t count)
{
	unsigned int before;
	int err;

	pthread_mutex_lock(&lock);
	before = fake_records();
	err = __real_uev_tracepoint_write(event, values, count);
	if (fake_records() != before)
		log_record(fake_record());
	pthread_mutex_unlock(&lock);

	return err;
}

/* Before the constructors of the program, which register its events. */
__attribute__((__constructor__)) static void begin(void)
{
	const char *path = getenv("RECORDS");

	if (!path)
		return;
	log_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (log_fd < 0)
		abort();
	fake_reset(FAKE_BOTH);
	fake_enable_new();
}
