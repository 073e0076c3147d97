// SPDX-License-Identifier: MIT
#include "events/print.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* ---- Table ---- */

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

static char *format_count(bool is_known, uint64_t value)
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
		format_count(event->has_profile, event->hits),
		format_count(event->has_profile, event->lost),
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

void events_print_table(const struct events *events)
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

/* ---- Definitions ---- */

static int print_definition(const struct event *event)
{
	_cleanup_free_ char *name = events_name(event);
	_cleanup_free_ char *text = events_definition(event);

	if (!event->schema) {
		tool_error("%s: format not readable", name);
		return TOOL_FAILED;
	}
	/* A comment for "add", which defines one format of a name */
	if (strcmp(event->system, "user_events") != 0)
		out_print("# %s: ", event->system);
	out_text(text, strlen(text));
	out_print("\n");

	return TOOL_OK;
}

int events_print_definitions(const struct events *events)
{
	int status = TOOL_OK;
	size_t i;

	for (i = 0; i < events->count; i++)
		if (events->events[i].is_selected &&
		    print_definition(&events->events[i]))
			status = TOOL_FAILED;

	return status;
}

/* ---- Details ---- */

/* Prints "  key         " before a value. */
static void print_key(const char *key)
{
	out_print("  %-10s  ", key);
}

/* Prints a line with untrusted text. */
static void print_line(const char *key, const char *text)
{
	print_key(key);
	out_text(text, strlen(text));
	out_print("\n");
}

static void print_eventheader(const struct uev_eventheader_name *parts)
{
	const char *level = events_level(parts->level);

	print_key("provider");
	out_text(parts->provider, parts->provider_size);
	out_print("\n");
	print_key("level");
	out_print(level ? "%u (%s)\n" : "%u\n", parts->level, level);
	print_key("keyword");
	out_print("0x%llx\n", (unsigned long long)parts->keyword);
	if (parts->group) {
		print_key("group");
		out_text(parts->group, parts->group_size);
		out_print("\n");
	}
}

static void print_fields(const struct uev_schema *schema)
{
	static const struct out_column columns[] = {
		{ "", false },	    { "TYPE", false }, { "NAME", false },
		{ "OFFSET", true }, { "SIZE", true },
	};
	struct out_table *table = out_table_begin(columns, ARRAY_SIZE(columns));
	size_t i;

	for (i = 0; i < uev_schema_field_count(schema); i++) {
		const struct uev_format_field *field =
			uev_schema_field(schema, i);
		_cleanup_free_ char *type = events_type(field);

		if (field->is_common)
			continue;
		out_table_cell(table, OUT_PLAIN, "");
		out_table_cell(table, OUT_PLAIN, type);
		out_table_cell(table, OUT_PLAIN, field->name);
		out_table_print(table, OUT_PLAIN, "%u", field->offset);
		out_table_print(table, OUT_PLAIN, "%u", field->size);
	}
	out_table_end(table);
}

/* Prints a line with "INSTANCE: TEXT". */
static void print_in_instance(const char *key, const struct event_use *use,
			      const char *text)
{
	_cleanup_free_ char *line = tool_print(
		"%s: %s", use->instance[0] ? use->instance : "(top)", text);

	print_line(key, line);
}

static void print_use(const struct event_use *use)
{
	size_t i;

	print_in_instance("ftrace", use,
			  use->is_enabled ? "enabled"
			  : use->is_soft  ? "soft-enabled for triggers"
					  : "disabled");
	if (use->filter)
		print_in_instance("filter", use, use->filter);
	for (i = 0; i < use->trigger_count; i++)
		print_in_instance("trigger", use, use->triggers[i]);
}

static void print_creators(const struct users *processes)
{
	_cleanup_free_ char *names = users_text(processes);
	_cleanup_free_ char *text = tool_print(
		"unknown to the kernel; user_events is open in %s%s",
		processes->count ? names : "no process",
		processes->is_complete ? ""
				       : ", and possibly in processes of "
					 "other users");

	print_line("created by", text);
}

