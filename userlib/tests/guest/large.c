// SPDX-License-Identifier: MIT
/*
 * A program that writes without the library, which refuses records that are too
 * large for perf.
 */
#include "guest.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <linux/user_events.h>

void write_large(const char *count, const char *bytes)
{
	size_t size = sizeof(uint32_t) + strtoul(bytes, NULL, 10);
	struct user_reg_status reg = {
		.size = sizeof(reg),
		.name_args = (uintptr_t) "large u32 first",
	};
	char *record = calloc(1, size);
	int left = atoi(count), file;

	file = (int)check(open(TRACING "/user_events_data", O_RDWR), "open");
	check(ioctl(file, DIAG_IOCSREG, &reg), "register");
	memcpy(record, &reg.write_index, sizeof(reg.write_index));
	while (left--)
		check(write(file, record, size), "write");
	free(record);
	close(file);
}
