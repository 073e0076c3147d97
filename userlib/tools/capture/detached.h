/* SPDX-License-Identifier: MIT */
/*
 * user-events: programs that perf does not follow.
 *
 * When a process executes a program with other rights, or one that its user cannot
 * read, the kernel removes the perf events that the process has inherited.
 */
#ifndef USER_EVENTS_CAPTURE_DETACHED_H
#define USER_EVENTS_CAPTURE_DETACHED_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * capture_is_detached() - Tests whether perf events of a process end
 * @pid: the process, which waits for the execution
 * @path: of the program
 *
 * Access control lists are not looked at.
 */
bool capture_is_detached(pid_t pid, const char *path);

#endif
