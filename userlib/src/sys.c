// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "sys.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

int uev_sys_open(const char *path, int flags)
{
	int fd = open(path, flags);

	return fd < 0 ? -errno : fd;
}

int uev_sys_close(int fd)
{
	return close(fd) ? -errno : 0;
}

int uev_sys_ioctl(int fd, unsigned long request, void *argument)
{
	int result = ioctl(fd, request, argument);

	return result < 0 ? -errno : result;
}

ssize_t uev_sys_writev(int fd, const struct iovec *vector, int count)
{
	ssize_t result = writev(fd, vector, count);

	return result < 0 ? -errno : result;
}
