// SPDX-License-Identifier: MIT
#include "ui/write.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

int write_all(int fd, const void *bytes, size_t size)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };
	const char *at = bytes;
	ssize_t done;

	while (size) {
		done = write(fd, at, size);
		if (done < 0 && errno == EAGAIN)
			poll(&room, 1, -1);
		else if (done < 0 && errno != EINTR)
			return -errno;
		if (done <= 0)
			continue;
		at += done;
		size -= (size_t)done;
	}

	return 0;
}
