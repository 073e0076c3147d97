/* SPDX-License-Identifier: MIT */
/* Functions of programs that measure libuserevents. */
#ifndef SCRIPTS_BENCH_LIBRARY_H
#define SCRIPTS_BENCH_LIBRARY_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <userevents/userevents.h>

/* Enables an event in ftrace, or disables it. */
static void set_enabled(const char *event, bool enable)
{
	char path[200];
	int fd;

	snprintf(path, sizeof(path),
		 "/sys/kernel/tracing/events/user_events/%s/enable", event);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, enable ? "1" : "0", 1) != 1) {
		perror(path);
		exit(1);
	}
	close(fd);
}

/* Returns the number of records that the process has written. */
static uint64_t written(void)
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));

	return stats.written;
}

#endif
