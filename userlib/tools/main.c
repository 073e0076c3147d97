// SPDX-License-Identifier: MIT
/*
 * user-events: defines, traces, decodes and diagnoses user_events.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include <userevents/decode.h>

#include "capabilities.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

static const struct tool_command *const commands[] = {
	&command_list,	 &command_show,	   &command_add,    &command_del,
	&command_watch,	 &command_top,	   &command_stat,   &command_record,
	&command_decode, &command_latency, &command_doctor, &command_users,
	&command_reload, &command_report,  &command_export, &command_count,
	&command_flight, &command_serve,   &command_write,
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
		"\nRun \"user-events COMMAND --help\" for the options of a command. The start of a\n"
		"name is enough if no other command has it.\n"
		"Exit status: 0 success, 1 failure, 2 invalid arguments, 3 no such event,\n"
		"4 success, but records were lost or malformed.\n");

	return TOOL_OK;
}

/* Prints the commands that start with @name, if there are any. */
static void print_unknown(const char *name)
{
	_cleanup_(uev_output_release) struct uev_output list = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (tool_starts(commands[i]->name, name))
			tool_list_add(&list, "%s", commands[i]->name);
	if (list.size)
		tool_error("%s: ambiguous command: %.*s", name, (int)list.size,
			   list.text);
	else
		tool_error("%s: unknown command", name);
	tool_hint("see \"user-events --help\"");
}

/* @name: a command, or the start of only one */
static const struct tool_command *find_command(const char *name)
{
	const struct tool_command *found = NULL;
	size_t i, count = 0;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
		if (!tool_starts(commands[i]->name, name))
			continue;
		found = commands[i];
		count++;
	}

	return count == 1 ? found : NULL;
}

/* For the completions: --complete COMMAND OPTION */
static int complete(char **arguments, int count)
{
	const struct tool_command *command =
		count == 2 ? find_command(arguments[0]) : NULL;

	return command ? tool_complete(command, arguments[1]) : TOOL_USAGE;
}

int main(int argc, char **argv)
{
	const struct tool_command *command;
	int status;

	/*
	 * Makes writes to a closed pipe and beyond the limit of file sizes fail, so
	 * that files are removed.
	 */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	out_wait_for_reader();

	if (argc < 2) {
		tool_error("no command given");
		tool_hint("see \"user-events --help\"");
		return TOOL_USAGE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
	    strcmp(argv[1], "help") == 0) {
		command = argc > 2 ? find_command(argv[2]) : NULL;
		status = command ? tool_help(command) : help();
	} else if (strcmp(argv[1], "--complete") == 0) {
		status = complete(argv + 2, argc - 2);
	} else if (strcmp(argv[1], "--version") == 0) {
		out_print("user-events " TOOL_VERSION "\n");
		status = TOOL_OK;
	} else {
		command = find_command(argv[1]);
		if (!command) {
			print_unknown(argv[1]);
			return TOOL_USAGE;
		}
		if (command->changes_events)
			capabilities_lower();
		status = command->run(argc - 1, argv + 1);
	}
	out_flush();

	return status == TOOL_HELPED ? TOOL_OK : status;
}
