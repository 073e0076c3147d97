/* SPDX-License-Identifier: MIT */
/* user-events: a command whose events are collected. */
#ifndef USER_EVENTS_CAPTURE_WORKLOAD_H
#define USER_EVENTS_CAPTURE_WORKLOAD_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * struct capture_workload - A process that waits to become a command
 * @pid: its ID; 0: none
 * @has_ended: it has exited with @status
 * @status: as in a shell: exit status, or 128 plus the signal
 * @go: a pipe; the process starts after a byte and the close
 * @failed: a pipe with the error of execvp()
 */
struct capture_workload {
	pid_t pid;
	bool has_ended;
	int status;
	int go;
	int failed;
};

/* Return: 0, or a negative errno, and there is no process. */
int capture_workload_fork(struct capture_workload *workload, char **command);

/*
 * capture_workload_start() - Starts the command
 * Return: 0, or an error of execvp(3), and the process has exited
 */
int capture_workload_start(struct capture_workload *workload);

/* Tests whether it has exited. */
bool capture_workload_poll(struct capture_workload *workload);

/*
 * Releases it. A process that still waits exits without becoming the command.
 */
void capture_workload_finish(struct capture_workload *workload);

#endif
