// SPDX-License-Identifier: MIT
/* user-events list: prints the events. */
#include <errno.h>
#include <string.h>

#include "events/definitions.h"
#include "events/elf.h"
#include "events/print.h"
#include "ui/options.h"

/* Arguments of the command. */
struct arguments {
	bool wants_json;
	bool wants_elf;
	bool wants_definitions;
};

static int list_events(char **patterns, size_t count,
		       const struct arguments *arguments)
{
	_cleanup_(events_free) struct events events = { 0 };
	int status = events_open(&events);

	if (!status)
		status = events_select(&events, patterns, count);
	if (status)
		return status;
	if (events_details(&events, 0))
		status = TOOL_FAILED;
	if (arguments->wants_json)
		events_print_json(&events, NULL);
	else if (!arguments->wants_definitions)
		events_print_table(&events);
	else if (events_print_definitions(&events))
		status = TOOL_FAILED;

	return status;
}

static void print_definitions(const struct definitions *definitions)
{
	const char *command;
	size_t i;

	for (i = 0; i < definitions->count; i++) {
		command = definitions->definitions[i].command;
		out_text(command, strlen(command));
		out_print("\n");
	}
}

/* Prints the definitions in programs, in the form for "add". */
static int list_programs(char **paths, size_t count)
{
	_cleanup_(definitions_free) struct definitions definitions = {
		.has_forms = true,
	};
	int status = TOOL_OK, ret;
	size_t i;

	for (i = 0; i < count; i++) {
		ret = elf_definitions(&definitions, paths[i]);
		if (ret == -ENOEXEC)
			tool_error("%s: not an ELF file", paths[i]);
		else if (ret == -EBADMSG)
			tool_error("%s: malformed section of events", paths[i]);
		else if (ret)
			tool_error_of(ret, "%s: cannot read", paths[i]);
		if (ret)
			status = TOOL_FAILED;
	}
	print_definitions(&definitions);

	return status;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	int status = tool_parse_common(&command_list, &arguments, argc, argv);

	if (status)
		return status;
	if (arguments.wants_json + arguments.wants_elf +
		    arguments.wants_definitions >
	    1)
		return tool_usage(&command_list,
				  "--elf, --json and --definitions: cannot be "
				  "combined");
	if (!arguments.wants_elf)
		return list_events(argv + optind, (size_t)(argc - optind),
				   &arguments);
	if (optind == argc)
		return tool_usage(&command_list, "--elf: no file given");

	return list_programs(argv + optind, (size_t)(argc - optind));
}

static const struct tool_option own_options[] = {
	{ "elf", 'e', NULL, "list definitions in files",
	  SET_FLAG(struct arguments, wants_elf) },
	{ "definitions", 0, NULL,
	  "list the definitions only, for user-events add",
	  SET_FLAG(struct arguments, wants_definitions) },
	{ "json", 'j', NULL, "print JSON: an array with one object per event",
	  SET_FLAG(struct arguments, wants_json) },
	OPTION_COLORS,
	{ 0 },
};

const struct tool_command command_list = {
	.name = "list",
	.arguments = "[--json | --definitions] [--color=WHEN] [PATTERN...]\n"
		     "       user-events list --elf FILE...",
	.summary = "List events and their tracers",
	.help = "\n"
		"A PATTERN is \"[SYSTEM:]GLOB\" (default: all events). By default,\n"
		"SYSTEM is user_events, with the other formats of its events.\n"
		"\n"
		"With --elf, list the definitions of events in programs and shared objects of\n"
		"libuserevents: of UEV_TRACE(), UEV_EVENTHEADER() and <userevents/sdt.h>.\n",
	.options = OPTION_TABLES({ own_options }),
	.run = run,
};
