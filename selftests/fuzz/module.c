// SPDX-License-Identifier: GPL-2.0-only
/* Operations on the module: unloading, loading, and its limit of events. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../lib/user_events.h"
#include "execute.h"
#include "operations.h"

/* A file that every process can open, with a new open file each time. */
#define LOCK_FILE "/proc/self/exe"

/* Attempts to take the lock, 1 ms apart. */
#define LOCK_TRIES 50

const char *module_file;

/* Return: a lock for module_unlock(), or -1. */
int module_lock(enum module_lock_mode mode)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int how = mode == MODULE_LOCK_OPEN ? LOCK_SH : LOCK_EX;
	int fd = open(LOCK_FILE, O_RDONLY | O_CLOEXEC);
	int tries;

	for (tries = 0; fd >= 0 && tries < LOCK_TRIES; tries++) {
		if (!flock(fd, how | LOCK_NB))
			return fd;
		nanosleep(&pause, NULL);
	}
	if (fd >= 0)
		close(fd);

	return -1;
}

void module_unlock(int lock)
{
	close(lock);
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
	int lock = module_lock(MODULE_LOCK_UNLOAD);

	(void)operation;
	if (lock < 0)
		return;
	count_call(module_unload());
	module_unlock(lock);
}

/* A process that was started by execute_exec() does not know the path. */
void do_load(const struct operation *operation)
{
	if (!module_file)
		return;
	if (!count_call(module_load(operation->text)))
		shared->module_changed = true;
}

/* Changes the maximum number of events. */
void do_limit(const struct operation *operation)
{
	static const char *const limits[] = { "0", "1", "2",	 "5",
					      "6", "x", "32768", "-1" };

	count_call(
		write_file(limits[operation->arguments[0] % ARRAY_SIZE(limits)],
			   "/proc/sys/kernel/user_events_max"));
}
