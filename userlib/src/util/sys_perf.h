/* SPDX-License-Identifier: MIT */
/*
 * The system calls of collecting, reading and writing. Nothing else there makes
 * any, so that the tests can have others in their place.
 *
 * What fails returns a negative errno. A signal does not make anything fail.
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

/* What is made may be read and written by its owner alone. */
int uev_sys_perf_open(const char *path, int flags);
void uev_sys_perf_close(int fd);
ssize_t uev_sys_perf_read(int fd, void *to, size_t size);
ssize_t uev_sys_perf_pread(int fd, void *to, size_t size, uint64_t offset);
ssize_t uev_sys_perf_pwrite(int fd, const void *from, size_t size,
			    uint64_t offset);
int uev_sys_perf_sync(int fd);
int uev_sys_perf_rename(const char *from, const char *to);
void uev_sys_perf_unlink(const char *path);

/* Whether there is nothing, or a file: a device is not to be replaced. */
bool uev_sys_perf_may_replace(const char *path);

/* The size of a file, or -ESPIPE where one cannot read at an offset. */
int64_t uev_sys_perf_size(int fd);

/*
 * Calls @each for every name in a directory but "." and "..", until it returns
 * something else than 0, which is returned.
 */
int uev_sys_perf_list(const char *path,
		      int (*each)(void *data, const char *name), void *data);

int uev_sys_perf_clock(clockid_t clock, uint64_t *nanoseconds);
int uev_sys_perf_clock_step(clockid_t clock, uint64_t *nanoseconds);
size_t uev_sys_perf_page_size(void);
pid_t uev_sys_perf_pid(void);
int uev_sys_perf_machine(struct utsname *machine);
/* How many processors there are; 0 when that cannot be told. */
uint32_t uev_sys_perf_cpus(bool online);

#endif
