// SPDX-License-Identifier: MIT
#include "events/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/admin.h"
#include "events/hist.h"
#include "files.h"
#include "tool.h"

#define HIST "hist:"

static const char *const file_names[STATE_FILES] = {
	"user_events_data",
	"user_events_status",
};

/* Parameters that are written while the module is loaded, and their defaults */
static const struct {
	const char *path;
	const char *initial;
} parameters[STATE_PARAMETERS] = {
	{ "/sys/module/user_events/parameters/status_own", "N" },
	{ "/sys/module/user_events/parameters/max_events_per_user", "0" },
	{ "/sys/module/user_events/parameters/max_enablers_per_user", "0" },
};

/* ---- Saving -------------------------------------------------------------- */

static bool is_user_event(const struct event *event)
{
	return strcmp(event->system, "user_events") == 0;
}

static int save_files(struct state *state)
{
	size_t i;

	for (i = 0; i < STATE_FILES; i++) {
		_cleanup_free_ char *path = tool_print(
			"%s/%s", state->events.tracefs, file_names[i]);

		if (stat(path, &state->files[i]))
			return -errno;
	}

	return 0;
}

/* Older modules lack some of the files. */
static int save_line(char **line, const char *path)
{
	int err = files_read(path, line, NULL);

	if (!err)
		(*line)[strcspn(*line, "\n")] = '\0';

	return err == -ENOENT ? 0 : err;
}

static int save_parameters(struct state *state)
{
	int err = 0;
	size_t i;

	for (i = 0; i < STATE_PARAMETERS && !err; i++)
		err = save_line(&state->parameters[i], parameters[i].path);

	return err;
}

int state_save(struct state *state, const char *tracefs, const char *sysctl)
{
	size_t count;
	int err;

	memset(state, 0, sizeof(*state));
	err = events_read(&state->events, tracefs);
	if (err)
		return err;
	count = state->events.count;
	state->sysctl = tool_copy(sysctl);
	state->is_persistent = tool_alloc((count + 1) * sizeof(bool));
	events_select(&state->events, NULL, 0);
	err = save_line(&state->limit, sysctl);
	if (!err)
		err = save_parameters(state);
	if (!err)
		err = events_details(&state->events,
				     EVENTS_USES | EVENTS_DEFINITIONS);
	if (!err)
		err = save_files(state);
	if (err)
		state_free(state);

	return err;
}

void state_free(struct state *state)
{
	size_t i;

	free(state->is_persistent);
	free(state->sysctl);
	free(state->limit);
	for (i = 0; i < STATE_PARAMETERS; i++)
		free(state->parameters[i]);
	events_free(&state->events);
	memset(state, 0, sizeof(*state));
}

/* ---- ftrace -------------------------------------------------------------- */

/* Return: 0 or a negative errno, which is printed with @wants_error */
static int write_use(const struct event_use *use, const char *file,
		     const char *text, bool wants_error)
{
	_cleanup_free_ char *path = tool_print("%s/%s", use->path, file);
	int err = files_write(path, text);

	/* A trigger that exists was restored before. */
	if (err == -EEXIST)
		err = 0;
	if (err && wants_error)
		tool_error_of(err, "%s: cannot write \"%s\"", path, text);

	return err;
}

static bool is_histogram(const char *trigger)
{
	return tool_starts(trigger, HIST);
}

/* Return: the bytes before the filter, which can be any text */
static size_t before_filter(const char *trigger)
{
	const char *filter = strstr(trigger, " if ");

	return filter ? (size_t)(filter - trigger) : strlen(trigger);
}

/* "hist:KEYS...[ if FILTER] [active]"; the state is written before the filter. */
static char *histogram_of(const char *line)
{
	static const char active[] = " [active]", paused[] = " [paused]";
	size_t length = strlen(line), before = before_filter(line);
	bool is_paused = false, has_state = false;

	if (length >= strlen(paused)) {
		is_paused = strcmp(line + length - strlen(paused), paused) == 0;
		has_state = is_paused ||
			    strcmp(line + length - strlen(active), active) == 0;
	}
	if (has_state)
		length -= strlen(paused);
	if (before > length)
		before = length;

	return tool_print("%.*s%s%.*s", (int)before, line,
			  is_paused ? ":pause" : "", (int)(length - before),
			  line + before);
}

char *state_trigger(const char *line)
{
	static const char unlimited[] = ":unlimited", count[] = ":count=";
	size_t before = before_filter(line);
	const char *filter = line + before, *at;

	if (is_histogram(line))
		return histogram_of(line);
	at = memmem(line, before, unlimited, strlen(unlimited));
	if (at)
		return tool_print("%.*s%s", (int)(at - line), line, filter);
	at = memmem(line, before, count, strlen(count));
	if (at)
		return tool_print("%.*s:%s", (int)(at - line), line,
				  at + strlen(count));

	return tool_copy(line);
}

/* Return: the number of triggers that other triggers still use */
static unsigned int remove_triggers(const struct event_use *use)
{
	unsigned int busy = 0;
	size_t i;

	for (i = 0; i < use->trigger_count; i++) {
		_cleanup_free_ char *trigger = state_trigger(use->triggers[i]);
		_cleanup_free_ char *removal = tool_print("!%s", trigger);

		busy += write_use(use, "trigger", removal, false) == -EBUSY;
	}

	return busy;
}

