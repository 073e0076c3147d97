// SPDX-License-Identifier: MIT
/* user-events reload: replaces the module. */
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor/module_file.h"
#include "events/module.h"
#include "events/report.h"
#include "ui/options.h"

#define MODULE "user_events"
#define SERVICE "/etc/user-events.conf"

#define DEFAULT_TIMEOUT_S 30
#define MAX_TIMEOUT_S 3600

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

/* The module in memory can have been loaded from any file. */
static bool can_modprobe(void)
{
	_cleanup_free_ char *directory = NULL;
	_cleanup_free_ char *file = NULL;
	struct utsname kernel;

	uname(&kernel);
	directory = tool_print("/lib/modules/%s", kernel.release);
	file = module_file_find(directory, MODULE);

	return file;
}

static int check(bool has_command)
{
	if (access("/sys/module/" MODULE, F_OK)) {
		tool_error(MODULE ": the module is not loaded");
		tool_hint("run \"user-events doctor\"");
		return TOOL_FAILED;
	}
	if (!has_command && !can_modprobe()) {
		tool_error(MODULE ": modprobe does not find the module");
		tool_hint("install it, or use \"user-events reload -- insmod "
			  "FILE\"");
		return TOOL_FAILED;
	}

	return TOOL_OK;
}

static int run(int argc, char **argv)
{
	struct module_reload module = { .timeout = DEFAULT_TIMEOUT_S };
	int status = tool_parse_common(&command_reload, &module, argc, argv);

	if (status)
		return status;
	module.command = optind < argc ? argv + optind : default_command();
	status = check(optind < argc);
	if (!status)
		status = events_find_tracefs(&module.tracefs);
	if (!status)
		status = module_replace(&module);
	free(module.tracefs);

	return status;
}

static const struct tool_option own_options[] = {
	{ "timeout", 0, "SECONDS", "wait so long for programs (default: 30)",
	  SET_NUMBER(struct module_reload, timeout, 1, MAX_TIMEOUT_S) },
	{ 0 },
};

const struct tool_command command_reload = {
	.name = "reload",
	.arguments = "[--timeout=SECONDS] [--] [COMMAND [ARGUMENT...]]",
	.summary = "Replace the module while programs run",
	.help = "Asks programs with libuserevents to let go of the module, unloads it, and runs\n"
		"COMMAND, which loads the new one (default: the service user-events if it is\n"
		"installed, or modprobe user_events). Restores modes and owners of files,\n"
		"parameters, persistent events, and filters, triggers and enabled events of\n"
		"ftrace. If a program does not let go in time, the command prints its name,\n"
		"and changes nothing else.\n",
	.options = OPTION_TABLES({ own_options }),
	.has_first_argument = true,
	.changes_events = true,
	.run = run,
};
