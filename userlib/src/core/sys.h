/* SPDX-License-Identifier: MIT */
/*
 * The system calls of the library. Nothing else makes any, so that the tests
 * can have others in their place.
 *
 * What fails returns a negative errno.
 */
#ifndef USEREVENTS_CORE_SYS_H
#define USEREVENTS_CORE_SYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

int uev_sys_open(const char *path, int flags);
int uev_sys_close(int fd);
ssize_t uev_sys_read(int fd, void *buffer, size_t size);
ssize_t uev_sys_writev(int fd, const struct iovec *vector, int count);
int uev_sys_ioctl(int fd, unsigned long request, void *argument);

/* A duplicate that is @lowest or higher, and not for other programs. */
int uev_sys_duplicate(int fd, int lowest);

/* O_RDONLY, O_WRONLY or O_RDWR; -EBADF if nothing is open by that number. */
int uev_sys_access(int fd);

/* Whether a tracefs is mounted at or above a path. */
bool uev_sys_is_tracefs(const char *path);

/* The first page of a file, to read; *@page is set if 0 is returned. */
int uev_sys_map(int fd, const void **page);
void uev_sys_unmap(const void *page);

/* Milliseconds since some time; never goes back. */
uint64_t uev_sys_now(void);

#endif
