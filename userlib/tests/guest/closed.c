// SPDX-License-Identifier: MIT
/* A program that closes all files, as daemons do, and opens others. */
#define _GNU_SOURCE
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <userevents/userevents.h>

/* More than the library's descriptor has */
#define FILES 300

#define PIECES 100

static struct uev_event event = UEV_EVENT_INIT("guest_closed u32 number");

/* Records that the library copies, passes as they are, and gathers */
static unsigned int write_records(void)
{
	static const struct {
		size_t first;
		size_t rest;
		int count;
	} rows[] = { { 4, 0, 1 }, { 4, 4, 2 }, { 4, 1000, 2 }, { 4, 10, 100 } };
	static unsigned char payload[1004];
	struct iovec vector[PIECES];
	unsigned int row;
	int i;

	for (row = 0; row < sizeof(rows) / sizeof(*rows); row++) {
		vector[0] = (struct iovec){ payload, rows[row].first };
		for (i = 1; i < rows[row].count; i++)
			vector[i] = (struct iovec){ payload + rows[row].first,
						    rows[row].rest };
		check(uev_event_writev(&event, vector, rows[row].count),
		      "uev_event_writev");
	}

	return row;
}

/* Closes all files, and opens another one with all their numbers. */
static void replace_files(const char *path)
{
	int fd, number;

	for (number = STDERR_FILENO + 1; number < FILES; number++)
		close(number);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, "content", 7) != 7)
		fail("%s: %s", path, strerror(errno));
	for (number = fd + 1; number < FILES; number++)
		dup2(fd, number);
}

/* From the header, because Linux 6.1 prints no names of user_events. */
static unsigned int count_records(void)
{
	size_t size;
	char *text = read_text(TRACING "/trace", &size);
	const char *at = strstr(text, "entries-in-buffer/entries-written: ");
	unsigned int count = 0;

	if (!at ||
	    sscanf(at, "entries-in-buffer/entries-written: %u", &count) != 1)
		fail("trace: %s", text);
	free(text);

	return count;
}

void test_closed(void)
{
	static const char path[] = "/tmp/guest_closed";
	unsigned int expected, found;
	struct uev_stats stats;
	size_t size;
	char *text;

	check(uev_event_register(&event, 0), "uev_event_register");
	check(uev_event_status(&event), "uev_event_status");
	write_file(TRACING "/trace", "\n");
	enable("guest_closed", true);
	expected = write_records();
	replace_files(path);
	expected += write_records();
	for (int number = STDERR_FILENO + 1; number < FILES; number++)
		close(number);
	expected += write_records();
	check(uev_event_stats(&event, &stats, sizeof(stats)),
	      "uev_event_stats");
	found = count_records();
	enable("guest_closed", false);
	if (found != expected || stats.written != expected || stats.failed)
		fail("%u of %u records, %llu written, %llu failed", found,
		     expected, (unsigned long long)stats.written,
		     (unsigned long long)stats.failed);
	text = read_text(path, &size);
	if (size != 7 || memcmp(text, "content", 7))
		fail("%s: %zu bytes: %s", path, size, text);
	free(text);
	unlink(path);
	check(uev_event_unregister(&event), "uev_event_unregister");
}
