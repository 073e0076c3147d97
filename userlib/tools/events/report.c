// SPDX-License-Identifier: MIT
#include "events/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"
#include "util/tracefs.h"

int events_find_tracefs(char **tracefs)
{
	int err = uev_tracefs_directory(NULL, tracefs);

	if (err == -ENOENT)
		tool_error("no tracefs is mounted");
	else if (err)
		tool_error_of(err, "tracefs: cannot read");
	if (err)
		tool_hint("run \"user-events doctor\"");

	return err ? TOOL_FAILED : TOOL_OK;
}

int events_report_unread(int err, const char *tracefs)
{
	if (err == -ENODEV)
		tool_error("the kernel has no user_events");
	else
		tool_error_of(err, "%s: cannot read events", tracefs);
	tool_hint("run \"user-events doctor\"");

	return TOOL_FAILED;
}

int events_open(struct events *events)
{
	_cleanup_free_ char *tracefs = NULL;
	int status = events_find_tracefs(&tracefs);
	int err;

	if (status)
		return status;
	err = events_read(events, tracefs);

	return err ? events_report_unread(err, tracefs) : TOOL_OK;
}

char *events_tracers(const struct event *event)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(event_tracers); i++)
		if (event->tracers & event_tracers[i].bit)
			tool_join(&text, " ", "%s", event_tracers[i].name);
	if (!text.size)
		tool_put(&text, event->has_status ? "-" : "?");

	return text.text;
}

static void json_eventheader(struct uev_output *json, const struct event *event)
{
	const struct uev_eventheader_name *parts = &event->parts;
	const char *level = events_level(parts->level);
	char keyword[32];

	if (!event->is_eventheader) {
		out_json_null(json, "eventheader");
		return;
	}
	out_json_object(json, "eventheader");
	out_json_string_n(json, "provider", parts->provider,
			  parts->provider_size);
	out_json_unsigned(json, "level", parts->level);
	out_json_string(json, "level_name", level);
	snprintf(keyword, sizeof(keyword), "0x%llx",
		 (unsigned long long)parts->keyword);
	out_json_string(json, "keyword", keyword);
	out_json_string_n(json, "group", parts->group, parts->group_size);
	out_json_object_end(json);
}

static void json_fields(struct uev_output *json, const struct event *event)
{
	size_t i;

	if (!event->schema) {
		out_json_null(json, "fields");
		return;
	}
	out_json_array(json, "fields");
	for (i = 0; i < uev_schema_field_count(event->schema); i++) {
		const struct uev_format_field *field =
			uev_schema_field(event->schema, i);
		_cleanup_free_ char *type = events_type(field);

		if (field->is_common)
			continue;
		out_json_object(json, NULL);
		out_json_string(json, "type", type);
		out_json_string(json, "name", field->name);
		out_json_unsigned(json, "offset", field->offset);
		out_json_unsigned(json, "size", field->size);
		out_json_bool(json, "signed", field->is_signed);
		out_json_object_end(json);
	}
	out_json_array_end(json);
}

static void json_uses(struct uev_output *json, const struct event *event)
{
	size_t i, j;

	out_json_array(json, "ftrace");
	for (i = 0; i < event->use_count; i++) {
		const struct event_use *use = &event->uses[i];

		out_json_object(json, NULL);
		out_json_string(json, "instance",
				use->instance[0] ? use->instance : NULL);
		out_json_bool(json, "enabled", use->is_enabled);
		out_json_string(json, "filter", use->filter);
		out_json_array(json, "triggers");
		for (j = 0; j < use->trigger_count; j++)
			out_json_string(json, NULL, use->triggers[j]);
		out_json_array_end(json);
		out_json_object_end(json);
	}
	out_json_array_end(json);
}

static void json_processes(struct uev_output *json, const char *key,
			   const struct users *processes)
{
	size_t i;

	out_json_array(json, key);
	for (i = 0; i < processes->count; i++) {
		out_json_object(json, NULL);
		out_json_signed(json, "pid", processes->users[i].pid);
		out_json_string(json, "name", processes->users[i].name);
		out_json_object_end(json);
	}
	out_json_array_end(json);
}

