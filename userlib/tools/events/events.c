// SPDX-License-Identifier: MIT
#include "events/events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "tool.h"
#include "util/tracefs.h"

static const char *const systems[] = { "user_events", "user_events_multi" };

const struct event_tracer event_tracers[3] = {
	{ "ftrace", EVENTS_FTRACE },
	{ "perf", EVENTS_PERF },
	{ "other", EVENTS_OTHER },
};

/* ---- List of events ---- */

static void add(struct events *events, const char *system, const char *name)
{
	struct event *event = tool_add(events->events, events->count);

	memset(event, 0, sizeof(*event));
	event->system = tool_copy(system);
	event->name = tool_copy(name);
}

/* Files in the directory of a system that are not events. */
static bool is_of_system(const char *name)
{
	return strcmp(name, "enable") == 0 || strcmp(name, "filter") == 0;
}

static int read_system(struct events *events, const char *system)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	_cleanup_free_ char *path =
		tool_print("%s/events/%s", events->tracefs, system);
	size_t i;
	int ret = files_names(path, &names);

	/* The directory exists only while the system has events. */
	if (ret)
		return ret == -ENOENT ? 0 : ret;
	for (i = 0; i < names.count; i++)
		if (!is_of_system(names.names[i]))
			add(events, system, names.names[i]);

	return 0;
}

static int check_context(const char *tracefs)
{
	_cleanup_(files_names_free) struct files_names names = { 0 };
	bool is_there = false;
	size_t i;
	int ret;

	ret = files_names(tracefs, &names);
	if (ret)
		return ret;
	for (i = 0; i < names.count; i++)
		if (strcmp(names.names[i], "user_events_data") == 0)
			is_there = true;

	return is_there ? 0 : -ENODEV;
}

int events_read(struct events *events, const char *tracefs)
{
	size_t i;
	int ret;

	memset(events, 0, sizeof(*events));
	ret = check_context(tracefs);
	if (ret)
		return ret;
	events->tracefs = tool_copy(tracefs);
	for (i = 0; !ret && i < ARRAY_SIZE(systems); i++)
		ret = read_system(events, systems[i]);
	if (ret)
		events_free(events);

	return ret;
}

static void free_use(struct event_use *use)
{
	size_t i;

	free(use->instance);
	free(use->filter);
	for (i = 0; i < use->trigger_count; i++)
		free(use->triggers[i]);
	free(use->triggers);
}

static void free_losses(struct event_loss *losses, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		free(losses[i].reason);
	free(losses);
}

void events_free(struct events *events)
{
	size_t i, j;

	for (i = 0; i < events->count; i++) {
		struct event *event = &events->events[i];

		for (j = 0; j < event->use_count; j++)
			free_use(&event->uses[j]);
		free(event->uses);
		free_losses(event->losses, event->loss_count);
		free_losses(event->cpu_losses, event->cpu_loss_count);
		uev_schema_free(event->schema);
		free(event->definition);
		free(event->system);
		free(event->name);
	}
	free(events->events);
	free(events->tracefs);
	memset(events, 0, sizeof(*events));
}

/* ---- Selection ---- */

bool events_is_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[") != NULL;
}

int events_select(struct events *events, char **patterns, size_t count)
{
	int status = TOOL_OK;
	size_t i, j, found;

	for (i = 0; !count && i < events->count; i++)
		events->events[i].is_selected = true;
	for (j = 0; j < count; j++) {
		found = 0;
		for (i = 0; i < events->count; i++) {
			struct event *event = &events->events[i];

			if (uev_tracefs_matches(patterns[j], event->system,
						event->name)) {
				event->is_selected = true;
				found++;
			}
		}
		if (!found && !events_is_glob(patterns[j])) {
			tool_error("%s: no such event", patterns[j]);
			status = TOOL_NOT_FOUND;
		}
	}

	return status;
}

void events_match(struct events *events, const char *const *patterns,
		  size_t count)
{
	struct event *event;
	size_t i, j;

	for (i = 0; i < events->count; i++) {
		event = &events->events[i];
		event->is_selected = !count;
		for (j = 0; j < count && !event->is_selected; j++)
			event->is_selected = uev_tracefs_matches(
				patterns[j], event->system, event->name);
	}
}

/* ---- Details of events ---- */

/* A line of user_events_status or user_events_profile. */
struct row {
	char *name;
	unsigned int tracers;
	uint64_t hits;
	uint64_t lost;
	char *losses;
};

