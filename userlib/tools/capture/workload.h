/* SPDX-License-Identifier: MIT */
/*
 * user-events: a command that is run to be looked at.
 */
#ifndef USER_EVENTS_LIVE_WORKLOAD_H
#define USER_EVENTS_LIVE_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * struct live_workload - a process that waits to become a command
 * @pid: its number; 0: there is none
 * @has_ended: it has, and @status is what is left of it
 * @status: as a shell tells it: that of exit(3), or 128 and a signal
 * @go: it begins when this is closed after something was written
 * @failed: from where it says that the command cannot be run
 */
struct live_workload {
	pid_t pid;
	bool has_ended;
	int status;
	int go;
	int failed;
};

/* Return: 0, or a negative errno, with nothing left. */
int live_workload_make(struct live_workload *workload, char **command);

/*
 * live_workload_go() - has it become the command
 * Return: 0, or what execvp(3) answers; it has ended then
 */
int live_workload_go(struct live_workload *workload);

/* Whether it has ended by now. */
bool live_workload_look(struct live_workload *workload);

/* Gives it up: one that waits still never becomes the command. */
void live_workload_end(struct live_workload *workload);

#endif
