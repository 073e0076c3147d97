/* SPDX-License-Identifier: MIT */
/*
 * The system calls of the library. Nothing else makes any, so that the tests
 * can have others in their place.
 *
 * What fails returns a negative errno.
 */
#ifndef USEREVENTS_SYS_H
#define USEREVENTS_SYS_H

#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

int uev_sys_open(const char *path, int flags);
int uev_sys_close(int fd);
int uev_sys_ioctl(int fd, unsigned long request, void *argument);
ssize_t uev_sys_writev(int fd, const struct iovec *vector, int count);

#endif