struct rows {
	struct row *rows;
	size_t count;
	bool is_known;
};

static struct row *add_row(struct rows *rows, const char *name, size_t length)
{
	struct row *row = tool_add(rows->rows, rows->count);

	memset(row, 0, sizeof(*row));
	row->name = tool_print("%.*s", (int)length, name);

	return row;
}

static int compare_rows(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->name,
		      ((const struct row *)b)->name);
}

static const struct row *find_row(const struct rows *rows, char *name)
{
	const struct row wanted = { .name = name };

	return tool_find(&wanted, rows->rows, rows->count, compare_rows);
}

static void free_row(struct row *row)
{
	free(row->name);
	free(row->losses);
}

static void free_rows(struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++)
		free_row(&rows->rows[i]);
	free(rows->rows);
}

static unsigned int tracers_of(const char *words, size_t length)
{
	unsigned int tracers = 0;
	size_t size, i;

	while (length) {
		size = strcspn(words, " \n");
		if (size > length)
			size = length;
		for (i = 0; i < ARRAY_SIZE(event_tracers); i++)
			if (strlen(event_tracers[i].name) == size &&
			    strncmp(words, event_tracers[i].name, size) == 0)
				tracers |= event_tracers[i].bit;
		size += size < length;
		words += size;
		length -= size;
	}

	return tracers;
}

/*
 * "BIT:NAME # Used by ftrace perf", or without the number; up to an empty line.
 */
static void read_status_line(struct rows *rows, const char *line, size_t length)
{
	static const char used[] = " # Used by ";
	const char *end = line + length;
	size_t digits = strspn(line, "0123456789");
	const char *mark;
	struct row *row;

	if (digits && line[digits] == ':')
		line += digits + 1;
	mark = memmem(line, (size_t)(end - line), used, strlen(used));
	row = add_row(rows, line, (size_t)((mark ? mark : end) - line));
	if (mark) {
		mark += strlen(used);
		row->tracers = tracers_of(mark, (size_t)(end - mark));
	}
}

/* Cuts "REASON=NUMBER" words off the end of a line. Return: the words, for free() */
static char *cut_losses(char *line)
{
	size_t end = strlen(line), start;
	char *losses;

	for (start = end; start; start--) {
		if (line[start - 1] != ' ')
			continue;
		if (!memchr(line + start, '=', end - start))
			break;
		end = start - 1;
	}
	losses = tool_copy(line + end);
	line[end] = '\0';

	return losses;
}

/* "  NAME   HITS   LOST REASON=NUMBER..." */
static void read_profile_line(struct rows *rows, const char *line,
			      size_t length)
{
	_cleanup_free_ char *copy = tool_print("%.*s", (int)length, line);
	_cleanup_free_ char *losses = cut_losses(copy);
	char *lost, *hits;
	struct row *row;
	size_t size;

	line = copy + strspn(copy, " ");
	lost = strrchr(copy, ' ');
	hits = lost;
	while (hits && hits > line && hits[-1] == ' ')
		hits--;
	while (hits && hits > line && hits[-1] != ' ')
		hits--;
	if (hits && hits > line) {
		size = (size_t)(hits - line);
		while (size && line[size - 1] == ' ')
			size--;
		row = add_row(rows, line, size);
		row->hits = strtoull(hits, NULL, 10);
		row->lost = strtoull(lost, NULL, 10);
		row->losses = memory_pass(losses);
	}
}

static void read_rows(struct rows *rows, const char *tracefs, const char *file,
		      void (*read_line)(struct rows *rows, const char *line,
					size_t length))
{
	_cleanup_free_ char *path = tool_print("%s/%s", tracefs, file);
	_cleanup_free_ char *text = NULL;
	const char *line;
	size_t length;

	memset(rows, 0, sizeof(*rows));
	rows->is_known = files_read(path, &text, NULL) == 0;
	if (!rows->is_known)
		return;
	for (line = text; *line && *line != '\n'; line += length + 1) {
		length = strcspn(line, "\n");
		read_line(rows, line, length);
		if (!line[length])
			break;
	}
	tool_sort(rows->rows, rows->count, compare_rows);
}

/* Returns a file of an event, for free(); NULL if it is not readable. */
static char *read_file(const char *directory, const struct event *event,
		       const char *file)
{
	_cleanup_free_ char *path = tool_print("%s/events/%s/%s/%s", directory,
					       event->system, event->name,
					       file);
	char *text;

	files_read(path, &text, NULL);

	return text;
}

