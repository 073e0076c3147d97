/* SPDX-License-Identifier: MIT */
/*
 * System calls of collection, readers and writers. All of them are here, so
 * that tests can replace them.
 *
 * On error they return a negative errno. They are repeated if a signal
 * interrupts them.
 */
#ifndef USEREVENTS_UTIL_SYS_PERF_H
#define USEREVENTS_UTIL_SYS_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <linux/perf_event.h>

/* perf_event_open(2) without a group, closed on exec. */
int uev_sys_perf_event(struct perf_event_attr *attr, pid_t pid, int cpu,
		       unsigned long flags);
int uev_sys_perf_ioctl(int fd, unsigned long request, unsigned long argument);
int uev_sys_perf_map(int fd, size_t size, bool writable, void **address);
void uev_sys_perf_unmap(void *address, size_t size);

int uev_sys_perf_epoll(void);
int uev_sys_perf_epoll_add(int epoll, int fd);

/* Creates a file that only its owner can read and write. */
int uev_sys_perf_open(const char *path, int flags);
void uev_sys_perf_close(int fd);
ssize_t uev_sys_perf_read(int fd, void *to, size_t size);
ssize_t uev_sys_perf_pread(int fd, void *to, size_t size, uint64_t offset);
ssize_t uev_sys_perf_pwrite(int fd, const void *from, size_t size,
			    uint64_t offset);
int uev_sys_perf_sync(int fd);
void uev_sys_perf_truncate(int fd, uint64_t size);
int uev_sys_perf_rename(const char *from, const char *to);
void uev_sys_perf_unlink(const char *path);

/*
 * Gets the path of the file that a new one replaces: the target of a link, or
 * @path itself, also if there is none. The caller frees it.
 * Return: 0; -EINVAL for other files than regular ones; -ENOENT for a link without
 * a target; -EACCES for a link that open() does not follow, either; ...
 */
int uev_sys_perf_target(const char *path, char **target);

/* Returns the size of a file, or -ESPIPE if it cannot be read at an offset. */
int64_t uev_sys_perf_size(int fd);

/* Tests whether two paths are of one file; false if one cannot be read. */
bool uev_sys_perf_is_same(const char *one, const char *other);

/*
 * Calls @each for every name in a directory except "." and "..", until it
 * returns a nonzero value, which is returned.
 */
int uev_sys_perf_list(const char *path,
		      int (*each)(void *data, const char *name), void *data);

int uev_sys_perf_clock(clockid_t clock, uint64_t *nanoseconds);
void uev_sys_perf_sleep(uint64_t nanoseconds);
int uev_sys_perf_clock_step(clockid_t clock, uint64_t *nanoseconds);
size_t uev_sys_perf_page_size(void);
pid_t uev_sys_perf_pid(void);
int uev_sys_perf_machine(struct utsname *machine);

/* Fills in random bytes, at most 64. Without any, the bytes are left as they are. */
void uev_sys_perf_random(void *bytes, size_t size);

/* Returns the number of processors; 0 if it is unknown. */
uint32_t uev_sys_perf_cpus(bool online);

#endif
