// SPDX-License-Identifier: MIT
#include <stdlib.h>

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
	enum out_colour colour = event->tracers ? OUT_GREEN : OUT_PLAIN;
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
			       i < 2		       ? colour
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

static int list(char **patterns, size_t count, bool wants_json)
{
	struct events events;
	int status = events_open(&events);

	if (status)
		return status;
	status = events_select(&events, patterns, count);
	if (!status) {
		events_details(&events, 0);
		if (wants_json)
			print_json(&events);
		else
			print_table(&events);
	}
	events_free(&events);

	return status;
}

static int run(int argc, char **argv)
{
	bool wants_json = false;
	int status = tool_parse_json(&command_list, argc, argv, &wants_json);

	if (status)
		return status;
	return list(argv + optind, (size_t)(argc - optind), wants_json);
}

const struct tool_command command_list = {
	.name = "list",
	.arguments = "[--json] [PATTERN...]",
	.summary = "List events and their tracers",
	.help = "A PATTERN is \"[SYSTEM:]GLOB\" (default: all events). SYSTEM is user_events, or\n"
		"user_events_multi for events with several formats.\n\n"
		"Options:\n"
		"  -j, --json        print JSON: an array with one object per event\n"
		"      --color=WHEN  use colors: auto, always or never (default: auto)\n"
		"  -h, --help        print this help\n",
	.run = run,
};