static void read_format(const struct events *events, struct event *event)
{
	_cleanup_free_ char *text = read_file(events->tracefs, event, "format");

	if (text && !uev_schema_parse(&event->schema, event->system, text,
				      strlen(text), 0, NULL)) {
		event->id = uev_schema_id(event->schema);
		event->is_eventheader =
			uev_schema_is_eventheader(event->schema) &&
			!uev_eventheader_name_parse(&event->parts, event->name);
	}
}

static void read_triggers(struct event_use *use, const char *text)
{
	size_t length;

	for (; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		if (!length || *text == '#')
			continue;
		*tool_add(use->triggers, use->trigger_count) =
			tool_print("%.*s", (int)length, text);
	}
}

static void read_filter(struct event_use *use, const char *directory,
			const struct event *event)
{
	_cleanup_free_ char *text = read_file(directory, event, "filter");

	if (!text)
		return;
	text[strcspn(text, "\n")] = '\0';
	if (strcmp(text, "none") != 0)
		use->filter = tool_copy(text);
}

/* Reads the state of an event in an instance, if it is used there. */
static void read_use(struct event *event, const char *directory,
		     const char *instance, unsigned int flags)
{
	_cleanup_free_ char *enable = read_file(directory, event, "enable");
	_cleanup_free_ char *triggers = NULL;
	struct event_use use = { .instance = NULL };

	if (enable) {
		use.is_enabled = enable[0] == '1';
		use.is_soft = enable[0] && enable[1] == '*';
	}
	if (flags & EVENTS_USES) {
		read_filter(&use, directory, event);
		triggers = read_file(directory, event, "trigger");
		if (triggers)
			read_triggers(&use, triggers);
	}
	if (!use.is_enabled && !use.is_soft && !use.filter &&
	    !use.trigger_count)
		return;

	if (use.is_enabled || use.is_soft)
		event->tracers |= EVENTS_FTRACE;
	use.instance = tool_copy(instance);
	*tool_add(event->uses, event->use_count) = use;
}

static void read_uses(const struct events *events, struct event *event,
		      const struct files_names *instances, unsigned int flags)
{
	size_t i;

	read_use(event, events->tracefs, "", flags);
	for (i = 0; i < instances->count; i++) {
		_cleanup_free_ char *directory =
			tool_print("%s/instances/%s", events->tracefs,
				   instances->names[i]);

		read_use(event, directory, instances->names[i], flags);
	}
}

/*
 * The reasons. The third column of user_events_profile already has those that
 * are too large; the others that are not lost were not wanted.
 */
static const struct reason {
	const char *reason;
	const char *text;
	bool is_lost;
} reasons[] = {
	{ "disabled", "written while no tracer was attached", false },
	{ "fault", "in memory that could not be read", true },
	{ "invalid", "not valid", true },
	{ "nomem", "large, and out of memory", true },
	{ "ftrace_too_large", "too large for ftrace", false },
	{ "ftrace_buffer", "for a buffer of ftrace that was off or full",
	  true },
	{ "ftrace_filtered", "rejected by a filter of ftrace", false },
	{ "ftrace_soft_disabled", "for triggers of ftrace only", false },
	{ "ftrace_detached", "written while ftrace was detached", false },
	{ "perf_too_large", "too large for perf and BPF", false },
	{ "perf_absent", "of CPUs or processes that perf does not count",
	  false },
	/* Not of the module */
	{ "perf_buffer", "for a buffer of perf that was full", true },
	{ "ftrace_overwritten", "overwritten before they were read", true },
	{ "missing", "counted by the module, and unknown to perf", true },
};

/* Return: its row, or a row of zeros */
static const struct reason *find_reason(const char *reason)
{
	static const struct reason none;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++)
		if (strcmp(reasons[i].reason, reason) == 0)
			return &reasons[i];

	return &none;
}

const char *events_loss_text(const char *reason)
{
	return find_reason(reason)->text;
}

const char *events_loss_reason(size_t index)
{
	return index < ARRAY_SIZE(reasons) ? reasons[index].reason : NULL;
}

