// SPDX-License-Identifier: MIT
#include "core/process.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/retry_thread.h"
#include "core/sys.h"

/* How often user_events is looked for, in milliseconds. */
#define INTERVAL 1000

/* Something that is not tried again at once. */
struct attempt {
	bool was_made;
	uint64_t when;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/*
 * All under the lock.
 * @kernel: what is open
 * @place: where to look, NULL for the usual places; owned
 * @error: why nothing is open, if it was looked for
 * @look: when it was looked for, or what is pending was tried
 * @revival: when it was opened anew
 */
static struct {
	struct uev_kernel kernel;
	char *place;
	int error;
	struct attempt look;
	struct attempt revival;
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
	uev_retry_thread_after_fork(true);
	pthread_mutex_unlock(&lock);
}

static void begin(void)
{
	/* Without memory for it, a fork() in a bad moment keeps the lock. */
	(void)pthread_atfork(before_fork, after_fork_in_parent,
			     after_fork_in_child);
}

void uev_lock(void)
{
	pthread_once(&once, begin);
	pthread_mutex_lock(&lock);
}

bool uev_trylock(void)
{
	return !pthread_mutex_trylock(&lock);
}

void uev_unlock(void)
{
	pthread_mutex_unlock(&lock);
}

const struct uev_kernel *uev_process_kernel(void)
{
	return &process.kernel;
}

static bool is_open(void)
{
	return process.kernel.abi != UEV_ABI_NONE;
}

static bool may_attempt(struct attempt *attempt)
{
	uint64_t now = uev_sys_now();

	if (attempt->was_made && now - attempt->when < INTERVAL)
		return false;
	attempt->was_made = true;
	attempt->when = now;

	return true;
}

bool uev_process_may_try(void)
{
	return may_attempt(&process.look);
}

int uev_process_look(void)
{
	if (!is_open() && uev_process_may_try())
		process.error = uev_kernel_find(&process.kernel, process.place);

	return process.error;
}

int uev_process_error(void)
{
	return process.error;
}

bool uev_process_is_closed(void)
{
	return is_open() && uev_sys_access(process.kernel.fd) == -EBADF;
}

int uev_process_revive(void)
{
	if (!may_attempt(&process.revival))
		return -EBADF;

	return uev_kernel_again(&process.kernel, process.place);
}

int uev_process_set_place(const char *place)
{
	char *copy = NULL;

	if (is_open())
		return -EBUSY;
	if (place && strlen(place) >= sizeof(process.kernel.path))
		return -ENAMETOOLONG;
	if (place) {
		copy = strdup(place);
		if (!copy)
			return -ENOMEM;
	}
	free(process.place);
	process.place = copy;
	process.look.was_made = false;

	return 0;
}

int uev_process_set_files(int data, int status)
{
	int err;

	if (is_open())
		return -EBUSY;
	err = uev_kernel_adopt(&process.kernel, data, status);
	if (!err)
		process.error = 0;

	return err;
}

void uev_process_end(void)
{
	uev_kernel_close(&process.kernel);
	free(process.place);
	process.place = NULL;
	process.error = 0;
	process.look.was_made = false;
	process.revival.was_made = false;
}
