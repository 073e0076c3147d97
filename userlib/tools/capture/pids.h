/* SPDX-License-Identifier: MIT */
/* user-events: processes by their ID or name. */
#ifndef USER_EVENTS_CAPTURE_PIDS_H
#define USER_EVENTS_CAPTURE_PIDS_H

#include <stddef.h>
#include <sys/types.h>

/* @count processes at @pids, for free(); zeros are none */
struct capture_pids {
	pid_t *pids;
	size_t count;
};

/*
 * capture_pids_add() - Adds processes
 * @text: an ID, or a name as in /proc/PID/comm, of which the first 15 bytes count
 * @proc: path of procfs
 *
 * Return: 0; -EINVAL for an invalid ID or an empty name; -ESRCH if no process,
 *         other than the caller, has the name
 */
int capture_pids_add(struct capture_pids *pids, const char *text,
		     const char *proc);

#endif