static void json_users(struct uev_output *json, const struct event *event,
		       const struct event_users *users)
{
	size_t i;

	json_processes(json, "possible_creators", &users->creators);
	json_processes(json, "perf_users", &users->tracers);
	out_json_bool(json, "all_processes_seen", users->creators.is_complete);
	out_json_array(json, "bpf");
	for (i = 0; i < users->programs.count; i++) {
		const struct bpf_user *user = &users->programs.users[i];

		if (strcmp(user->event, event->name) != 0)
			continue;
		out_json_object(json, NULL);
		out_json_unsigned(json, "program", user->program);
		out_json_signed(json, "pid", user->pid);
		out_json_object_end(json);
	}
	out_json_array_end(json);
}

void events_find_users(struct event_users *users, const char *tracefs)
{
	_cleanup_free_ char *path = tool_print("%s/user_events_data", tracefs);

	users_find_open(&users->creators, "/proc", path, getpid());
	users_find_open(&users->tracers, "/proc", PERF_EVENT_FILE, getpid());
	bpf_users_find(&users->programs, "/proc", &users->tracers);
}

void events_free_users(struct event_users *users)
{
	users_free(&users->creators);
	users_free(&users->tracers);
	bpf_users_free(&users->programs);
}

static void json_tracers(struct uev_output *json, const struct event *event)
{
	size_t i;

	if (!event->has_status && !event->tracers) {
		out_json_null(json, "tracers");
		return;
	}
	out_json_array(json, "tracers");
	for (i = 0; i < ARRAY_SIZE(event_tracers); i++)
		if (event->tracers & event_tracers[i].bit)
			out_json_string(json, NULL, event_tracers[i].name);
	out_json_array_end(json);
}

static void json_rights(struct uev_output *json, const struct event *event)
{
	_cleanup_free_ char *mode = NULL;

	if (!event->has_rights) {
		out_json_null(json, "rights");
		return;
	}

	mode = tool_print("%04o", event->mode);
	out_json_object(json, "rights");
	out_json_unsigned(json, "uid", event->uid);
	out_json_unsigned(json, "gid", event->gid);
	out_json_string(json, "mode", mode);
	out_json_object_end(json);
}

void events_json(struct uev_output *json, const struct events *events,
		 const struct event *event, const struct event_users *users)
{
	char *commands[EVENTS_COMMANDS];
	size_t i;

	out_json_object(json, NULL);
	out_json_string(json, "system", event->system);
	out_json_string(json, "name", event->name);
	if (event->id)
		out_json_unsigned(json, "id", event->id);
	else
		out_json_null(json, "id");
	json_eventheader(json, event);
	json_fields(json, event);
	json_tracers(json, event);
	if (event->has_profile) {
		out_json_unsigned(json, "hits", event->hits);
		out_json_unsigned(json, "lost", event->lost);
		out_json_object(json, "losses");
		for (i = 0; i < event->loss_count; i++)
			out_json_unsigned(json, event->losses[i].reason,
					  event->losses[i].count);
		out_json_object_end(json);
	} else {
		out_json_null(json, "hits");
		out_json_null(json, "lost");
		out_json_null(json, "losses");
	}
	json_rights(json, event);
	if (users) {
		json_uses(json, event);
		json_users(json, event, users);
		events_commands(events, event, commands);
		out_json_array(json, "commands");
		for (i = 0; i < EVENTS_COMMANDS; i++) {
			out_json_string(json, NULL, commands[i]);
			free(commands[i]);
		}
		out_json_array_end(json);
	}
	out_json_object_end(json);
}

void events_commands(const struct events *events, const struct event *event,
		     char *commands[EVENTS_COMMANDS])
{
	_cleanup_free_ char *name = events_name(event);
	_cleanup_free_ char *short_name = events_quote(name);
	_cleanup_free_ char *full =
		tool_print("%s:%s", event->system, event->name);
	_cleanup_free_ char *full_name = events_quote(full);
	_cleanup_free_ char *path = tool_print("%s/events/%s/%s/enable",
					       events->tracefs, event->system,
					       event->name);
	_cleanup_free_ char *quoted_path = events_quote(path);

	commands[0] = tool_print("user-events watch %s", short_name);
	commands[1] = tool_print("perf record -a -e %s", full_name);
	commands[2] = tool_print("trace-cmd record -e %s", full_name);
	commands[3] = tool_print("echo 1 > %s", quoted_path);
}
