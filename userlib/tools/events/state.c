// SPDX-License-Identifier: MIT
#include "events/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/admin.h"
#include "files.h"
#include "tool.h"

static const char *const file_names[STATE_FILES] = {
	"user_events_data",
	"user_events_status",
};

/* ---- Saving -------------------------------------------------------------- */

static bool is_user_event(const struct event *event)
{
	return strcmp(event->system, "user_events") == 0;
}

/* Sets the definitions from dynamic_events, where a line is "u:NAME FIELDS". */
static void read_definitions(struct state *state, const char *text)
{
	const char *line;
	size_t i, length, size;

	for (line = text; *line; line += length + (line[length] != 0)) {
		length = strcspn(line, "\n");
		if (strncmp(line, "u:", 2) != 0)
			continue;
		size = strcspn(line + 2, " \n");
		for (i = 0; i < state->events.count; i++) {
			const struct event *event = &state->events.events[i];

			if (!is_user_event(event) ||
			    strlen(event->name) != size ||
			    strncmp(event->name, line + 2, size) != 0)
				continue;
			free(state->definitions[i]);
			state->definitions[i] =
				tool_print("%.*s", (int)length - 2, line + 2);
		}
	}
}

static int save_files(struct state *state)
{
	char *path;
	int err = 0;
	size_t i;

	for (i = 0; i < STATE_FILES && !err; i++) {
		path = tool_print("%s/%s", state->events.tracefs,
				  file_names[i]);
		if (stat(path, &state->files[i]))
			err = -errno;
		free(path);
	}

	return err;
}

int state_save(struct state *state, const char *tracefs, const char *sysctl)
{
	char *path, *text;
	size_t count;
	int err;

	memset(state, 0, sizeof(*state));
	err = events_read(&state->events, tracefs);
	if (err)
		return err;
	count = state->events.count;
	state->sysctl = tool_copy(sysctl);
	state->limit = files_line(sysctl);
	state->definitions = tool_alloc((count + 1) * sizeof(char *));
	state->is_persistent = tool_alloc((count + 1) * sizeof(bool));
	events_select(&state->events, NULL, 0);
	events_details(&state->events, EVENTS_USES);
	path = tool_print("%s/dynamic_events", tracefs);
	files_read(path, &text, NULL);
	if (text)
		read_definitions(state, text);
	free(text);
	free(path);
	err = save_files(state);
	if (err)
		state_free(state);

	return err;
}

void state_free(struct state *state)
{
	size_t i;

	for (i = 0; i < state->events.count; i++)
		free(state->definitions[i]);
	free(state->definitions);
	free(state->is_persistent);
	free(state->sysctl);
	free(state->limit);
	events_free(&state->events);
	memset(state, 0, sizeof(*state));
}

/* ---- ftrace -------------------------------------------------------------- */

/* Returns the path of a file of an event in an instance, for free(). */
static char *file_of(const struct state *state, const struct event *event,
		     const struct event_use *use, const char *file)
{
	bool is_top = !use->instance[0];

	return tool_print("%s%s%s/events/%s/%s/%s", state->events.tracefs,
			  is_top ? "" : "/instances/", use->instance,
			  event->system, event->name, file);
}

/* Return: whether the file was written; an error is printed with @wants_error */
static bool write_use(const struct state *state, const struct event *event,
		      const struct event_use *use, const char *file,
		      const char *text, bool wants_error)
{
	char *path = file_of(state, event, use, file);
	int err = files_write(path, text);

	if (err && wants_error)
		tool_error_of(err, "%s: cannot write \"%s\"", path, text);
	free(path);

	return !err;
}

char *state_trigger(const char *line)
{
	static const char *const states[] = { " [active]", " [paused]" };
	static const char unlimited[] = ":unlimited", count[] = ":count=";
	char *text = tool_copy(line), *at;
	size_t i, length = strlen(text);

	for (i = 0; i < ARRAY_SIZE(states); i++)
		if (length > strlen(states[i]) &&
		    strcmp(text + length - strlen(states[i]), states[i]) == 0)
			text[length - strlen(states[i])] = '\0';
	at = strstr(text, unlimited);
	if (at)
		memmove(at, at + strlen(unlimited),
			strlen(at + strlen(unlimited)) + 1);
	at = strstr(text, count);
	if (at)
		memmove(at + 1, at + strlen(count),
			strlen(at + strlen(count)) + 1);

	return text;
}

