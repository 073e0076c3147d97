// SPDX-License-Identifier: MIT
/*
 * Functions that glibc has since 2.33, for shared objects that are built on this
 * machine and loaded in guests with an older one. Before, they were macros.
 */
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The struct that they fill is that of the kernel on machines with 64 bits. */
_Static_assert(sizeof(long) == 8, "the struct of the kernel differs");

int stat64(const char *path, void *to)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, to, 0);
}

int lstat64(const char *path, void *to)
{
	return (int)syscall(SYS_newfstatat, AT_FDCWD, path, to,
			    AT_SYMLINK_NOFOLLOW);
}

int fstat64(int fd, void *to)
{
	return (int)syscall(SYS_fstat, fd, to);
}