static unsigned int remove_all_triggers(const struct state *state)
{
	const struct event *event;
	unsigned int busy = 0;
	size_t i, j;

	for (i = 0; i < state->events.count; i++) {
		event = &state->events.events[i];
		for (j = 0; j < event->use_count; j++)
			busy += remove_triggers(&event->uses[j]);
	}

	return busy;
}

static void clear_uses(const struct event *event)
{
	size_t i;

	for (i = 0; i < event->use_count; i++) {
		write_use(&event->uses[i], "enable", "0", false);
		write_use(&event->uses[i], "filter", "0", false);
	}
}

void state_clear(struct state *state)
{
	unsigned int busy = remove_all_triggers(state), before = busy + 1;
	const struct event *event;
	size_t i;

	/* A histogram uses variables of another one. */
	while (busy && busy < before) {
		before = busy;
		busy = remove_all_triggers(state);
	}
	/* A trigger holds the event that it enables, so delete events last. */
	for (i = 0; i < state->events.count; i++)
		clear_uses(&state->events.events[i]);
	for (i = 0; i < state->events.count; i++) {
		event = &state->events.events[i];
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

static unsigned int restore_event(const struct state *state,
				  const struct event *event)
{
	int err = -ENOENT;

	if (event->definition)
		err = event_admin_add(state->events.tracefs, event->definition);
	if (!err || err == -EEXIST)
		return 0;
	tool_error_of(err, "%s: cannot create it again", event->name);

	return 1;
}

/* A default does not replace what the new module was loaded with. */
static unsigned int restore_parameters(const struct state *state)
{
	unsigned int failures = 0;
	const char *value;
	size_t i;

	for (i = 0; i < STATE_PARAMETERS; i++) {
		value = state->parameters[i];
		if (!value || strcmp(value, parameters[i].initial) == 0 ||
		    !files_write(parameters[i].path, value))
			continue;
		tool_error("%s: cannot write", parameters[i].path);
		failures++;
	}

	return failures;
}

unsigned int state_restore_files(const struct state *state)
{
	unsigned int failures = restore_parameters(state);
	size_t i;

	if (state->limit && files_write(state->sysctl, state->limit)) {
		tool_error("%s: cannot write", state->sysctl);
		failures++;
	}
	for (i = 0; i < state->events.count; i++)
		if (state->is_persistent[i])
			failures +=
				restore_event(state, &state->events.events[i]);
	/*
	 * Last, since the modes can make names readable that a parameter hides, and
	 * let others take the names of events, unless COMMAND has set them.
	 */
	for (i = 0; i < STATE_FILES; i++) {
		_cleanup_free_ char *path = tool_print(
			"%s/%s", state->events.tracefs, file_names[i]);

		failures += restore_file(&state->files[i], path);
	}

	return failures;
}

static bool restore_trigger(const struct event_use *use, size_t index,
			    bool wants_error)
{
	_cleanup_free_ char *trigger = state_trigger(use->triggers[index]);

	/* The next module counts from 0. */
	hist_drop_base(trigger);

	return !write_use(use, "trigger", trigger, wants_error);
}

/*
 * In the order of the file: the kernel inserts histograms at the end, other
 * triggers at the start.
 */
static bool restore_triggers(const struct event_use *use, bool wants_error)
{
	bool is_restored = true;
	size_t i;

	for (i = use->trigger_count; i; i--)
		if (!is_histogram(use->triggers[i - 1]))
			is_restored &= restore_trigger(use, i - 1, wants_error);
	for (i = 0; i < use->trigger_count; i++)
		if (is_histogram(use->triggers[i]))
			is_restored &= restore_trigger(use, i, wants_error);

	return is_restored;
}

static bool restore_use(const struct event_use *use, bool wants_error)
{
	bool is_restored = true;

	if (use->filter)
		is_restored =
			!write_use(use, "filter", use->filter, wants_error);
	is_restored &= restore_triggers(use, wants_error);
	if (use->is_enabled)
		is_restored &= !write_use(use, "enable", "1", wants_error);

	return is_restored;
}

static bool event_exists(const struct state *state, const struct event *event)
{
	return files_exist("%s/events/%s/%s/enable", state->events.tracefs,
			   event->system, event->name);
}

static bool restore_uses(const struct event *event, bool wants_error)
{
	bool is_restored = true;
	size_t i;

	for (i = 0; i < event->use_count; i++)
		is_restored &= restore_use(&event->uses[i], wants_error);

	return is_restored;
}

unsigned int state_restore_uses(const struct state *state, bool *restored)
{
	const struct event *event;
	unsigned int missing;
	bool has_progress;
	size_t i;

	do {
		missing = 0;
		has_progress = false;
		for (i = 0; i < state->events.count; i++) {
			event = &state->events.events[i];
			if (restored[i] || !event->use_count)
				continue;
			if (!event_exists(state, event)) {
				missing++;
				continue;
			}
			restored[i] = restore_uses(event, false);
			has_progress |= restored[i];
		}
		/* A trigger that failed can need one that was restored. */
	} while (has_progress);

	return missing;
}

unsigned int state_report_uses(const struct state *state, const bool *restored)
{
	const struct event *event;
	unsigned int count = 0;
	size_t i;

	for (i = 0; i < state->events.count; i++) {
		event = &state->events.events[i];
		if (restored[i] || !event->use_count)
			continue;
		if (!event_exists(state, event)) {
			tool_error("%s: not registered again, its tracers in "
				   "ftrace are not restored",
				   event->name);
			count++;
		} else if (!restore_uses(event, true)) {
			count++;
		}
	}

	return count;
}
