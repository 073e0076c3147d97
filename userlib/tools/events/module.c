// SPDX-License-Identifier: MIT
#include "events/module.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "events/report.h"
#include "events/users.h"
#include "files.h"
#include "ui/out.h"
#include "tool.h"

#define MODULE "user_events"
#define SYSCTL "/proc/sys/kernel/user_events_max"

/* The kernel rejects lines of its log of more than 1024 bytes. */
#define LOG_HOLDERS_MAX 900

/* Interval at which the programs are examined. */
#define POLL_NS 250000000

/* Ends the waiting without harm; later signals are delivered at the end. */
static sigset_t end_signals;

/* ---- Waiting ---- */

/* Return: false after a signal that ends the program. */
static bool pause_until_poll(void)
{
	struct timespec time = { 0, POLL_NS };

	return sigtimedwait(&end_signals, NULL, &time) < 0;
}

/* ---- The old module ---- */

/* One line in the kernel log, which the administrator of rmmod reads. */
static void log_holders(const char *holders)
{
	_cleanup_free_ char *some = users_shorten(holders, LOG_HOLDERS_MAX);
	_cleanup_free_ char *line = tool_print(
		"<4>" MODULE ": cannot unload: in use by %s\n", some);

	(void)files_write("/dev/kmsg", line);
}

/* Asks programs to let go, or to come back. */
static int ask_users(const struct module_reload *reload, bool is_asking)
{
	struct stat about;
	mode_t mode;

	if (stat(reload->data, &about))
		return -errno;
	mode = (about.st_mode & 0777) | (is_asking ? S_ISVTX : 0);

	return chmod(reload->data, mode) ? -errno : 0;
}

/* Return: whether no process holds anything any more. */
static bool wait_for_users(const struct module_reload *reload,
			   struct users *users)
{
	uint64_t end = tool_now() + reload->timeout * 1000;

	/* Processes can be missing in a list that is too large to be read. */
	users_find(users, "/proc", reload->tracefs, getpid());
	while (users->count || users->list_error) {
		if (tool_now() >= end || !pause_until_poll())
			return false;
		users_free(users);
		users_find(users, "/proc", reload->tracefs, getpid());
	}

	return true;
}

static int let_go(const struct module_reload *reload)
{
	_cleanup_(users_free) struct users users = { 0 };
	_cleanup_free_ char *names = NULL;
	int err = ask_users(reload, true);

	if (err)
		return tool_error_of(err, "%s: cannot set the sticky bit",
				     reload->data);
	if (wait_for_users(reload, &users))
		return TOOL_OK;
	if (users.list_error)
		tool_error_of(users.list_error,
			      "%s/user_events_enablers: cannot read",
			      reload->tracefs);
	if (!users.count)
		return TOOL_FAILED;
	names = users_text(&users);
	tool_error("did not let go: %s", names);
	tool_hint("stop these programs, see user-events-reload(1)");
	log_holders(names);

	return TOOL_FAILED;
}

static void add_events(struct uev_output *to, const char *tracefs)
{
	_cleanup_(events_free) struct events events;
	size_t i;

	events_read(&events, tracefs);
	for (i = 0; i < events.count; i++)
		tool_list_add(to, "event %s", events.events[i].name);
	if (!to->size)
		tool_list_add(to, "an unknown reference");
}

static void add_tracers(struct uev_output *to)
{
	_cleanup_(users_free) struct users tracers;
	_cleanup_free_ char *names = NULL;

	users_find_open(&tracers, "/proc", PERF_EVENT_FILE, getpid());
	names = users_text(&tracers);
	if (tracers.count)
		tool_list_add(to, "perf events of %s", names);
}

/* References of exited processes are dropped in the background. */
static int unload_module(const struct module_reload *reload)
{
	_cleanup_(uev_output_release) struct uev_output holders =
		UEV_OUTPUT_INIT;
	uint64_t end = tool_now() + reload->timeout * 1000;
	int err;

	do {
		err = syscall(SYS_delete_module, MODULE, O_NONBLOCK) ? -errno
								     : 0;
	} while (err == -EWOULDBLOCK && tool_now() < end && pause_until_poll());
	if (!err)
		return TOOL_OK;
	if (err != -EWOULDBLOCK)
		return tool_error_of(err, MODULE ": cannot unload");
	/* No process holds it, but an event or a tracer does. */
	add_events(&holders, reload->tracefs);
	add_tracers(&holders);
	tool_error(MODULE ": in use by %s", holders.text);
	tool_hint("stop the tracers of these events");
	log_holders(holders.text);

	return TOOL_FAILED;
}

/* ---- The new module ---- */

static int load_module(char **command)
{
	posix_spawnattr_t attributes;
	sigset_t none;
	pid_t child;
	int status = 0, err;

	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	err = posix_spawnp(&child, command[0], NULL, &attributes, command,
			   environ);
	posix_spawnattr_destroy(&attributes);
	if (err)
		return tool_error_of(-err, "%s: cannot execute", command[0]);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (status) {
		tool_error("%s: failed, see dmesg and the journal", command[0]);
		return TOOL_FAILED;
	}

	return TOOL_OK;
}

/* Events of programs exist again when the programs have come back. */
static int restore_events(const struct module_reload *reload)
{
	size_t count = reload->state.events.count;
	_cleanup_free_ bool *restored = tool_alloc((count + 1) * sizeof(bool));
	uint64_t end = tool_now() + reload->timeout * 1000;
	unsigned int failures, missing;

	failures = state_restore_files(&reload->state);
	do {
		missing = state_restore_uses(&reload->state, restored);
	} while (missing && tool_now() < end && pause_until_poll());
	failures += state_report_uses(&reload->state, restored);

	return failures ? TOOL_INCOMPLETE : TOOL_OK;
}

/* ---- All steps ---- */

/* Tells programs to come back to the old module. */
static int give_up(const struct module_reload *reload)
{
	(void)ask_users(reload, false);

	return TOOL_FAILED;
}

static int replace_module(struct module_reload *reload)
{
	int status = let_go(reload);

	if (status)
		return give_up(reload);
	state_clear(&reload->state);
	if (unload_module(reload)) {
		give_up(reload);
		(void)restore_events(reload);
		return TOOL_FAILED;
	}
	status = load_module(reload->command);
	if (!access(reload->data, F_OK))
		return restore_events(reload) || status ? TOOL_INCOMPLETE
							: TOOL_OK;

	if (!status)
		tool_error("%s: does not exist, see dmesg", reload->data);
	tool_hint("load the module and define the events again");

	return TOOL_FAILED;
}

static int replace_without_signals(struct module_reload *reload)
{
	sigset_t before;
	int status;

	sigemptyset(&end_signals);
	sigaddset(&end_signals, SIGHUP);
	sigaddset(&end_signals, SIGINT);
	sigaddset(&end_signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &end_signals, &before);
	status = replace_module(reload);
	if (!status)
		out_print("replaced, %u events restored\n",
			  state_count(&reload->state));
	sigprocmask(SIG_SETMASK, &before, NULL);

	return status;
}

int module_replace(struct module_reload *reload)
{
	_cleanup_free_ char *data =
		tool_print("%s/user_events_data", reload->tracefs);
	int err = state_save(&reload->state, reload->tracefs, SYSCTL), status;

	if (err)
		return tool_error_of(err, "%s: cannot save its state",
				     reload->tracefs);
	reload->data = data;
	status = replace_without_signals(reload);
	state_free(&reload->state);

	return status;
}
