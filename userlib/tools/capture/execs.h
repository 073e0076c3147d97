/* SPDX-License-Identifier: MIT */
/*
 * user-events: programs that a command and its descendants execute.
 *
 * The kernel waits with each of them until its file was read: fanotify(7) with
 * FAN_OPEN_EXEC_PERM on all mounts of the command, which has a mount namespace
 * of its own for this reason. Others are not affected, and all wait no longer
 * than this process exists. It needs CAP_SYS_ADMIN and Linux 5.0.
 */
#ifndef USER_EVENTS_CAPTURE_EXECS_H
#define USER_EVENTS_CAPTURE_EXECS_H

#include <sys/types.h>

/*
 * capture_execs_open() - Opens a descriptor, which a child process must close
 * Return: the descriptor; -1 if the kernel or the permissions do not allow it
 */
int capture_execs_open(void);

/*
 * capture_execs_watch() - Watches the mounts of a process
 * @fd: closed if that fails
 * Return: @fd, or -1
 */
int capture_execs_watch(int fd, pid_t pid);

/*
 * capture_execs_serve() - Calls a function for each program that waits
 * @take: gets a path of the file, and the process
 */
void capture_execs_serve(int fd,
			 void (*take)(void *data, const char *path, pid_t pid),
			 void *data);

/* Closes the descriptor, unless it is -1. What waits continues. */
void capture_execs_close(int *fd);

#endif
