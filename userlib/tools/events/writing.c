// SPDX-License-Identifier: MIT
#include "events/writing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "events/admin.h"
#include "events/definitions.h"
#include "events/header_field.h"
#include "events/report.h"
#include "util/tracefs.h"

/* ---- Events ---- */

static bool is_system(const char *name)
{
	return tool_starts(name, "user_events:") ||
	       tool_starts(name, "user_events_multi:");
}

/* A record that is not written is the only purpose of the program. */
static int check_registered(const struct writing *writing, int err)
{
	if (!err)
		return TOOL_OK;
	tool_error("%s: %s", writing->name, uev_strerror(err));
	if (err == -EADDRINUSE)
		tool_hint("compare with \"user-events show %s\"",
			  writing->name);
	else
		tool_hint("run \"user-events doctor\"");

	return TOOL_FAILED;
}

static int open_header(struct writing *writing, const char *name)
{
	_cleanup_free_ char *provider =
		tool_print("%.*s", (int)strcspn(name, ":"), name);
	const char *colon = strchr(name, ':');
	int err;

	if (!colon[1])
		return tool_usage(writing->command, "%s: no name of an event",
				  name);
	err = uev_dynamic_provider_new(&writing->provider, provider, NULL);
	tool_need(err);
	if (err)
		return tool_usage(writing->command,
				  "%s: the provider is not a name of letters, "
				  "digits and \"_\"",
				  provider);
	tool_need(uev_builder_new(&writing->builder));
	writing->event_name = colon + 1;
	err = uev_dynamic_provider_event_set(writing->provider, writing->level,
					     writing->keyword, &writing->set);
	tool_need(err);
	if (!err)
		err = uev_event_status(&writing->set->event);

	return check_registered(writing, err);
}

/* Returns the bytes in front of the first own field; 0 if it is not known. */
static size_t header_of(const struct event *event)
{
	const struct uev_format_field *field;
	size_t i;

	if (!event->schema)
		return 0;
	for (i = 0; (field = uev_schema_field(event->schema, i)); i++)
		if (!field->is_common)
			return field->offset;

	return 0;
}

/* Finds an event by its name without the system user_events. */
static const struct event *find_event(const struct events *events,
				      const char *name)
{
	size_t i;

	for (i = 0; i < events->count; i++) {
		_cleanup_free_ char *full = events_name(&events->events[i]);

		if (strcmp(full, name) == 0)
			return &events->events[i];
	}

	return NULL;
}

/* Returns the definition; another format has "NAME.N" as its name. */
static char *definition_of(const struct event *event)
{
	_cleanup_free_ char *fields = events_fields(event);
	size_t size = strlen(event->name);
	const char *dot = strrchr(event->name, '.');

	if (dot && strcmp(event->system, "user_events") != 0)
		size = (size_t)(dot - event->name);

	return tool_print("%.*s%s%s", (int)size, event->name,
			  *fields ? " " : "", fields);
}

/* Reads the details of an event. */
static const struct event *read_event(struct events *events, const char *name)
{
	events_match(events, &name, 1);
	events_details(events, 0);

	return find_event(events, name);
}

static int print_unknown(const char *name)
{
	tool_error("%s: no such event", name);
	tool_hint("give its fields, as in \"user-events write '%s u32 size; "
		  "char[20] color' size=5 color=red\"",
		  name);

	return TOOL_NOT_FOUND;
}

/* Sets the definition of an existing event, for free(). */
static int find_definition(const char *name, char **text, size_t *header)
{
	_cleanup_(events_free) struct events events = { 0 };
	const struct event *event;
	int status = events_open(&events);

	if (status)
		return status;
	event = read_event(&events, name);
	if (!event)
		return print_unknown(name);
	if (event->is_eventheader) {
		tool_error("%s: is of EventHeader", name);
		tool_hint("use PROVIDER:EVENT, with --level and --keyword");
		return TOOL_USAGE;
	}
	if (!event->schema) {
		tool_error("%s: cannot read its format", name);
		return TOOL_FAILED;
	}
	*header = header_of(event);
	*text = definition_of(event);

	return TOOL_OK;
}

/* The size differs between kernels. */
static size_t find_header(const char *name)
{
	_cleanup_(events_free) struct events events = { 0 };
	_cleanup_free_ char *tracefs = NULL;
	const struct event *event = NULL;

	if (!uev_tracefs_directory(NULL, &tracefs) &&
	    !events_read(&events, tracefs))
		event = read_event(&events, name);

	return event ? header_of(event) : 0;
}

static int register_own(struct writing *writing, const char *command)
{
	int err = event_admin_register(&writing->own, command, UEV_SHARE_NAME);

	tool_need(err);

	return check_registered(writing, err);
}

