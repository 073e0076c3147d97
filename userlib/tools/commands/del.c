// SPDX-License-Identifier: MIT
/* user-events del: deletes events. */
#include "events/delete.h"
#include "events/report.h"
#include "ui/options.h"

static int delete_events(char **patterns, size_t count)
{
	_cleanup_(events_free) struct events events = { 0 };
	int status = events_open(&events);

	if (!status)
		status = events_select(&events, patterns, count);
	if (status)
		return status;
	events_details(&events, EVENTS_USES);

	return events_delete(&events);
}

static int run(int argc, char **argv)
{
	int status = tool_parse_common(&command_del, NULL, argc, argv);

	if (status)
		return status;
	if (optind == argc)
		return tool_usage(&command_del, "no event given");

	return delete_events(argv + optind, (size_t)(argc - optind));
}

const struct tool_command command_del = {
	.name = "del",
	.arguments = "PATTERN...",
	.summary = "Delete unused events",
	.help = "A PATTERN is \"[SYSTEM:]GLOB\". By default, SYSTEM is user_events, with the\n"
		"other formats of its events. If a PATTERN without wildcards matches no event,\n"
		"nothing is deleted. Events in use are not deleted.\n",
	.changes_events = true,
	.run = run,
};
