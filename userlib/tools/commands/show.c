// SPDX-License-Identifier: MIT
/* user-events show: prints everything about an event. */
#include <stdlib.h>
#include <string.h>

#include "events/events.h"
#include "events/report.h"
#include "ui/options.h"
#include "ui/out.h"
#include "tool.h"

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
	const struct uev_format_field *field;
	char *type;
	size_t i;

	for (i = 0; i < uev_schema_field_count(schema); i++) {
		field = uev_schema_field(schema, i);
		if (field->is_common)
			continue;
		type = events_type(field);
		out_table_cell(table, OUT_PLAIN, "");
		out_table_cell(table, OUT_PLAIN, type);
		out_table_cell(table, OUT_PLAIN, field->name);
		out_table_print(table, OUT_PLAIN, "%u", field->offset);
		out_table_print(table, OUT_PLAIN, "%u", field->size);
		free(type);
	}
	out_table_end(table);
}

static void print_use(const struct event_use *use)
{
	const char *name = use->instance[0] ? use->instance : "(top)";
	char *text;
	size_t i;

	text = tool_print("%s: %s", name,
			  use->is_enabled ? "enabled"
			  : use->is_soft  ? "soft-enabled for triggers"
					  : "disabled");
	print_line("ftrace", text);
	free(text);
	if (use->filter) {
		text = tool_print("%s: %s", name, use->filter);
		print_line("filter", text);
		free(text);
	}
	for (i = 0; i < use->trigger_count; i++) {
		text = tool_print("%s: %s", name, use->triggers[i]);
		print_line("trigger", text);
		free(text);
	}
}

static void print_creators(const struct processes *processes)
{
	char *names = processes_text(processes);
	char *text;

	text = tool_print("unknown to the kernel; user_events is open in %s%s",
			  processes->count ? names : "no process",
			  processes->is_complete
				  ? ""
				  : ", and possibly in processes of "
				    "other users");
	print_line("created by", text);
	free(text);
}

/* Processes with perf events and attached BPF programs. */
static void print_tracers(const struct event *event,
			  const struct event_users *users)
{
	char *text;
	size_t i;

	if (users->tracers.count) {
		char *names = processes_text(&users->tracers);

		text = tool_print("perf events of this or other events are "
				  "open in %s",
				  names);
		print_line("perf", text);
		free(text);
	}
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
	char *text = tool_print("%llu %s", (unsigned long long)loss->count,
				known ? known : loss->reason);

	print_line("", text);
	free(text);
}

static void print_event(const struct events *events, const struct event *event,
			const struct event_users *users)
{
	char *commands[EVENTS_COMMANDS];
	char *text = events_name(event);
	size_t i;

	out_print("%s", out_begin(OUT_BOLD));
	out_text(text, strlen(text));
	out_print("%s\n", out_end());
	free(text);
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
	print_creators(&users->creators);
	text = events_tracers(event);
	print_line("tracers", strcmp(text, "-") == 0 ? "none" : text);
	free(text);
	for (i = 0; i < event->use_count; i++)
		print_use(&event->uses[i]);
	if (event->tracers & EVENTS_PERF)
		print_tracers(event, users);
	print_key("records");
	if (event->has_profile)
		out_print("%llu passed to tracers, %llu lost\n",
			  (unsigned long long)event->hits,
			  (unsigned long long)event->lost);
	else
		out_print("unknown: only the module counts records\n");
	for (i = 0; i < event->loss_count; i++)
		print_loss(&event->losses[i]);
	if (event->schema) {
		out_print("  fields\n");
		print_fields(event->schema);
	} else {
		print_line("fields", "?");
	}
	events_commands(events, event, commands);
	for (i = 0; i < EVENTS_COMMANDS; i++) {
		print_line(i ? "" : "trace with", commands[i]);
		free(commands[i]);
	}
}

static void print_all(const struct events *events,
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

static void print_json(const struct events *events,
		       const struct event_users *users)
{
	struct out_json *json = out_json_begin();
	size_t i;

	out_json_array(json, NULL);
	for (i = 0; i < events->count; i++)
		if (events->events[i].is_selected)
			events_json(json, events, &events->events[i], users);
	out_json_array_end(json);
	out_json_end(json);
}

static int show(char **patterns, size_t count, bool wants_json)
{
	struct event_users users;
	struct events events;
	int status = events_open(&events);

	if (status)
		return status;
	status = events_select(&events, patterns, count);
	if (!status) {
		events_details(&events, EVENTS_USES);
		events_find_users(&users, events.tracefs);
		if (wants_json)
			print_json(&events, &users);
		else
			print_all(&events, &users);
		events_free_users(&users);
	}
	events_free(&events);

	return status;
}

static int run(int argc, char **argv)
{
	bool wants_json = false;
	int status = tool_parse_json(&command_show, argc, argv, &wants_json);

	if (status)
		return status;
	if (optind == argc)
		return tool_usage(&command_show, "no event given");

	return show(argv + optind, (size_t)(argc - optind), wants_json);
}

static const struct tool_option own_options[] = {
	{ "json", 'j', NULL, "print JSON: an array with one object per event" },
	{ "color", OPTION_COLOR, "WHEN",
	  "use colors: auto, always or never (default: auto)" },
	{ 0 },
};

const struct tool_command command_show = {
	.name = "show",
	.arguments = "[--json] PATTERN...",
	.summary = "Show details of events",
	.help = "A PATTERN is \"[SYSTEM:]GLOB\". By default, SYSTEM is user_events, with the\n"
		"other formats of its events.\n",
	.options = (const struct tool_option *const[]){ own_options, NULL },
	.run = run,
};
