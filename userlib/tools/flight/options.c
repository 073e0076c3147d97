// SPDX-License-Identifier: MIT
#include "flight/options.h"

#include <string.h>

#include "flight/snapshot.h"
#include "ui/options.h"

static int take_on(void *on, const struct tool_argument *argument)
{
	const char *reason = flight_snapshot_check(argument->text);

	*(const char **)on = argument->text;
	if (!reason)
		return TOOL_OK;

	return tool_usage(argument->command, "--on: \"%s\": %s", argument->text,
			  reason);
}

const struct tool_option flight_options[] = {
	{ .help = "start:" },
	{ "size", 0, "SIZE",
	  "use SIZE bytes for all processors, such as 64M (default: 16M)",
	  SET_SIZE(struct flight_start, size, 1, UINT64_MAX),
	  1 << FLIGHT_START },
	{ "filter", 'f', "FILTER",
	  "record only events that pass FILTER of the kernel, such as 'size > 4096'",
	  SET_TEXT(struct flight_start, filter, NULL), 1 << FLIGHT_START },
	{ "on", 0, "EVENT[: FILTER]",
	  "keep a snapshot when EVENT occurs, such as 'reply: status >= 500'",
	  SET_BY(struct flight_start, on, take_on, "@event"),
	  1 << FLIGHT_START },
	{ "no-overwrite", 0, NULL,
	  "keep the oldest records when the buffer is full (default: the newest)",
	  SET_FLAG(struct flight_start, keeps_oldest), 1 << FLIGHT_START },
	{ "unless-running", 0, NULL, "succeed if NAME is recording",
	  SET_FLAG(struct flight_start, unless_running), 1 << FLIGHT_START },
	{ 0 },
};

int flight_options_join(int argc, char **argv)
{
	int i, count = 0;

	if (argc < 2 || strcmp(argv[1], "start") != 0)
		return argc;
	for (i = 0; i < argc; i++) {
		if (strcmp(argv[i], "-e") == 0 && i + 1 < argc)
			continue;
		argv[count++] = argv[i];
	}
	argv[count] = NULL;

	return count;
}
