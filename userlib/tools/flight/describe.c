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

/* struct names - Enabled events, "SYSTEM:NAME" in @text */
struct names {
	char *text;
	char **names;
	size_t count;
};

static void add_line(struct names *names, const char *line)
{
	char *text = tool_print("%s\n%s", names->text, line);

	free(names->text);
	names->text = text;
}

/* User events that were disabled can have records, too. */
static void add_user_events(struct names *names, const struct flight *flight)
{
	_cleanup_(events_free) struct events events = { 0 };
	size_t i;

	if (events_read(&events, flight->tracefs))
		return;
	for (i = 0; i < events.count; i++) {
		_cleanup_free_ char *name = tool_print("%s:%s",
						       events.events[i].system,
						       events.events[i].name);

		add_line(names, name);
	}
}

static void remove_equal_names(struct names *names)
{
	size_t i, count = 0;

	for (i = 0; i < names->count; i++)
		if (!count ||
		    strcmp(names->names[count - 1], names->names[i]) != 0)
			names->names[count++] = names->names[i];
	names->count = count;
}

static char *saved_path(const struct flight *flight, const char *file)
{
	return tool_print("%s/%s", flight->directory, file);
}

/* Those that the recorder has enabled at its start */
static void add_saved(struct names *names, const struct flight *flight)
{
	_cleanup_free_ char *path = saved_path(flight, SET_EVENT);
	_cleanup_free_ char *text = NULL;

	if (!files_read(path, &text, NULL))
		add_line(names, text);
}

/* Systems of equal events are adjacent after sorting. */
static void split_names(struct names *names)
{
	char *line, *next = NULL;

	for (line = strtok_r(names->text, "\n", &next); line;
	     line = strtok_r(NULL, "\n", &next))
		*tool_add(names->names, names->count) = line;
	tool_sort(names->names, names->count, tool_compare_texts);
	remove_equal_names(names);
}

static void read_set_event(struct names *names, const struct flight *flight)
{
	_cleanup_free_ char *path = flight_path(flight, SET_EVENT);

	*names = (struct names){ 0 };
	if (files_read(path, &names->text, NULL))
		names->text = tool_copy("");
}

/* Reads the names of enabled events. */
static void read_enabled(struct names *names, const struct flight *flight)
{
	read_set_event(names, flight);
	split_names(names);
}

/* Reads the names of events that can have records. */
static void read_names(struct names *names, const struct flight *flight)
{
	read_set_event(names, flight);
	if (flight->is_foreign)
		add_user_events(names, flight);
	else
		add_saved(names, flight);
	split_names(names);
}

static void free_names(struct names *names)
{
	free(names->text);
	free(names->names);
}

size_t flight_events(const struct flight *flight)
{
	struct names names;
	size_t count;

	read_enabled(&names, flight);
	count = names.count;
	free_names(&names);

	return count;
}

size_t flight_disabled_events(const struct flight *flight)
{
	struct names names = { .text = tool_copy("") }, enabled;
	size_t i, count = 0;

	add_saved(&names, flight);
	split_names(&names);
	read_enabled(&enabled, flight);
	for (i = 0; i < names.count; i++)
		if (!tool_find(&names.names[i], enabled.names, enabled.count,
			       tool_compare_texts))
			count++;
	free_names(&names);
	free_names(&enabled);

	return count;
}

static bool is_user_event(const char *system_name, const char *name)
{
	const char *separator = strchr(system_name, ':');

	return separator && strcmp(separator + 1, name) == 0 &&
	       strncmp(system_name, "user_events", strlen("user_events")) == 0;
}

bool flight_has_event(const struct flight *flight, const char *name)
{
	struct names names;
	bool has = false;
	size_t i;

	read_enabled(&names, flight);
	for (i = 0; i < names.count && !has; i++)
		has = is_user_event(names.names[i], name);
	free_names(&names);

	return has;
}

/* Return: 0 or -errno */
static int append_formats(struct uev_output *to, const struct flight *flight)
{
	struct flight_layout layout;
	struct trace_dat_header header = { .tracefs = flight->tracefs };
	int ret = flight_layout_read(&layout, flight->tracefs);
	struct names names;

	if (ret)
		return ret;
	read_names(&names, flight);
	header.events = names.names;
	header.event_count = names.count;
	header.page_size = (uint32_t)layout.page_size;
	header.long_size = (uint8_t)layout.long_size;
	ret = trace_dat_header_append(to, &header);
	free_names(&names);

	return ret;
}

/* Return: 0 or -errno */
static int save_names(const struct flight *flight)
{
	_cleanup_free_ char *from = flight_path(flight, SET_EVENT);
	_cleanup_free_ char *to = saved_path(flight, SET_EVENT);

	return flight_save(from, to);
}

int flight_describe(const struct flight *flight)
{
	_cleanup_(uev_output_release) struct uev_output text = UEV_OUTPUT_INIT;
	_cleanup_free_ char *path = saved_path(flight, DESCRIPTION);
	int ret = append_formats(&text, flight);

	if (!ret)
		ret = files_save(path, text.text, text.size);
	if (!ret)
		ret = save_names(flight);
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
