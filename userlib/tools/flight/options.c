// SPDX-License-Identifier: MIT
#include "flight/options.h"

#include "flight/snapshot.h"
#include "ui/options.h"

enum {
	OPTION_SIZE = FLIGHT_OPTION_FIRST,
	OPTION_NO_OVERWRITE,
	OPTION_ON,
	OPTION_UNLESS_RUNNING,
};

const struct tool_option flight_options[] = {
	{ .help = "start:" },
	{ "size", OPTION_SIZE, "SIZE",
	  "use SIZE bytes for all processors, such as 64M (default: 16M)" },
	{ "filter", 'f', "FILTER",
	  "record only events that pass FILTER of the kernel, such as 'size > 4096'" },
	{ "on", OPTION_ON, "EVENT[: FILTER]",
	  "keep a snapshot when EVENT occurs, such as 'reply: status >= 500'",
	  SET_NOTHING("@event") },
	{ "no-overwrite", OPTION_NO_OVERWRITE, NULL,
	  "keep the oldest records when the buffer is full (default: the newest)" },
	{ "unless-running", OPTION_UNLESS_RUNNING, NULL,
	  "succeed if NAME is recording" },
	{ 0 },
};

static int take_size(struct flight_start *start,
		     const struct tool_command *command, const char *text)
{
	if (tool_size(text, &start->size))
		return TOOL_OK;

	return tool_usage(command, "--size: \"%s\" is not a size, such as 64M",
			  text);
}

static int take_on(struct flight_start *start,
		   const struct tool_command *command, const char *text)
{
	const char *reason = flight_snapshot_check(text);

	start->on = text;
	if (!reason)
		return TOOL_OK;

	return tool_usage(command, "--on: \"%s\": %s", text, reason);
}

bool flight_options_have(int option)
{
	return option == 'f' ||
	       (option >= OPTION_SIZE && option <= OPTION_UNLESS_RUNNING);
}

int flight_options_take(struct flight_start *start,
			const struct tool_command *command, int option,
			const char *argument)
{
	switch (option) {
	case 'f':
		start->filter = argument;
		return TOOL_OK;
	case OPTION_SIZE:
		return take_size(start, command, argument);
	case OPTION_NO_OVERWRITE:
		start->keeps_oldest = true;
		return TOOL_OK;
	case OPTION_UNLESS_RUNNING:
		start->unless_running = true;
		return TOOL_OK;
	default:
		return take_on(start, command, argument);
	}
}
