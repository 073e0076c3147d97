// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module: unloaded whenever it lets itself be, and loaded again.
 */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../lib/user_events.h"
#include "execute.h"
#include "operations.h"

/* Something that every process can open, each time anew. */
#define LOCK "/proc/self/exe"

/* Who does not get its turn by then does without. */
#define TURN_TRIES 50

const char *module_file;

/* Return: to be given to turn_end(), or -1. */
int turn_take(enum turn turn)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	int how = turn == TURN_OPEN ? LOCK_SH : LOCK_EX;
	int fd = open(LOCK, O_RDONLY | O_CLOEXEC);
	int tries;

	for (tries = 0; fd >= 0 && tries < TURN_TRIES; tries++) {
		if (!flock(fd, how | LOCK_NB))
			return fd;
		nanosleep(&moment, NULL);
	}
	if (fd >= 0)
		close(fd);

	return -1;
}

void turn_end(int turn)
{
	close(turn);
}

bool module_is_loaded(void)
{
	return !access("/sys/module/user_events/refcnt", F_OK);
}

int module_load(const char *parameters)
{
	int fd = open(module_file, O_RDONLY | O_CLOEXEC);
	int error, done;

	if (fd < 0)
		return -1;
	done = (int)syscall(SYS_finit_module, fd, parameters, 0);
	error = errno;
	close(fd);
	errno = error;

	return done;
}

int module_unload(void)
{
	return (int)syscall(SYS_delete_module, "user_events", O_NONBLOCK);
}

void do_unload(const struct operation *operation)
{
	int turn = turn_take(TURN_UNLOAD);

	(void)operation;
	if (turn < 0)
		return;
	called(module_unload());
	turn_end(turn);
}

/* A new image of the program does not know where it is. */
void do_load(const struct operation *operation)
{
	if (!module_file)
		return;
	if (!called(module_load(operation->text)))
		shared->other_module = true;
}

/* How many events there may be. */
void do_limit(const struct operation *operation)
{
	static const char *const limits[] = { "0", "1", "2",	 "5",
					      "6", "x", "32768", "-1" };

	called(write_file(limits[operation->arguments[0] % ARRAY_SIZE(limits)],
			  "/proc/sys/kernel/user_events_max"));
}
