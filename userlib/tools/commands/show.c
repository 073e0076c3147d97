// SPDX-License-Identifier: MIT
/* user-events show: prints everything about an event. */
#include "events/print.h"
#include "ui/options.h"

static int show_events(char **patterns, size_t count, bool wants_json)
{
	_cleanup_(events_free) struct events events = { 0 };
	_cleanup_(events_free_users) struct event_users users = { 0 };
	int status = events_open(&events);

	if (!status)
		status = events_select(&events, patterns, count);
	if (status)
		return status;
	if (events_details(&events, EVENTS_USES))
		status = TOOL_FAILED;
	events_find_users(&users, events.tracefs);
	if (wants_json)
		events_print_json(&events, &users);
	else
		events_print_details(&events, &users);

	return status;
}

static int run(int argc, char **argv)
{
	bool wants_json = false;
	int status = tool_parse_common(&command_show, &wants_json, argc, argv);

	if (status)
		return status;
	if (optind == argc)
		return tool_usage(&command_show, "no event given");

	return show_events(argv + optind, (size_t)(argc - optind), wants_json);
}

static const struct tool_option own_options[] = {
	OPTION_JSON("print JSON: an array with one object per event"),
	OPTION_COLORS,
	{ 0 },
};

const struct tool_command command_show = {
	.name = "show",
	.arguments = "[--json] [--color=WHEN] PATTERN...",
	.summary = "Show details of events",
	.help = "A PATTERN is \"[SYSTEM:]GLOB\". By default, SYSTEM is user_events, with the\n"
		"other formats of its events.\n",
	.options = OPTION_TABLES({ own_options }),
	.run = run,
};
