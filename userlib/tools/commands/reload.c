// SPDX-License-Identifier: MIT
/* user-events reload: replaces the module. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "events/report.h"
#include "events/state.h"
#include "events/users.h"
#include "files.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

#define MODULE "user_events"
#define SYSCTL "/proc/sys/kernel/user_events_max"
#define SERVICE "/etc/user-events.conf"

#define DEFAULT_TIMEOUT_S 30
#define MAX_TIMEOUT_S 3600

/* The kernel rejects lines of its log of more than 1024 bytes. */
#define LOG_HOLDERS_MAX 900

/* Interval at which the programs are examined. */
#define POLL_NS 250000000

/* Ends the waiting without harm; later signals are delivered at the end. */
static sigset_t end_signals;

/*
 * struct reload - The replacement of the module
 * @tracefs: path of tracefs
 * @data: path of user_events_data
 * @timeout: seconds to wait for programs
 * @command: command that loads the new module
 * @state: saved state
 */
struct reload {
	char *tracefs;
	char *data;
	uint64_t timeout;
	char **command;
	struct state state;
};

/* ---- Waiting ---- */

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);

	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

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
	char *some = users_shorten(holders, LOG_HOLDERS_MAX);
	char *line = tool_print("<4>" MODULE ": cannot unload: in use by %s\n",
				some);

	(void)files_write("/dev/kmsg", line);
	free(line);
	free(some);
}

/* Asks programs to let go, or to come back. */
static int ask(const struct reload *reload, bool is_asking)
{
	struct stat about;
	mode_t mode;

	if (stat(reload->data, &about))
		return -errno;
	mode = (about.st_mode & 0777) | (is_asking ? S_ISVTX : 0);

	return chmod(reload->data, mode) ? -errno : 0;
}

/* Return: whether no process holds anything any more. */
static bool wait_for_users(const struct reload *reload, struct users *users)
{
	uint64_t end = now_ms() + reload->timeout * 1000;

	users_find(users, "/proc", reload->tracefs, getpid());
	while (users->count) {
		if (now_ms() >= end || !pause_until_poll())
			return false;
		users_free(users);
		users_find(users, "/proc", reload->tracefs, getpid());
	}

	return true;
}

static int let_go(const struct reload *reload)
{
	struct users users;
	char *names;
	int err = ask(reload, true), status = TOOL_OK;

	if (err)
		return tool_error_of(err, "%s: cannot set the sticky bit",
				     reload->data);
	if (!wait_for_users(reload, &users)) {
		names = users_text(&users);
		tool_error("did not let go: %s", names);
		tool_hint("stop these programs, see user-events-reload(1)");
		log_holders(names);
		status = TOOL_FAILED;
	}
	users_free(&users);

	return status;
}

/* Describes what holds the module when no process does; for free(). */
static char *describe_events(const struct reload *reload)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	struct processes tracers;
	struct events events;
	char *item;
	size_t i;

	if (events_read(&events, reload->tracefs) == 0) {
		for (i = 0; i < events.count; i++)
			tool_list_add(&text, "event %s", events.events[i].name);
		events_free(&events);
	}
	if (!text.size)
		tool_list_add(&text, "an unknown reference");
	processes_find(&tracers, "/proc", PERF_EVENT_FILE, getpid());
	if (tracers.count) {
		item = processes_text(&tracers);
		tool_list_add(&text, "perf events of %s", item);
		free(item);
	}
	processes_free(&tracers);

	return text.text;
}

/* References of exited processes are dropped in the background. */
static int unload(const struct reload *reload)
{
	uint64_t end = now_ms() + reload->timeout * 1000;
	char *holders;
	int err;

	do {
		err = syscall(SYS_delete_module, MODULE, O_NONBLOCK) ? -errno
								     : 0;
	} while (err == -EWOULDBLOCK && now_ms() < end && pause_until_poll());
	if (!err)
		return TOOL_OK;
	if (err != -EWOULDBLOCK)
		return tool_error_of(err, MODULE ": cannot unload");
	holders = describe_events(reload);
	tool_error(MODULE ": in use by %s", holders);
	tool_hint("stop the tracers of these events");
	log_holders(holders);
	free(holders);

	return TOOL_FAILED;
}

/* ---- The new module ---- */

static int load(char **command)
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
		tool_error("%s: failed, see dmesg", command[0]);
		return TOOL_FAILED;
	}

	return TOOL_OK;
}

