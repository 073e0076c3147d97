// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "core/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <time.h>
#include <unistd.h>

#define MILLISECONDS 1000
#define NANOSECONDS_OF_ONE 1000000

int uev_sys_open(const char *path, int flags)
{
	int fd = open(path, flags);

	return fd < 0 ? -errno : fd;
}

int uev_sys_close(int fd)
{
	return close(fd) ? -errno : 0;
}

ssize_t uev_sys_read(int fd, void *buffer, size_t size)
{
	ssize_t result = read(fd, buffer, size);

	return result < 0 ? -errno : result;
}

ssize_t uev_sys_writev(int fd, const struct iovec *vector, int count)
{
	ssize_t result = writev(fd, vector, count);

	return result < 0 ? -errno : result;
}

int uev_sys_ioctl(int fd, unsigned long request, void *argument)
{
	int result = ioctl(fd, request, argument);

	return result < 0 ? -errno : result;
}

int uev_sys_duplicate(int fd, int lowest)
{
	int duplicate = fcntl(fd, F_DUPFD_CLOEXEC, lowest);

	return duplicate < 0 ? -errno : duplicate;
}

int uev_sys_access(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? -errno : flags & O_ACCMODE;
}

bool uev_sys_is_tracefs(const char *path)
{
	struct statfs about;

	return !statfs(path, &about) && about.f_type == TRACEFS_MAGIC;
}

int uev_sys_map(int fd, const void **page)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	void *mapped = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	if (mapped == MAP_FAILED)
		return -errno;
	*page = mapped;

	return 0;
}

void uev_sys_unmap(const void *page)
{
	munmap((void *)page, (size_t)sysconf(_SC_PAGESIZE));
}

uint64_t uev_sys_now(void)
{
	struct timespec now = { 0, 0 };

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);

	return (uint64_t)now.tv_sec * MILLISECONDS +
	       (uint64_t)now.tv_nsec / NANOSECONDS_OF_ONE;
}
