/* SPDX-License-Identifier: MIT */
/*
 * user-events: a command that is run to be looked at.
 */
#ifndef USER_EVENTS_CAPTURE_WORKLOAD_H
#define USER_EVENTS_CAPTURE_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * struct capture_workload - a process that waits to become a command
 * @pid: its number; 0: there is none
 * @has_ended: it has, and @status is what is left of it
 * @status: as a shell tells it: that of exit(3), or 128 and a signal
 * @go: it begins when this is closed after something was written
 * @failed: from where it says that the command cannot be run
 */
struct capture_workload {
	pid_t pid;
	bool has_ended;
	int status;
	int go;
	int failed;
};

/* Return: 0, or a negative errno, with nothing left. */
int capture_workload_fork(struct capture_workload *workload, char **command);

/*
 * capture_workload_start() - has it become the command
 * Return: 0, or what execvp(3) answers; it has ended then
 */
int capture_workload_start(struct capture_workload *workload);

/* Whether it has ended by now. */
bool capture_workload_poll(struct capture_workload *workload);

/* Gives it up: one that waits still never becomes the command. */
void capture_workload_finish(struct capture_workload *workload);

#endif
