// SPDX-License-Identifier: MIT
/* user-events list: prints the events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "events/definitions.h"
#include "events/elf.h"
#include "events/events.h"
#include "events/report.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

/* "My_Provider, level 4 (information), keyword 0x1, group x" */
static char *describe_eventheader(const struct uev_eventheader_name *parts)
{
	const char *level = events_level(parts->level);

	return tool_print("EventHeader: %.*s, level %u%s%s%s, keyword "
			  "0x%llx%s%.*s",
			  (int)parts->provider_size, parts->provider,
			  parts->level, level ? " (" : "", level ? level : "",
			  level ? ")" : "", (unsigned long long)parts->keyword,
			  parts->group ? ", group " : "",
			  (int)parts->group_size,
			  parts->group ? parts->group : "");
}

static char *number(bool is_known, uint64_t value)
{
	return is_known ? tool_print("%llu", (unsigned long long)value)
			: tool_copy("?");
}

static void add_row(struct out_table *table, const struct event *event)
{
	enum out_color color = event->tracers ? OUT_GREEN : OUT_PLAIN;
	char *cells[] = {
		events_name(event),
		events_tracers(event),
		number(event->has_profile, event->hits),
		number(event->has_profile, event->lost),
		event->is_eventheader ? describe_eventheader(&event->parts)
		: event->schema	      ? events_fields(event)
				      : tool_copy("?"),
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cells); i++) {
		out_table_cell(table,
			       i < 2		       ? color
			       : i == 3 && event->lost ? OUT_RED
						       : OUT_PLAIN,
			       cells[i]);
		free(cells[i]);
	}
}

static void print_table(const struct events *events)
{
	static const struct out_column columns[] = {
		{ "EVENT", false }, { "TRACERS", false }, { "HITS", true },
		{ "LOST", true },   { "FIELDS", false },
	};
	struct out_table *table = out_table_begin(columns, ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->events[i].is_selected)
			add_row(table, &events->events[i]);
	out_table_end(table);
}

static void print_json(const struct events *events)
{
	struct out_json *json = out_json_begin();
	size_t i;

	out_json_array(json, NULL);
	for (i = 0; i < events->count; i++)
		if (events->events[i].is_selected)
			events_json(json, events, &events->events[i], NULL);
	out_json_array_end(json);
	out_json_end(json);
}

/* Arguments of the command. */
struct arguments {
	bool wants_json;
	bool wants_elf;
	bool wants_definitions;
};

static int print_definition(const struct event *event)
{
	char *name = events_name(event), *text = events_definition(event);
	int status = TOOL_OK;

	/* A comment for "add", which defines one format of a name */
	if (strcmp(event->system, "user_events") != 0)
		out_print("# %s: ", event->system);
	if (event->schema) {
		out_text(text, strlen(text));
		out_print("\n");
	} else {
		tool_error("%s: format not readable", name);
		status = TOOL_FAILED;
	}
	free(text);
	free(name);

	return status;
}

/* Prints the definitions of existing events, in the form for "add". */
static int print_existing(const struct events *events)
{
	int status = TOOL_OK;
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->events[i].is_selected &&
		    print_definition(&events->events[i]))
			status = TOOL_FAILED;

	return status;
}

static int list(char **patterns, size_t count,
		const struct arguments *arguments)
{
	struct events events;
	int status = events_open(&events);

	if (status)
		return status;
	status = events_select(&events, patterns, count);
	if (!status) {
		events_details(&events, 0);
		if (arguments->wants_definitions)
			status = print_existing(&events);
		else if (arguments->wants_json)
			print_json(&events);
		else
			print_table(&events);
	}
	events_free(&events);

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
	struct definitions definitions = { 0 };
	int status = TOOL_OK, ret;
	size_t i;

	for (i = 0; i < count; i++) {
		ret = elf_definitions(&definitions, paths[i]);
		if (ret == -ENOEXEC)
			tool_error("%s: not an ELF file", paths[i]);
		else if (ret == -EBADMSG)
			tool_error("%s: malformed section of events", paths[i]);
		else if (ret == -EOPNOTSUPP)
			tool_error("--elf: built without libelf");
		else if (ret)
			tool_error_of(ret, "%s: cannot read", paths[i]);
		if (ret)
			status = TOOL_FAILED;
	}
	print_definitions(&definitions);
	definitions_free(&definitions);

	return status;
}

enum {
	OPTION_DEFINITIONS = OPTION_FIRST,
};

static int take_option(void *data, int option, const char *argument)
{
	struct arguments *arguments = data;

	(void)argument;
	if (option == 'e')
		arguments->wants_elf = true;
	else if (option == OPTION_DEFINITIONS)
		arguments->wants_definitions = true;
	else
		arguments->wants_json = true;

	return TOOL_OK;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	const struct tool_options options = {
		.take = take_option,
		.data = &arguments,
	};
	int status = tool_parse_common(&command_list, &options, argc, argv);

	if (status)
		return status;
	if (arguments.wants_json + arguments.wants_elf +
		    arguments.wants_definitions >
	    1)
		return tool_usage(&command_list,
				  "--elf, --json and --definitions: cannot be "
				  "combined");
	if (!arguments.wants_elf)
		return list(argv + optind, (size_t)(argc - optind), &arguments);
	if (optind == argc)
		return tool_usage(&command_list, "--elf: no file given");

	return list_programs(argv + optind, (size_t)(argc - optind));
}

static const struct tool_option own_options[] = {
	{ "elf", 'e', NULL, "list definitions in files" },
	{ "definitions", OPTION_DEFINITIONS, NULL,
	  "list the definitions only, for user-events add" },
	{ "json", 'j', NULL, "print JSON: an array with one object per event" },
	{ "color", OPTION_COLOR, "WHEN",
	  "use colors: auto, always or never (default: auto)" },
	{ 0 },
};

const struct tool_command command_list = {
	.name = "list",
	.arguments = "[--json | --definitions] [PATTERN...]\n"
		     "       user-events list --elf FILE...",
	.summary = "List events and their tracers",
	.help = "\n"
		"A PATTERN is \"[SYSTEM:]GLOB\" (default: all events). By default,\n"
		"SYSTEM is user_events, with the other formats of its events.\n"
		"\n"
		"With --elf, list the definitions of events in programs and shared objects of\n"
		"libuserevents: of UEV_TRACE() in C, and of UEV_EVENTHEADER().\n",
	.options = (const struct tool_option *const[]){ own_options, NULL },
	.run = run,
};