static void print_perf_users(const struct users *tracers)
{
	_cleanup_free_ char *names = users_text(tracers);
	_cleanup_free_ char *text = tool_print(
		"perf events of this or other events are open in %s", names);

	print_line("perf", text);
}

/* Processes with perf events and attached BPF programs. */
static void print_tracers(const struct event *event,
			  const struct event_users *users)
{
	size_t i;

	if (users->tracers.count)
		print_perf_users(&users->tracers);
	for (i = 0; i < users->programs.count; i++) {
		const struct bpf_user *user = &users->programs.users[i];

		if (strcmp(user->event, event->name) != 0)
			continue;
		print_key("bpf");
		out_print("program %u, attached by process %d\n", user->program,
			  user->pid);
	}
}

static void print_loss(const struct event_loss *loss)
{
	const char *known = events_loss_text(loss->reason);
	_cleanup_free_ char *text = tool_print("%llu %s",
					       (unsigned long long)loss->count,
					       known ? known : loss->reason);

	print_line("", text);
}

static void print_title(const struct event *event)
{
	_cleanup_free_ char *name = events_name(event);

	out_print("%s", out_begin(OUT_BOLD));
	out_text(name, strlen(name));
	out_print("%s\n", out_end());
	print_line("system", event->system);
	print_key("id");
	out_print(event->id ? "%u\n" : "?\n", event->id);
	if (event->is_eventheader)
		print_eventheader(&event->parts);
	if (event->has_rights) {
		print_key("rights");
		out_print("owner %u, group %u, mode %04o\n", event->uid,
			  event->gid, event->mode);
	}
}

static void print_users(const struct event *event,
			const struct event_users *users)
{
	_cleanup_free_ char *tracers = events_tracers(event);
	size_t i;

	print_creators(&users->creators);
	print_line("tracers", strcmp(tracers, "-") == 0 ? "none" : tracers);
	for (i = 0; i < event->use_count; i++)
		print_use(&event->uses[i]);
	if (event->tracers & EVENTS_PERF)
		print_tracers(event, users);
}

static void print_records(const struct event *event)
{
	size_t i;

	print_key("records");
	if (event->has_profile)
		out_print("%llu passed to tracers, %llu lost\n",
			  (unsigned long long)event->hits,
			  (unsigned long long)event->lost);
	else
		out_print("unknown: only the module counts records\n");
	for (i = 0; i < event->loss_count; i++)
		print_loss(&event->losses[i]);
}

static void print_commands(const struct events *events,
			   const struct event *event)
{
	char *commands[EVENTS_COMMANDS];
	size_t i;

	events_commands(events, event, commands);
	for (i = 0; i < EVENTS_COMMANDS; i++) {
		print_line(i ? "" : "trace with", commands[i]);
		free(commands[i]);
	}
}

static void print_event(const struct events *events, const struct event *event,
			const struct event_users *users)
{
	print_title(event);
	print_users(event, users);
	print_records(event);
	if (event->schema) {
		out_print("  fields\n");
		print_fields(event->schema);
	} else {
		print_line("fields", "?");
	}
	print_commands(events, event);
}

void events_print_details(const struct events *events,
			  const struct event_users *users)
{
	bool is_first = true;
	size_t i;

	for (i = 0; i < events->count; i++) {
		if (!events->events[i].is_selected)
			continue;
		if (!is_first)
			out_print("\n");
		is_first = false;
		print_event(events, &events->events[i], users);
	}
}

/* ---- JSON ---- */

void events_print_json(const struct events *events,
		       const struct event_users *users)
{
	struct uev_output text = UEV_OUTPUT_INIT, *json = &text;
	size_t i;

	out_json_array(json, NULL);
	for (i = 0; i < events->count; i++)
		if (events->events[i].is_selected)
			events_json(json, events, &events->events[i], users);
	out_json_array_end(json);
	out_json_end(json);
}
