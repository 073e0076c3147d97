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
 * @execs: set by the caller: a descriptor that the process closes, after which it
 *        has a mount namespace of its own; 0: none
 * @is_apart: it has this namespace
 * @go: a pipe; the process starts after a byte and the close
 * @failed: a pipe with the error of execvp()
 */
struct capture_workload {
	pid_t pid;
	bool has_ended;
	int status;
	int execs;
	bool is_apart;
	int go;
	int failed;
};

/* Return: 0, or a negative errno, and there is no process. */
int capture_workload_fork(struct capture_workload *workload, char **command);

/*
 * capture_workload_go() - Starts the command
 * capture_workload_result() - Waits until it runs; @failed is readable then
 * Return: 0, or an error of execvp(3), and the process has exited
 */
void capture_workload_go(struct capture_workload *workload);
int capture_workload_result(struct capture_workload *workload);

/* Tests whether it has exited. */
bool capture_workload_poll(struct capture_workload *workload);

/*
 * Releases it. A process that still waits exits without becoming the command.
 */
void capture_workload_finish(struct capture_workload *workload);

#endif