/* "REASON=NUMBER", or "REASON@CPU=NUMBER" of a processor */
static void take_loss(struct event *event, const char *word, size_t length)
{
	const char *mark = memchr(word, '=', length);
	const char *at = memchr(word, '@', (size_t)(mark - word));
	struct event_loss *loss;

	loss = at ? tool_add(event->cpu_losses, event->cpu_loss_count)
		  : tool_add(event->losses, event->loss_count);
	loss->reason = tool_print("%.*s", (int)((at ? at : mark) - word), word);
	loss->count = strtoull(mark + 1, NULL, 10);
	loss->cpu = at ? (uint32_t)strtoul(at + 1, NULL, 10) : EVENTS_ALL_CPUS;
	if (!at && find_reason(loss->reason)->is_lost)
		event->lost += loss->count;
}

static void take_counts(struct event *event, const struct row *row)
{
	const char *word = row->losses;
	size_t length;

	event->hits = row->hits;
	event->lost = row->lost;
	for (word += strspn(word, " "); *word; word += strspn(word, " ")) {
		length = strcspn(word, " ");
		take_loss(event, word, length);
		word += length;
	}
}

static void take_row(struct events *to, const struct row *row)
{
	add(to, "", row->name);
	take_counts(&to->events[to->count - 1], row);
}

void events_counts(struct events *events, struct events *removed)
{
	struct rows profile;
	const struct row *row;
	size_t i;

	read_rows(&profile, events->tracefs, "user_events_profile",
		  read_profile_line);
	for (i = 0; i < events->count; i++) {
		struct event *event = &events->events[i];

		row = event->is_selected ? find_row(&profile, event->name)
					 : NULL;
		event->has_profile = row != NULL;
		if (row)
			take_counts(event, row);
	}
	for (i = 0; removed && i < profile.count; i++)
		if (profile.rows[i].name[0] == '/')
			take_row(removed, &profile.rows[i]);
	free_rows(&profile);
}

static void copy_losses(struct event *event)
{
	struct event_loss *loss;
	size_t i;

	if (event->cpu_loss_count)
		return;
	for (i = 0; i < event->loss_count; i++) {
		loss = tool_add(event->cpu_losses, event->cpu_loss_count);
		*loss = event->losses[i];
		loss->reason = tool_copy(loss->reason);
	}
}

bool events_read_losses(struct events *events, const char *tracefs)
{
	struct rows profile;
	size_t i;

	*events = (struct events){ 0 };
	read_rows(&profile, tracefs, "user_events_profile", read_profile_line);
	for (i = 0; i < profile.count; i++) {
		if (!*profile.rows[i].losses)
			continue;
		take_row(events, &profile.rows[i]);
		copy_losses(&events->events[events->count - 1]);
	}
	free_rows(&profile);

	return profile.is_known;
}

static int compare_names(const void *name, const void *event)
{
	return strcmp(name, ((const struct event *)event)->name);
}

uint64_t events_loss_count(const struct events *events, const char *name,
			   const struct event_loss *loss)
{
	const struct event *event =
		tool_find(name, events->events, events->count, compare_names);
	size_t i;

	for (i = 0; event && i < event->cpu_loss_count; i++)
		if (event->cpu_losses[i].cpu == loss->cpu &&
		    strcmp(event->cpu_losses[i].reason, loss->reason) == 0)
			return event->cpu_losses[i].count;

	return 0;
}

static void keep_definition(struct event *event, const char *definition)
{
	free(event->definition);
	event->definition =
		tool_print("%.*s", (int)strcspn(definition, "\n"), definition);
}

/* Reads "NAME:uid=1000,gid=1000,mode=0660 FIELDS"; not all have the rights. */
static void read_definition(struct events *events, const char *definition,
			    unsigned int flags)
{
	size_t i, size = strcspn(definition, ": \n");
	unsigned int uid, gid, mode;
	bool has_rights = sscanf(definition + size, ":uid=%u,gid=%u,mode=%o",
				 &uid, &gid, &mode) == 3;

	if (!has_rights && !(flags & EVENTS_DEFINITIONS))
		return;

	for (i = 0; i < events->count; i++) {
		struct event *event = &events->events[i];

		if (strcmp(event->system, "user_events") != 0 ||
		    strlen(event->name) != size ||
		    strncmp(event->name, definition, size) != 0)
			continue;
		if (flags & EVENTS_DEFINITIONS)
			keep_definition(event, definition);
		if (!has_rights)
			continue;
		event->has_rights = true;
		event->uid = uid;
		event->gid = gid;
		event->mode = mode;
	}
}

