// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "core/process.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/retry_thread.h"
#include "core/sys.h"
#include "core/writers.h"
#include "util/alloc.h"

/* Minimum interval of searches for user_events, in milliseconds. */
#define RETRY_INTERVAL_MS 1000

/* Environment variable with the path of a broker's socket */
#define BROKER_VARIABLE "USER_EVENTS_SOCKET"

/* Time of an action that is not repeated at once. */
struct attempt {
	bool was_made;
	uint64_t when;
	int error;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether the owner of the lock can be cancelled without it. */
static int cancel_state;

/*
 * Protected by the lock.
 * @kernel: the open user_events
 * @path: path to search, NULL for @broker or the usual ones; owned
 * @broker: socket of a broker, from the environment; empty: none
 * @lowest: lowest number of the next file
 * @error: result of the last search
 * @locate: time of the last search, or of the last attempt for pending events
 * @reopen: time and result of the last reopen that failed
 * @reopen_same: those of the last one of a writer that failed
 */
static struct {
	struct uev_kernel kernel;
	char *path;
	char broker[sizeof(((struct uev_kernel *)NULL)->path)];
	int lowest;
	int error;
	struct attempt locate;
	struct attempt reopen;
	struct attempt reopen_same;
} process = { .kernel = { .fd = -1 } };

static void before_fork(void)
{
	pthread_mutex_lock(&lock);
	uev_retry_thread_before_fork();
}

static void after_fork_in_parent(void)
{
	uev_retry_thread_after_fork(false);
	pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void)
{
	uev_writers_after_fork();
	uev_retry_thread_after_fork(true);
	pthread_mutex_unlock(&lock);
}

/*
 * A path that is too long is truncated, and then not found. Privileged programs
 * ignore the variable, whose value comes from another user.
 */
void uev_process_read_environment(void)
{
	const char *path = secure_getenv(BROKER_VARIABLE);

	snprintf(process.broker, sizeof(process.broker), "%s",
		 path ? path : "");
}

/*
 * Programs can change their environment at any time, and other threads must not
 * read it then.
 */
__attribute__((__constructor__(101))) static void read_environment(void)
{
	uev_process_read_environment();
}

/*
 * At load, because unloading removes the handlers of a shared object, and a
 * later call, such as that of its last destructors, must not install them again.
 */
__attribute__((__constructor__(102))) static void install_fork_handlers(void)
{
	/*
	 * Without memory for the handlers, a fork() during a call leaves the
	 * child locked.
	 */
	(void)pthread_atfork(before_fork, after_fork_in_parent,
			     after_fork_in_child);
}

void uev_lock(void)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	pthread_mutex_lock(&lock);
	cancel_state = state;
}

void uev_unlock(void)
{
	int state = cancel_state;

	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(state, &state);
}

/*
 * No signal handler interrupts the owner: it could fork(), whose handler would
 * wait for the lock, or not return.
 */
bool uev_trylock(sigset_t *before)
{
	sigset_t all;
	int state;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	if (!pthread_mutex_trylock(&lock)) {
		cancel_state = state;
		return true;
	}
	pthread_setcancelstate(state, &state);
	pthread_sigmask(SIG_SETMASK, before, NULL);

	return false;
}

void uev_unlock_signals(const sigset_t *before)
{
	uev_unlock();
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

const struct uev_kernel *uev_process_kernel(void)
{
	return &process.kernel;
}

static bool is_open(void)
{
	return process.kernel.abi != UEV_ABI_NONE;
}

static bool attempt_allowed(struct attempt *attempt)
{
	uint64_t now = uev_sys_now();

	if (attempt->was_made && now - attempt->when < RETRY_INTERVAL_MS)
		return false;
	attempt->was_made = true;
	attempt->when = now;

	return true;
}

/*
 * The interval starts when the attempt ends: one that waits for a broker takes as
 * long as the interval, and each write would wait.
 */
static void end_attempt(struct attempt *attempt)
{
	attempt->when = uev_sys_now();
}

/* The path to search, NULL for the usual ones */
static const char *path_to_search(void)
{
	if (!process.path && process.broker[0])
		return process.broker;

	return process.path;
}

bool uev_process_retry_allowed(void)
{
	return attempt_allowed(&process.locate);
}

int uev_process_locate(void)
{
	if (!is_open() && uev_process_retry_allowed()) {
		process.error = uev_kernel_find(
			&process.kernel, path_to_search(), process.lowest);
		end_attempt(&process.locate);
	}

	return process.error;
}

int uev_process_error(void)
{
	return process.error;
}

enum uev_kernel_state uev_process_state(void)
{
	return is_open() ? uev_kernel_state(&process.kernel) : UEV_KERNEL_OPEN;
}

void uev_process_close(void)
{
	/* A writer that still has the number must find the file closed. */
	process.lowest = process.kernel.fd + 1;
	uev_kernel_close(&process.kernel);
	process.error = -ESHUTDOWN;
	/* The next search is a second later. */
	(void)uev_process_retry_allowed();
}

/* Only failures are limited: the program can close the file again at once. */
static int end_reopen(struct attempt *attempt, int err)
{
	end_attempt(attempt);
	attempt->error = err;
	if (!err)
		attempt->was_made = false;

	return err;
}

int uev_process_reopen(void)
{
	if (!attempt_allowed(&process.reopen))
		return process.reopen.error;

	return end_reopen(&process.reopen,
			  uev_kernel_reopen(&process.kernel, path_to_search()));
}

int uev_process_reopen_same(void)
{
	if (!attempt_allowed(&process.reopen_same))
		return process.reopen_same.error;

	return end_reopen(&process.reopen_same,
			  uev_kernel_reopen_same(&process.kernel));
}

int uev_process_set_path(const char *path)
{
	char *copy = NULL;

	if (is_open())
		return -EBUSY;
	if (path && strlen(path) >= sizeof(process.kernel.path))
		return -ENAMETOOLONG;
	if (path) {
		copy = uev_strdup(path);
		if (!copy)
			return -ENOMEM;
	}
	free(process.path);
	process.path = copy;
	process.locate.was_made = false;

	return 0;
}

int uev_process_set_files(int data, int status)
{
	int err;

	if (is_open())
		return -EBUSY;
	err = uev_kernel_adopt(&process.kernel, data, status, process.lowest);
	if (!err)
		process.error = 0;

	return err;
}

void uev_process_release(void)
{
	uev_kernel_close(&process.kernel);
	uev_kernel_forget_header();
	free(process.path);
	process.path = NULL;
	process.lowest = 0;
	process.error = 0;
	process.locate.was_made = false;
	process.reopen.was_made = false;
	process.reopen_same.was_made = false;
}
