// SPDX-License-Identifier: MIT
/*
 * user-events: defines, traces, decodes and diagnoses user_events.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

static const struct tool_command *const commands[] = {
	&command_list,	 &command_show,	   &command_add,    &command_del,
	&command_watch,	 &command_top,	   &command_stat,   &command_record,
	&command_decode, &command_latency, &command_doctor, &command_users,
	&command_reload,
};

static int help(void)
{
	size_t i;

	out_print("Usage: user-events COMMAND [ARGUMENT...]\n\n"
		  "Define, trace, decode and diagnose user_events.\n\n");
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		out_print("  %-8s %s\n", commands[i]->name,
			  commands[i]->summary);
	out_print(
		"\nRun \"user-events COMMAND --help\" for the options of a command.\n"
		"Exit status: 0 success, 1 failure, 2 invalid arguments, 3 no such event,\n"
		"4 success, but records were lost or malformed.\n");

	return TOOL_OK;
}

static const struct tool_command *find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];

	return NULL;
}

int main(int argc, char **argv)
{
	const struct tool_command *command;
	int status;

	/* Makes a write to a closed pipe fail with EPIPE, so that files are removed. */
	signal(SIGPIPE, SIG_IGN);

	if (argc < 2) {
		tool_error("no command given");
		tool_hint("see \"user-events --help\"");
		return TOOL_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		command = argc > 2 ? find(argv[2]) : NULL;
		status = command ? tool_help(command) : help();
	} else if (strcmp(argv[1], "--version") == 0) {
		out_print("user-events " TOOL_VERSION "\n");
		status = TOOL_OK;
	} else {
		command = find(argv[1]);
		if (!command) {
			tool_error("%s: unknown command", argv[1]);
			tool_hint("see \"user-events --help\"");
			return TOOL_USAGE;
		}
		status = command->run(argc - 1, argv + 1);
	}
	out_flush();

	return status == TOOL_HELPED ? TOOL_OK : status;
}
