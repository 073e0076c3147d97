// SPDX-License-Identifier: MIT
#include "capture/close.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tool.h"

/* Fewer events take less than a second. */
#define EVENTS_MIN 32

/*
 * Number of tests whether the other process has exited, and their interval. The
 * kernel takes about an interval for each event, so it is not worth waiting for
 * many.
 */
#define TRIES 100
#define TRIES_FOR_MANY 10
#define INTERVAL_US 10000

/*
 * Holds the descriptors until the other end of the pipe is closed. They are
 * closed when the process exits. It belongs to no terminal, and leaves standard
 * output to its readers.
 */
static _Noreturn void hold(int closed)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), fd;
	char byte;

	setsid();
	for (fd = STDIN_FILENO; fd <= STDERR_FILENO && null >= 0; fd++)
		dup2(null, fd);
	while (read(closed, &byte, 1) < 0 && errno == EINTR)
		continue;
	_exit(0);
}

/* Return: whether the process has exited */
static bool wait_for(pid_t process, uint32_t events)
{
	unsigned int tries = events > TRIES ? TRIES_FOR_MANY : TRIES, i;

	for (i = 0; i < tries; i++) {
		if (waitpid(process, NULL, WNOHANG) == process)
			return true;
		usleep(INTERVAL_US);
	}

	return false;
}

void capture_close_session(struct uev_session *session)
{
	pid_t process = -1;
	uint32_t count = 0;
	int closed[2];

	while (session && uev_session_source(session, count))
		count++;
	if (count < EVENTS_MIN || pipe2(closed, O_CLOEXEC) < 0) {
		uev_session_close(session);
		return;
	}
	process = fork();
	if (process == 0) {
		close(closed[1]);
		hold(closed[0]);
	}
	uev_session_close(session);
	close(closed[0]);
	close(closed[1]);
	if (process > 0 && !wait_for(process, count))
		tool_error("%u events are in use until process %d has closed "
			   "them",
			   count, (int)process);
}