static void clear_use(const struct state *state, const struct event *event,
		      const struct event_use *use)
{
	char *trigger, *removal;
	size_t i;

	for (i = 0; i < use->trigger_count; i++) {
		trigger = state_trigger(use->triggers[i]);
		removal = tool_print("!%s", trigger);
		write_use(state, event, use, "trigger", removal, false);
		free(removal);
		free(trigger);
	}
	write_use(state, event, use, "enable", "0", false);
	write_use(state, event, use, "filter", "0", false);
}

void state_clear(struct state *state)
{
	const struct event *event;
	size_t i, j;

	for (i = 0; i < state->events.count; i++) {
		event = &state->events.events[i];
		for (j = 0; j < event->use_count; j++)
			clear_use(state, event, &event->uses[j]);
		/* An event that does not persist is gone, or is not found. */
		if (is_user_event(event) &&
		    !event_admin_delete(state->events.tracefs, event->name))
			state->is_persistent[i] = true;
	}
}

/* ---- Restoring ----------------------------------------------------------- */

unsigned int state_count(const struct state *state)
{
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < state->events.count; i++)
		if (state->is_persistent[i] ||
		    state->events.events[i].use_count)
			count++;

	return count;
}

static unsigned int restore_file(const struct stat *before, const char *path)
{
	struct stat now;

	if (!stat(path, &now) && now.st_mode == before->st_mode &&
	    now.st_uid == before->st_uid && now.st_gid == before->st_gid)
		return 0;
	/* The owner first: a change can remove bits of the mode. */
	if (!chown(path, before->st_uid, before->st_gid) &&
	    !chmod(path, before->st_mode & 0777))
		return 0;
	tool_error_of(-errno, "%s: cannot restore owner and mode", path);

	return 1;
}

static unsigned int restore_event(const struct state *state, size_t index)
{
	const char *definition = state->definitions[index];
	int err = -ENOENT;

	if (definition)
		err = event_admin_add(state->events.tracefs, definition);
	if (!err || err == -EEXIST)
		return 0;
	tool_error_of(err, "%s: cannot create it again",
		      state->events.events[index].name);

	return 1;
}

unsigned int state_restore_files(const struct state *state)
{
	unsigned int failures = 0;
	char *path;
	size_t i;

	for (i = 0; i < STATE_FILES; i++) {
		path = tool_print("%s/%s", state->events.tracefs,
				  file_names[i]);
		failures += restore_file(&state->files[i], path);
		free(path);
	}
	if (state->limit && files_write(state->sysctl, state->limit)) {
		tool_error("%s: cannot write", state->sysctl);
		failures++;
	}
	for (i = 0; i < state->events.count; i++)
		if (state->is_persistent[i])
			failures += restore_event(state, i);

	return failures;
}

static void restore_use(const struct state *state, const struct event *event,
			const struct event_use *use)
{
	char *trigger;
	size_t i;

	if (use->filter)
		write_use(state, event, use, "filter", use->filter, true);
	for (i = 0; i < use->trigger_count; i++) {
		trigger = state_trigger(use->triggers[i]);
		write_use(state, event, use, "trigger", trigger, true);
		free(trigger);
	}
	if (use->is_enabled)
		write_use(state, event, use, "enable", "1", true);
}

unsigned int state_restore_uses(const struct state *state, bool *restored)
{
	const struct event *event;
	unsigned int missing = 0;
	char *path;
	size_t i, j;

	for (i = 0; i < state->events.count; i++) {
		event = &state->events.events[i];
		if (restored[i] || !event->use_count)
			continue;
		path = file_of(state, event, &event->uses[0], "enable");
		restored[i] = access(path, F_OK) == 0;
		free(path);
		if (!restored[i]) {
			missing++;
			continue;
		}
		for (j = 0; j < event->use_count; j++)
			restore_use(state, event, &event->uses[j]);
	}

	return missing;
}
