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

static struct event *add(struct events *events, const char *system,
			 const char *name)
{
	struct event *event = tool_add(events->events, events->count);

	*event = (struct event){
		.system = tool_copy(system),
		.name = tool_copy(name),
	};

	return event;
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
	free(use->path);
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

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct event *)a)->name,
		      ((const struct event *)b)->name);
}

/* @events: as of read_lines() */
static const struct event *find_name(const struct events *events,
				     const char *name)
{
	const struct event wanted = { .name = (char *)name };

	return tool_find(&wanted, events->events, events->count, compare_names);
}

/*
 * Keeps and prints why something could not be read. An event can be deleted
 * meanwhile, and its files can be hidden from the user.
 */
static void keep_error(struct events *events, int error, const char *path)
{
	if (!error || error == -ENOENT || error == -ENODEV ||
	    error == -EACCES || error == -EPERM)
		return;
	tool_error_of(error, "%s: cannot read", path);
	events->error = error;
}

/* Return: the content of a file, for free(); NULL if it is not readable */
static char *read_text(struct events *events, const char *path)
{
	char *text;

	keep_error(events, files_read(path, &text, NULL), path);

	return text;
}

/*
 * Reads an event from each line of user_events_status or user_events_profile, up
 * to an empty line, and sorts them by name.
 *
 * Return: whether the file could be read
 */
static bool read_lines(struct events *events, const char *tracefs,
		       const char *file,
		       void (*read_line)(struct events *events, char *line))
{
	_cleanup_free_ char *path = tool_print("%s/%s", tracefs, file);
	_cleanup_free_ char *text = NULL;
	char *rest, *line;

	*events = (struct events){ 0 };
	text = read_text(events, path);
	if (!text)
		return false;
	rest = text;
	while ((line = strsep(&rest, "\n")) && *line)
		read_line(events, line);
	tool_sort(events->events, events->count, compare_names);

	return true;
}

static unsigned int tracer_of(const char *word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(event_tracers); i++)
		if (strcmp(event_tracers[i].name, word) == 0)
			return event_tracers[i].bit;

	return 0;
}

/* "BIT:NAME # Used by ftrace perf", or without the number */
static void read_status_line(struct events *events, char *line)
{
	static const char used[] = " # Used by ";
	size_t digits = strspn(line, "0123456789");
	struct event *event;
	char *mark, *word;

	if (digits && line[digits] == ':')
		line += digits + 1;
	mark = strstr(line, used);
	if (mark) {
		*mark = '\0';
		mark += strlen(used);
	}
	event = add(events, "", line);
	while ((word = strsep(&mark, " ")))
		event->tracers |= tracer_of(word);
}

/* Returns a file in a directory, as read_text(). */
static char *read_file(struct events *events, const char *directory,
		       const char *file)
{
	_cleanup_free_ char *path = tool_print("%s/%s", directory, file);

	return read_text(events, path);
}

static char *path_of(const char *directory, const struct event *event)
{
	return tool_print("%s/events/%s/%s", directory, event->system,
			  event->name);
}

static void read_format(struct events *events, struct event *event)
{
	_cleanup_free_ char *path = path_of(events->tracefs, event);
	_cleanup_free_ char *text = read_file(events, path, "format");
	int err = -ENOENT;

	if (text)
		err = uev_schema_parse(&event->schema, event->system, text,
				       strlen(text), 0, NULL);
	tool_need(err);
	if (!err) {
		event->id = uev_schema_id(event->schema);
		event->is_eventheader =
			uev_schema_is_eventheader(event->schema) &&
			!uev_eventheader_name_parse(&event->parts, event->name);
	}
}

static void read_triggers(struct event_use *use, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if (*line && *line != '#')
			*tool_add(use->triggers, use->trigger_count) =
				tool_copy(line);
}

static void read_filter(struct events *events, struct event_use *use,
			const char *path)
{
	_cleanup_free_ char *text = read_file(events, path, "filter");

	if (!text)
		return;
	text[strcspn(text, "\n")] = '\0';
	if (strcmp(text, "none") != 0)
		use->filter = tool_copy(text);
}