/* Events of programs exist again when the programs have come back. */
static int restore(const struct reload *reload)
{
	size_t count = reload->state.events.count;
	bool *restored = tool_alloc((count + 1) * sizeof(bool));
	uint64_t end = now_ms() + reload->timeout * 1000;
	unsigned int failures, missing;

	failures = state_restore_files(&reload->state);
	do {
		missing = state_restore_uses(&reload->state, restored);
	} while (missing && now_ms() < end && pause_until_poll());
	failures += state_report_uses(&reload->state, restored);
	free(restored);

	return failures ? TOOL_INCOMPLETE : TOOL_OK;
}

/* ---- The command ---- */

/* Tells programs to come back to the old module. */
static int give_up(const struct reload *reload)
{
	(void)ask(reload, false);

	return TOOL_FAILED;
}

static int replace(struct reload *reload)
{
	int status = let_go(reload);

	if (status)
		return give_up(reload);
	state_clear(&reload->state);
	if (unload(reload)) {
		give_up(reload);
		(void)restore(reload);
		return TOOL_FAILED;
	}
	status = load(reload->command);
	if (!status && access(reload->data, F_OK)) {
		tool_error("%s: does not exist, see dmesg", reload->data);
		status = TOOL_FAILED;
	}
	if (status) {
		tool_hint("load the module and define the events again");
		return status;
	}

	return restore(reload);
}

static int reload_module(struct reload *reload)
{
	sigset_t before;
	int status, err;

	reload->data = tool_print("%s/user_events_data", reload->tracefs);
	err = state_save(&reload->state, reload->tracefs, SYSCTL);
	if (err)
		return tool_error_of(err, "%s: cannot read events",
				     reload->tracefs);
	sigemptyset(&end_signals);
	sigaddset(&end_signals, SIGHUP);
	sigaddset(&end_signals, SIGINT);
	sigaddset(&end_signals, SIGTERM);
	sigprocmask(SIG_BLOCK, &end_signals, &before);
	status = replace(reload);
	if (!status)
		out_print("replaced, %u events restored\n",
			  state_count(&reload->state));
	sigprocmask(SIG_SETMASK, &before, NULL);
	state_free(&reload->state);

	return status;
}

static int take_option(void *data, int option, const char *argument)
{
	struct reload *reload = data;

	(void)option;
	if (tool_number(argument, 1, MAX_TIMEOUT_S, &reload->timeout))
		return TOOL_OK;

	return tool_usage(&command_reload,
			  "--timeout=%s: not a number from 1 "
			  "to %d",
			  argument, MAX_TIMEOUT_S);
}

/* The service also sets permissions and defines events. */
static char **default_command(void)
{
	static char *service[] = { "systemctl", "restart", "user-events",
				   NULL };
	static char *modprobe[] = { "modprobe", MODULE, NULL };

	return access(SERVICE, F_OK) == 0 &&
			       access("/run/systemd/system", F_OK) == 0
		       ? service
		       : modprobe;
}

enum {
	OPTION_TIMEOUT = OPTION_FIRST,
};

static int run(int argc, char **argv)
{
	struct reload reload = { .timeout = DEFAULT_TIMEOUT_S };
	const struct tool_options options = {
		.has_first_argument = true,
		.take = take_option,
		.data = &reload,
	};
	int status = tool_parse_common(&command_reload, &options, argc, argv);

	if (status)
		return status;
	reload.command = optind < argc ? argv + optind : default_command();
	if (access("/sys/module/" MODULE, F_OK)) {
		tool_error(MODULE ": the module is not loaded");
		tool_hint("run \"user-events doctor\"");
		return TOOL_FAILED;
	}
	status = events_find_tracefs(&reload.tracefs);
	if (!status)
		status = reload_module(&reload);
	free(reload.data);
	free(reload.tracefs);

	return status;
}

static const struct tool_option own_options[] = {
	{ "timeout", OPTION_TIMEOUT, "SECONDS",
	  "wait so long for programs (default: 30)" },
	{ 0 },
};

const struct tool_command command_reload = {
	.name = "reload",
	.arguments = "[--timeout=SECONDS] [--] [COMMAND [ARGUMENT...]]",
	.summary = "Replace the module without stopping programs",
	.help = "Asks programs with libuserevents to let go of the module, unloads it, and runs\n"
		"COMMAND, which loads the new one (default: the service user-events if it is\n"
		"installed, or modprobe user_events). Restores modes and owners of files,\n"
		"persistent events, and filters, triggers and enabled events of ftrace. If a\n"
		"program does not let go in time, it is named, and nothing else changes.\n",
	.options = (const struct tool_option *const[]){ own_options, NULL },
	.run = run,
};