/* Lines of user events in dynamic_events start with "u:". */
static void read_definitions(struct events *events, unsigned int flags)
{
	_cleanup_free_ char *path =
		tool_print("%s/dynamic_events", events->tracefs);
	_cleanup_free_ char *text = NULL;
	const char *line;

	files_read(path, &text, NULL);
	for (line = text; line && *line; line += line[0] == '\n') {
		if (strncmp(line, "u:", 2) == 0)
			read_definition(events, line + 2, flags);
		line += strcspn(line, "\n");
	}
}

void events_details(struct events *events, unsigned int flags)
{
	_cleanup_(files_names_free) struct files_names instances = { 0 };
	_cleanup_free_ char *path = tool_print("%s/instances", events->tracefs);
	struct rows status;
	const struct row *row;
	size_t i;

	files_names(path, &instances);
	read_definitions(events, flags);
	read_rows(&status, events->tracefs, "user_events_status",
		  read_status_line);

	for (i = 0; i < events->count; i++) {
		struct event *event = &events->events[i];

		if (!event->is_selected)
			continue;
		read_format(events, event);
		read_uses(events, event, &instances, flags);
		row = find_row(&status, event->name);
		event->has_status = row != NULL;
		if (row)
			event->tracers |= row->tracers;
	}
	free_rows(&status);
	events_counts(events, NULL);
}

/* ---- Formatting ---- */

const char *events_level(unsigned int level)
{
	static const char *const levels[] = {
		[UEV_LEVEL_CRITICAL] = "critical",
		[UEV_LEVEL_ERROR] = "error",
		[UEV_LEVEL_WARNING] = "warning",
		[UEV_LEVEL_INFORMATION] = "information",
		[UEV_LEVEL_VERBOSE] = "verbose",
	};

	return level < ARRAY_SIZE(levels) ? levels[level] : NULL;
}

int events_take_level(void *level, const struct tool_argument *argument)
{
	unsigned int *kept = level;
	uint64_t number;

	for (*kept = UEV_LEVEL_CRITICAL; *kept <= UEV_LEVEL_VERBOSE; ++*kept)
		if (strcmp(argument->text, events_level(*kept)) == 0)
			return TOOL_OK;
	if (!tool_number(argument->text, 1, UINT8_MAX, &number))
		return tool_invalid(argument, "a level from 1 to 255, or "
					      "critical, error, warning, "
					      "information or verbose");
	*kept = (unsigned int)number;

	return TOOL_OK;
}

char *events_name(const struct event *event)
{
	if (strcmp(event->system, systems[0]) == 0)
		return tool_copy(event->name);

	return tool_print("%s:%s", event->system, event->name);
}

char *events_type(const struct uev_format_field *field)
{
	uint32_t count = field->count;

	if (!field->is_array || strchr(field->type, '['))
		return tool_copy(field->type);
	/* Some kernels omit the length, and only characters are in arrays. */
	if (!count && field->location == UEV_LOCATION_INLINE)
		count = field->size;

	return count ? tool_print("%s[%u]", field->type, count)
		     : tool_print("%s[]", field->type);
}

/* Of these, the definition has the size, too. */
static bool is_struct(const struct uev_format_field *field)
{
	return strncmp(field->type, "struct ", strlen("struct ")) == 0;
}

static void add_field(struct uev_output *to,
		      const struct uev_format_field *field)
{
	_cleanup_free_ char *type = events_type(field);
	_cleanup_free_ char *size = tool_print(" %u", field->size);

	tool_put(to, to->size ? "; " : "");
	tool_put(to, type);
	tool_put(to, " ");
	tool_put(to, field->name);
	if (is_struct(field))
		tool_put(to, size);
}

char *events_fields(const struct event *event)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	tool_put(&text, "");
	for (i = 0; event->schema && i < uev_schema_field_count(event->schema);
	     i++) {
		const struct uev_format_field *field =
			uev_schema_field(event->schema, i);

		if (!field->is_common)
			add_field(&text, field);
	}

	return text.text;
}

char *events_definition(const struct event *event)
{
	_cleanup_free_ char *fields = events_fields(event);

	return tool_print("%s%s%s", event->name, *fields ? " " : "", fields);
}

char *events_quote(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-+.,:/@%";
	struct uev_output quoted = UEV_OUTPUT_INIT;

	if (*text && text[strspn(text, plain)] == '\0')
		return tool_copy(text);
	tool_put(&quoted, "'");
	for (; *text; text++) {
		if (*text == '\'')
			tool_put(&quoted, "'\\''");
		else
			tool_append(&quoted, text, 1);
	}
	tool_put(&quoted, "'");

	return quoted.text;
}