static int open_own(struct writing *writing, const char *name)
{
	_cleanup_(definitions_free) struct definitions wanted = { 0 };
	bool is_definition = strchr(name, ' ');
	_cleanup_free_ char *text = NULL;
	size_t header = 0;
	int status = TOOL_OK;

	if (is_definition)
		text = tool_copy(name);
	else
		status = find_definition(name, &text, &header);
	if (!status && !definitions_add(&wanted, text, NULL, 0))
		status = TOOL_USAGE;
	if (!status && *wanted.definitions[0].rights)
		status = tool_usage(writing->command, "%s: cannot set rights",
				    text);
	if (!status) {
		payload_init(&writing->payload, wanted.definitions[0].command);
		status = register_own(writing, wanted.definitions[0].command);
	}
	if (!status && payload_needs_header(&writing->payload) && !header) {
		header = find_header(wanted.definitions[0].name);
		if (!header) {
			tool_error(
				"%s: cannot read its format, which __data_loc "
				"fields need",
				wanted.definitions[0].name);
			tool_hint("use __rel_loc");
			status = TOOL_FAILED;
		}
	}
	writing->payload.header = header;

	return status;
}

static int open_event(struct writing *writing, const char *name)
{
	bool is_header = strchr(name, ':') && !is_system(name) &&
			 !strchr(name, ' ');

	tool_skip(&name, "user_events:");
	writing->name = tool_print("%.*s", (int)strcspn(name, " "), name);
	if (is_header)
		return open_header(writing, name);
	if (writing->has_header)
		return tool_usage(writing->command,
				  "%s: --level, --keyword, --opcode and "
				  "--activity are for PROVIDER:EVENT",
				  writing->name);

	return open_own(writing, name);
}

static void close_event(struct writing *writing)
{
	uev_event_unregister(&writing->own);
	uev_builder_free(writing->builder);
	uev_dynamic_provider_free(writing->provider);
	payload_release(&writing->payload);
	free(writing->name);
	uev_shutdown();
}

/* ---- Records ---- */

/* A record that is not written leaves the others. */
static void fail(struct writing *writing, int status)
{
	if (!writing->line)
		writing->status = status;
	else if (!writing->status)
		writing->status = TOOL_INCOMPLETE;
}

/* Prints what is wrong with a record, and in which line. */
static void print_problem(const struct writing *writing, const char *what,
			  size_t size, const char *reason)
{
	const char *path = writing->path && strcmp(writing->path, "-") != 0
				   ? writing->path
				   : "stdin";

	if (writing->line)
		tool_error("%s:%zu: %.*s: %s", path, writing->line, (int)size,
			   what, reason);
	else
		tool_error("%.*s: %s", (int)size, what, reason);
}

static int begin_record(struct writing *writing)
{
	int err;

	if (!writing->set)
		return 0;
	err = uev_builder_begin(writing->builder, writing->event_name, 0);
	if (!err)
		err = uev_builder_opcode(writing->builder, writing->opcode);
	if (err)
		print_problem(writing, writing->event_name,
			      strlen(writing->event_name), uev_strerror(err));

	return err;
}

static int add_field(struct writing *writing, const char *name,
		     size_t name_size, const char *value, size_t size)
{
	const char *reason = NULL;
	int err = writing->set
			  ? header_field_add(writing->builder, name, name_size,
					     value, size, &reason)
			  : payload_set(&writing->payload, name, name_size,
					value, size, &reason);

	if (err)
		print_problem(writing, name, name_size, reason);

	return err;
}

/* Adds "FIELD=VALUE" of the command line. */
static int add_words(struct writing *writing)
{
	int i, err = 0;

	for (i = 0; i < writing->word_count && !err; i++) {
		const char *word = writing->words[i];
		size_t size = strcspn(word, "=");

		err = word[size]
			      ? add_field(writing, word, size, word + size + 1,
					  strlen(word + size + 1))
			      : -EINVAL;
		if (!word[size])
			print_problem(writing, word, size, "no \"=\"");
	}

	return err;
}

static int write_own(struct writing *writing)
{
	_cleanup_(uev_output_release) struct uev_output payload =
		UEV_OUTPUT_INIT;
	int err = payload_append(&writing->payload, &payload);
	const struct iovec vector = { payload.text, payload.size };

	if (err)
		return err;

	return uev_event_writev(&writing->own, &vector, payload.size ? 1 : 0);
}