/* Reads the state of an event in an instance, if it is used there. */
static void read_use(struct events *events, struct event *event,
		     const char *directory, const char *instance,
		     unsigned int flags)
{
	_cleanup_free_ char *path = path_of(directory, event);
	_cleanup_free_ char *enable = read_file(events, path, "enable");
	_cleanup_free_ char *triggers = NULL;
	struct event_use use = { .instance = NULL };

	if (enable) {
		use.is_enabled = enable[0] == '1';
		use.is_soft = enable[0] && enable[1] == '*';
	}
	if (flags & EVENTS_USES) {
		read_filter(events, &use, path);
		triggers = read_file(events, path, "trigger");
		read_triggers(&use, triggers);
	}
	if (!use.is_enabled && !use.is_soft && !use.filter &&
	    !use.trigger_count)
		return;

	if (use.is_enabled || use.is_soft)
		event->tracers |= EVENTS_FTRACE;
	use.instance = tool_copy(instance);
	use.path = memory_pass(path);
	*tool_add(event->uses, event->use_count) = use;
}

static void read_uses(struct events *events, struct event *event,
		      const struct files_names *instances, unsigned int flags)
{
	size_t i;

	read_use(events, event, events->tracefs, "", flags);
	for (i = 0; i < instances->count; i++) {
		_cleanup_free_ char *directory =
			tool_print("%s/instances/%s", events->tracefs,
				   instances->names[i]);

		read_use(events, event, directory, instances->names[i], flags);
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
static void take_loss(struct event *event, char *word)
{
	char *cpu = strsep(&word, "="), *reason = strsep(&cpu, "@");
	struct event_loss *loss =
		cpu ? tool_add(event->cpu_losses, event->cpu_loss_count)
		    : tool_add(event->losses, event->loss_count);

	*loss = (struct event_loss){
		.reason = tool_copy(reason),
		.count = strtoull(word, NULL, 10),
		.cpu = cpu ? (uint32_t)strtoul(cpu, NULL, 10) : EVENTS_ALL_CPUS,
	};
	if (!cpu && find_reason(reason)->is_lost)
		event->lost += loss->count;
}

/* Cuts "REASON=NUMBER" words off the end of a line. Return: the words */
static char *cut_losses(char *line)
{
	char *losses = line + strlen(line), *space;

	while ((space = memrchr(line, ' ', (size_t)(losses - line))) &&
	       memchr(space, '=', (size_t)(losses - space)))
		losses = space;
	if (*losses)
		*losses++ = '\0';

	return losses;
}

/* Cuts the last word off, and spaces before it. Return: the word, or NULL */
static char *cut_word(char *line)
{
	char *space = strrchr(line, ' '), *end = space;

	while (end && end > line && end[-1] == ' ')
		end--;
	if (end)
		*end = '\0';

	return space ? space + 1 : NULL;
}

/* "  NAME   HITS   LOST REASON=NUMBER..."; the name can have any bytes. */
static void read_profile_line(struct events *events, char *line)
{
	char *losses = cut_losses(line), *lost, *hits, *word;
	struct event *event;

	line += strspn(line, " ");
	lost = cut_word(line);
	hits = cut_word(line);
	if (!hits)
		return;
	event = add(events, "", line);
	event->hits = strtoull(hits, NULL, 10);
	event->lost = strtoull(lost, NULL, 10);
	while ((word = strsep(&losses, " ")))
		if (*word)
			take_loss(event, word);
}

static bool read_profile(struct events *events, const char *tracefs)
{
	return read_lines(events, tracefs, "user_events_profile",
			  read_profile_line);
}

static void add_losses(struct event_loss **losses, size_t *count,
		       const struct event_loss *added, size_t added_count)
{
	struct event_loss *loss;
	size_t i;

	for (i = 0; i < added_count; i++) {
		loss = tool_add(*losses, *count);
		*loss = added[i];
		loss->reason = tool_copy(loss->reason);
	}
}

static void copy_counts(struct event *to, const struct event *from)
{
	to->hits = from->hits;
	to->lost = from->lost;
	add_losses(&to->losses, &to->loss_count, from->losses,
		   from->loss_count);
	add_losses(&to->cpu_losses, &to->cpu_loss_count, from->cpu_losses,
		   from->cpu_loss_count);
}

void events_counts(struct events *events, struct events *removed)
{
	_cleanup_(events_free) struct events profile;
	const struct event *counted;
	size_t i;

	read_profile(&profile, events->tracefs);
	if (profile.error)
		events->error = profile.error;
	for (i = 0; i < events->count; i++) {
		struct event *event = &events->events[i];

		counted = event->is_selected ? find_name(&profile, event->name)
					     : NULL;
		event->has_profile = counted;
		if (counted)
			copy_counts(event, counted);
	}
	for (i = 0; removed && i < profile.count; i++)
		if (profile.events[i].name[0] == '/')
			copy_counts(add(removed, "", profile.events[i].name),
				    &profile.events[i]);
}

bool events_read_losses(struct events *events, const char *tracefs)
{
	bool is_readable = read_profile(events, tracefs);
	struct event *event;
	size_t i;

	for (i = 0; i < events->count; i++) {
		event = &events->events[i];
		if (!event->cpu_loss_count)
			add_losses(&event->cpu_losses, &event->cpu_loss_count,
				   event->losses, event->loss_count);
	}

	return is_readable;
}

uint64_t events_loss_count(const struct events *events, const char *name,
			   const struct event_loss *loss)
{
	const struct event *event = find_name(events, name);
	size_t i;

	for (i = 0; event && i < event->cpu_loss_count; i++)
		if (event->cpu_losses[i].cpu == loss->cpu &&
		    strcmp(event->cpu_losses[i].reason, loss->reason) == 0)
			return event->cpu_losses[i].count;

	return 0;
}

/* Reads "NAME:uid=1000,gid=1000,mode=0660 FIELDS"; not all have the rights. */
static void read_definition(struct events *events, const char *definition,
			    unsigned int flags)
{
	size_t i, size = strcspn(definition, ": ");
	unsigned int uid, gid, mode;
	bool has_rights = sscanf(definition + size, ":uid=%u,gid=%u,mode=%o",
				 &uid, &gid, &mode) == 3;

	if (!has_rights && !(flags & EVENTS_DEFINITIONS))
		return;

	for (i = 0; i < events->count; i++) {
		struct event *event = &events->events[i];

		if (strcmp(event->system, "user_events") != 0 ||
		    !tool_is(definition, size, event->name))
			continue;
		if (flags & EVENTS_DEFINITIONS) {
			free(event->definition);
			event->definition = tool_copy(definition);
		}
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
	_cleanup_free_ char *text =
		read_file(events, events->tracefs, "dynamic_events");
	char *rest = text, *line;

	while ((line = strsep(&rest, "\n")))
		if (tool_starts(line, "u:"))
			read_definition(events, line + 2, flags);
}

int events_details(struct events *events, unsigned int flags)
{
	_cleanup_(files_names_free) struct files_names instances = { 0 };
	_cleanup_(events_free) struct events status;
	_cleanup_free_ char *path = tool_print("%s/instances", events->tracefs);
	const struct event *known;
	size_t i;

	events->error = 0;
	keep_error(events, files_names(path, &instances), path);
	read_definitions(events, flags);
	read_lines(&status, events->tracefs, "user_events_status",
		   read_status_line);
	if (status.error)
		events->error = status.error;

	for (i = 0; i < events->count; i++) {
		struct event *event = &events->events[i];

		if (!event->is_selected)
			continue;
		read_format(events, event);
		read_uses(events, event, &instances, flags);
		known = find_name(&status, event->name);
		event->has_status = known;
		if (known)
			event->tracers |= known->tracers;
	}
	events_counts(events, NULL);

	return events->error;
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
	if (!field->is_array || strchr(field->type, '['))
		return tool_copy(field->type);
	/* Each record has its own length, whatever the file says. */
	if (field->location != UEV_LOCATION_INLINE)
		return tool_print("%s[]", field->type);

	/* Some kernels omit the length, and only characters are in arrays. */
	return tool_print("%s[%u]", field->type,
			  field->count ? field->count : field->size);
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
	/* Of these, the definition has the size, too. */
	if (tool_starts(field->type, "struct "))
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
