// SPDX-License-Identifier: MIT
#include "capture/workload.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Exit statuses of a shell for a command that cannot be run. */
#define EXIT_NOT_EXECUTABLE 126
#define EXIT_NOT_FOUND 127

/* Mounts of either namespace still appear in the other if they are shared. */
static void set_apart(int execs, int failed)
{
	int error = 0;

	close(execs);
	if (unshare(CLONE_NEWNS))
		error = errno;
	while (write(failed, &error, sizeof(error)) < 0 && errno == EINTR)
		continue;
}

/* Runs in the child, until it is started or cancelled. */
static _Noreturn void exec_workload(char **command, int go, int failed)
{
	char byte;
	int error;

	/* Otherwise the command would ignore the signals, too. */
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (read(go, &byte, 1) == 1) {
		execvp(command[0], command);
		error = errno;
		/* An error cannot be reported if the parent has exited. */
		while (write(failed, &error, sizeof(error)) < 0 &&
		       errno == EINTR)
			continue;
	}
	_exit(EXIT_NOT_FOUND);
}

static void close_pair(const int *pair)
{
	close(pair[0]);
	close(pair[1]);
}

/* Return: what the process wrote; 0 if it wrote nothing */
static int read_error(const struct capture_workload *workload)
{
	int error = 0;

	while (read(workload->failed, &error, sizeof(error)) < 0 &&
	       errno == EINTR)
		continue;

	return error;
}

int capture_workload_fork(struct capture_workload *workload, char **command)
{
	int go[2], failed[2], error;

	if (pipe2(go, O_CLOEXEC) < 0)
		return -errno;
	if (pipe2(failed, O_CLOEXEC) < 0) {
		error = errno;
		close_pair(go);
		return -error;
	}

	workload->pid = fork();
	if (workload->pid < 0) {
		error = errno;
		close_pair(go);
		close_pair(failed);
		*workload = (struct capture_workload){ 0 };
		return -error;
	}
	if (!workload->pid) {
		close(go[1]);
		close(failed[0]);
		if (workload->execs)
			set_apart(workload->execs, failed[1]);
		exec_workload(command, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	workload->go = go[1];
	workload->failed = failed[0];
	workload->is_apart = workload->execs && !read_error(workload);

	return 0;
}

static void set_status(struct capture_workload *workload, int status)
{
	workload->has_ended = true;
	workload->status = WIFEXITED(status) ? WEXITSTATUS(status)
					     : 128 + WTERMSIG(status);
}

static void wait_for_exit(struct capture_workload *workload)
{
	int status;

	while (waitpid(workload->pid, &status, 0) < 0)
		if (errno != EINTR)
			return;
	set_status(workload, status);
}

void capture_workload_go(struct capture_workload *workload)
{
	/* It could have been killed, which the next poll detects. */
	while (write(workload->go, "", 1) < 0 && errno == EINTR)
		continue;
	close(workload->go);
	workload->go = -1;
}

int capture_workload_result(struct capture_workload *workload)
{
	/* The pipe is closed by a successful execvp(). */
	int error = read_error(workload);

	close(workload->failed);
	workload->failed = -1;
	if (!error)
		return 0;

	wait_for_exit(workload);
	workload->status = error == ENOENT ? EXIT_NOT_FOUND
					   : EXIT_NOT_EXECUTABLE;

	return -error;
}

bool capture_workload_poll(struct capture_workload *workload)
{
	int status;

	if (!workload->has_ended &&
	    waitpid(workload->pid, &status, WNOHANG) == workload->pid)
		set_status(workload, status);

	return workload->has_ended;
}

void capture_workload_finish(struct capture_workload *workload)
{
	if (!workload->pid || workload->has_ended)
		return;
	if (workload->go >= 0) {
		close(workload->go);
		close(workload->failed);
		workload->go = -1;
		wait_for_exit(workload);
	}
}