/* Writes the record that was begun. @err: an error that is printed */
static void end_record(struct writing *writing, int err)
{
	if (err) {
		payload_clear(&writing->payload);
		fail(writing, TOOL_USAGE);
		return;
	}
	writing->count++;
	err = writing->set ? uev_builder_write(writing->builder, writing->set,
					       writing->has_activity
						       ? writing->activity
						       : NULL,
					       NULL)
			   : write_own(writing);
	if (!err)
		return;
	print_problem(writing, writing->name, strlen(writing->name),
		      uev_strerror(err));
	fail(writing, TOOL_FAILED);
}

static void write_one(struct writing *writing)
{
	int err = begin_record(writing);

	end_record(writing, err ? err : add_words(writing));
}

/* ---- Lines ---- */

/*
 * Reads a quoted value from after its quote, and replaces escape sequences.
 * Return: the text after the closing quote; NULL without one
 */
static char *unquote(char *text, size_t *size)
{
	char *to = text, *from = text;

	for (; *from && *from != '"'; from++) {
		if (*from == '\\' && from[1]) {
			from++;
			*to++ = *from == 'n'   ? '\n'
				: *from == 't' ? '\t'
					       : *from;
		} else {
			*to++ = *from;
		}
	}
	*size = (size_t)(to - text);

	return *from ? from + 1 : NULL;
}

/* Adds the fields of a line: FIELD=VALUE or FIELD="VALUE", with spaces. */
static int add_line(struct writing *writing, char *line)
{
	size_t name_size, size;
	char *name, *value;
	int err = 0;

	for (line += strspn(line, " \t"); *line && !err;
	     line += strspn(line, " \t")) {
		name = line;
		name_size = strcspn(name, "= \t");
		if (name[name_size] != '=') {
			print_problem(writing, name, name_size, "no \"=\"");
			return -EINVAL;
		}
		value = name + name_size + 1;
		size = strcspn(value, " \t");
		line = value + size;
		if (*value == '"')
			line = unquote(++value, &size);
		if (!line) {
			print_problem(writing, name, name_size,
				      "no closing quote");
			return -EINVAL;
		}
		err = add_field(writing, name, name_size, value, size);
	}

	return err;
}

static void write_line(struct writing *writing, char *line, size_t size)
{
	int err;

	if (size && line[size - 1] == '\n')
		line[--size] = '\0';
	writing->line++;
	if (strlen(line) != size) {
		print_problem(writing, line, strlen(line), "has a NUL");
		fail(writing, TOOL_USAGE);
		return;
	}
	if (!line[strspn(line, " \t")] || line[strspn(line, " \t")] == '#')
		return;
	err = begin_record(writing);
	if (!err)
		err = add_words(writing);
	end_record(writing, err ? err : add_line(writing, line));
}

static int write_lines(struct writing *writing)
{
	bool is_input = strcmp(writing->path, "-") == 0;
	FILE *file = is_input ? stdin : fopen(writing->path, "r");
	_cleanup_free_ char *line = NULL;
	size_t room = 0;
	ssize_t size;
	int err = 0;

	if (!file)
		return tool_error_of(-errno, "%s: cannot read", writing->path);
	errno = 0;
	while ((size = getline(&line, &room, file)) >= 0) {
		write_line(writing, line, (size_t)size);
		errno = 0;
	}
	if (ferror(file))
		err = errno ? -errno : -EIO;
	if (!is_input)
		fclose(file);

	return err ? tool_error_of(err, "%s: cannot read", writing->path)
		   : TOOL_OK;
}

/* Return: TOOL_INCOMPLETE if a record was not taken */
static int report_taken(const struct writing *writing)
{
	struct uev_stats stats = { 0 };

	uev_event_stats(writing->set ? &writing->set->event : &writing->own,
			&stats, sizeof(stats));
	tool_error("%s: %" PRIu64 " of %" PRIu64 " records taken by a tracer%s",
		   writing->name, stats.written, writing->count,
		   stats.lost ? ", others have no room in its buffers" : "");

	return stats.written == writing->count ? TOOL_OK : TOOL_INCOMPLETE;
}

static int write_records(struct writing *writing, int count, char **arguments)
{
	int status, taken = TOOL_OK;

	if (!count || !*arguments[0])
		return tool_usage(writing->command, "no event given");
	writing->words = arguments + 1;
	writing->word_count = count - 1;
	status = open_event(writing, arguments[0]);
	if (status)
		return status;
	if (writing->path)
		status = write_lines(writing);
	else
		write_one(writing);
	if (writing->is_reported)
		taken = report_taken(writing);
	if (!status)
		status = writing->status;

	return status ? status : taken;
}

int writing_run(struct writing *writing, int count, char **arguments)
{
	int status = write_records(writing, count, arguments);

	close_event(writing);

	return status;
}
