// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "util/sys_perf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NANOSECONDS 1000000000ULL

static int result(long value)
{
	return value < 0 ? -errno : (int)value;
}

int uev_sys_perf_event(struct perf_event_attr *attr, pid_t pid, int cpu,
		       unsigned long flags)
{
	return result(syscall(SYS_perf_event_open, attr, pid, cpu, -1,
			      flags | PERF_FLAG_FD_CLOEXEC));
}

int uev_sys_perf_ioctl(int fd, unsigned long request, unsigned long argument)
{
	int value;

	do
		value = ioctl(fd, request, argument);
	while (value < 0 && errno == EINTR);

	return result(value);
}

int uev_sys_perf_map(int fd, size_t size, bool writable, void **address)
{
	int protection = PROT_READ | (writable ? PROT_WRITE : 0);
	void *mapping = mmap(NULL, size, protection, MAP_SHARED, fd, 0);

	if (mapping == MAP_FAILED)
		return -errno;
	*address = mapping;

	return 0;
}

void uev_sys_perf_unmap(void *address, size_t size)
{
	munmap(address, size);
}

int uev_sys_perf_epoll(void)
{
	return result(epoll_create1(EPOLL_CLOEXEC));
}

int uev_sys_perf_epoll_add(int epoll, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return result(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
}

int uev_sys_perf_open(const char *path, int flags)
{
	int fd;

	do
		fd = open(path, flags | O_CLOEXEC, 0600);
	while (fd < 0 && errno == EINTR);

	return result(fd);
}

void uev_sys_perf_close(int fd)
{
	close(fd);
}

ssize_t uev_sys_perf_read(int fd, void *to, size_t size)
{
	ssize_t got;

	do
		got = read(fd, to, size);
	while (got < 0 && errno == EINTR);

	return got < 0 ? -errno : got;
}

ssize_t uev_sys_perf_pread(int fd, void *to, size_t size, uint64_t offset)
{
	ssize_t got;

	do
		got = pread(fd, to, size, (off_t)offset);
	while (got < 0 && errno == EINTR);

	return got < 0 ? -errno : got;
}

ssize_t uev_sys_perf_pwrite(int fd, const void *from, size_t size,
			    uint64_t offset)
{
	ssize_t put;

	do
		put = pwrite(fd, from, size, (off_t)offset);
	while (put < 0 && errno == EINTR);

	return put < 0 ? -errno : put;
}

int uev_sys_perf_sync(int fd)
{
	return result(fsync(fd));
}

void uev_sys_perf_truncate(int fd, uint64_t size)
{
	/* The caller reports an earlier error. */
	if (ftruncate(fd, (off_t)size))
		return;
}

int uev_sys_perf_rename(const char *from, const char *to)
{
	return result(rename(from, to));
}

void uev_sys_perf_unlink(const char *path)
{
	unlink(path);
}

/* Return: the path of an open file, for free(), or NULL and errno */
static char *path_of(int fd, const struct stat *opened)
{
	char name[32], path[PATH_MAX];
	struct stat found;
	ssize_t size;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	size = readlink(name, path, sizeof(path));
	if (size < 0)
		return NULL;
	if ((size_t)size == sizeof(path)) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	path[size] = '\0';
	/* A deleted file, for example, has another text than its path. */
	if (lstat(path, &found) || found.st_dev != opened->st_dev ||
	    found.st_ino != opened->st_ino) {
		errno = ENOENT;
		return NULL;
	}

	return strdup(path);
}

/*
 * The kernel follows the link, since it refuses some: fs.protected_symlinks does
 * not apply to readlink(), and thus not to realpath().
 */
static int target_of_link(const char *path, char **target)
{
	int fd = uev_sys_perf_open(path, O_PATH), ret = 0;
	struct stat opened;

	if (fd < 0)
		return fd;
	if (fstat(fd, &opened)) {
		ret = -errno;
	} else if (!S_ISREG(opened.st_mode)) {
		ret = -EINVAL;
	} else {
		*target = path_of(fd, &opened);
		ret = *target ? 0 : -errno;
	}
	close(fd);

	return ret;
}

int uev_sys_perf_target(const char *path, char **target)
{
	bool exists;
	struct stat found;

	*target = NULL;
	exists = lstat(path, &found) == 0;
	if (exists && S_ISLNK(found.st_mode))
		return target_of_link(path, target);
	if (exists && !S_ISREG(found.st_mode))
		return -EINVAL;
	*target = strdup(path);

	return *target ? 0 : -ENOMEM;
}

int64_t uev_sys_perf_size(int fd)
{
	struct stat stat_of;

	if (fstat(fd, &stat_of))
		return -errno;

	return S_ISREG(stat_of.st_mode) ? stat_of.st_size : -ESPIPE;
}

bool uev_sys_perf_is_same(const char *one, const char *other)
{
	struct stat first, second;

	return !stat(one, &first) && !stat(other, &second) &&
	       first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

int uev_sys_perf_list(const char *path,
		      int (*each)(void *data, const char *name), void *data)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	int ret = 0;

	if (!directory)
		return -errno;

	while (!ret) {
		errno = 0;
		entry = readdir(directory);
		if (!entry) {
			ret = -errno;
			break;
		}
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			ret = each(data, entry->d_name);
	}
	closedir(directory);

	return ret;
}

static uint64_t nanoseconds_of(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * NANOSECONDS + (uint64_t)time->tv_nsec;
}

int uev_sys_perf_clock(clockid_t clock, uint64_t *nanoseconds)
{
	struct timespec time;

	if (clock_gettime(clock, &time))
		return -errno;
	*nanoseconds = nanoseconds_of(&time);

	return 0;
}

void uev_sys_perf_sleep(uint64_t nanoseconds)
{
	const struct timespec time = {
		.tv_sec = (time_t)(nanoseconds / NANOSECONDS),
		.tv_nsec = (long)(nanoseconds % NANOSECONDS),
	};

	nanosleep(&time, NULL);
}

int uev_sys_perf_clock_step(clockid_t clock, uint64_t *nanoseconds)
{
	struct timespec time;

	if (clock_getres(clock, &time))
		return -errno;
	*nanoseconds = nanoseconds_of(&time);

	return 0;
}

size_t uev_sys_perf_page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

pid_t uev_sys_perf_pid(void)
{
	return getpid();
}

int uev_sys_perf_machine(struct utsname *machine)
{
	return result(uname(machine));
}

/* Does not wait for entropy at boot. */
void uev_sys_perf_random(void *bytes, size_t size)
{
	unsigned char random[64];

	if (size <= sizeof(random) &&
	    getrandom(random, size, GRND_NONBLOCK) == (ssize_t)size)
		memcpy(bytes, random, size);
}

uint32_t uev_sys_perf_cpus(bool online)
{
	long count =
		sysconf(online ? _SC_NPROCESSORS_ONLN : _SC_NPROCESSORS_CONF);

	return count > 0 ? (uint32_t)count : 0;
}
