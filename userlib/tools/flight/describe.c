// SPDX-License-Identifier: MIT
#include "flight/describe.h"

#include <stdlib.h>
#include <string.h>

#include "events/events.h"
#include "files.h"
#include "flight/pages.h"
#include "formats/trace_dat_header.h"
#include "tool.h"

#define DESCRIPTION "formats"
#define SET_EVENT "set_event"

static void add_name(struct files_names *names, char *name)
{
	*tool_add(names->names, names->count) = name;
}

/* User events that were disabled can have records, too. */
static void add_user_events(struct files_names *names,
			    const struct flight *flight)
{
	_cleanup_(events_free) struct events events = { 0 };
	size_t i;

	if (events_read(&events, flight->tracefs))
		return;
	for (i = 0; i < events.count; i++)
		add_name(names, tool_print("%s:%s", events.events[i].system,
					   events.events[i].name));
}

/* Adds the lines of a file, if it exists. */
static void add_lines(struct files_names *names, const char *path)
{
	_cleanup_free_ char *text = NULL;
	char *rest, *line;

	files_read(path, &text, NULL);
	rest = text;
	while ((line = strsep(&rest, "\n")))
		if (*line)
			add_name(names, tool_copy(line));
}

static char *saved_path(const struct flight *flight, const char *file)
{
	return tool_print("%s/%s", flight->directory, file);
}

/* Those that the recorder has enabled at its start */
static void add_saved(struct files_names *names, const struct flight *flight)
{
	_cleanup_free_ char *path = saved_path(flight, SET_EVENT);

	add_lines(names, path);
}

/* Systems of equal events are adjacent after sorting. */
static void sort_names(struct files_names *names)
{
	names->count = tool_sort_unique(names->names, names->count);
}

/* Reads "SYSTEM:NAME" of enabled events. */
static void read_enabled(struct files_names *names, const struct flight *flight)
{
	_cleanup_free_ char *path = flight_path(flight, SET_EVENT);

	*names = (struct files_names){ 0 };
	add_lines(names, path);
	sort_names(names);
}

/* Reads the names of events that can have records. */
static void read_names(struct files_names *names, const struct flight *flight)
{
	read_enabled(names, flight);
	if (flight->is_foreign)
		add_user_events(names, flight);
	else
		add_saved(names, flight);
	sort_names(names);
}

size_t flight_events(const struct flight *flight)
{
	_cleanup_(files_names_free) struct files_names names;

	read_enabled(&names, flight);

	return names.count;
}

size_t flight_disabled_events(const struct flight *flight)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	_cleanup_(files_names_free) struct files_names enabled;
	size_t i, count = 0;

	add_saved(&names, flight);
	sort_names(&names);
	read_enabled(&enabled, flight);
	for (i = 0; i < names.count; i++)
		if (!tool_find(&names.names[i], enabled.names, enabled.count,
			       tool_compare_texts))
			count++;

	return count;
}

static bool is_user_event(const char *system_name, const char *name)
{
	const char *separator = strchr(system_name, ':');

	return separator && strcmp(separator + 1, name) == 0 &&
	       tool_starts(system_name, "user_events");
}

bool flight_has_event(const struct flight *flight, const char *name)
{
	_cleanup_(files_names_free) struct files_names names;
	size_t i;

	read_enabled(&names, flight);
	for (i = 0; i < names.count; i++)
		if (is_user_event(names.names[i], name))
			return true;

	return false;
}

/* Return: 0 or -errno */
static int append_formats(struct uev_output *to, const struct flight *flight)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	struct flight_layout layout;
	struct trace_dat_header header = { .tracefs = flight->tracefs };
	int ret = flight_layout_read(&layout, flight->tracefs);

	if (ret)
		return ret;
	read_names(&names, flight);
	header.events = names.names;
	header.event_count = names.count;
	header.page_size = (uint32_t)layout.page_size;
	header.long_size = (uint8_t)layout.long_size;

	return trace_dat_header_append(to, &header);
}

int flight_describe(const struct flight *flight)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	_cleanup_free_ char *path = saved_path(flight, DESCRIPTION);
	int ret = append_formats(&text, flight);

	if (!ret)
		ret = files_save(path, text.text, text.size);
	if (!ret)
		ret = flight_save(flight, flight->instance, SET_EVENT);
	if (ret)
		ret = tool_error_of(ret, "%s: cannot save formats of events",
				    path);

	return ret;
}

int flight_description(struct uev_output *to, const struct flight *flight)
{
	bool is_now = flight->condition == FLIGHT_RECORDING ||
		      flight->condition == FLIGHT_STOPPED;
	_cleanup_free_ char *path = saved_path(flight, DESCRIPTION);
	_cleanup_free_ char *text = NULL;
	size_t size;
	int ret;

	if (is_now) {
		ret = append_formats(to, flight);
	} else {
		ret = files_read(path, &text, &size);
		if (!ret)
			tool_append(to, text, size);
	}
	if (ret)
		ret = tool_error_of(ret, "%s: cannot read formats of events",
				    is_now ? flight->tracefs : path);

	return ret;
}
