// SPDX-License-Identifier: MIT
#include "events/create.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <userevents/session.h>

#include "events/admin.h"
#include "events/elf.h"
#include "events/events.h"
#include "files.h"
#include "tool.h"
#include "ui/out.h"
#include "util/tracefs.h"

/* ---- Definitions ---- */

long events_read_file(struct definitions *wanted, const char *path)
{
	_cleanup_free_ char *text = NULL;
	bool is_input = strcmp(path, "-") == 0;
	int err = is_input ? files_read_open(STDIN_FILENO, &text, NULL)
			   : files_read(path, &text, NULL);

	if (err) {
		tool_error_of(err, "%s: cannot read", path);
		return -1;
	}

	return (long)definitions_add_text(wanted, text,
					  is_input ? "stdin" : path);
}

/* Return: whether it is added, or is none of those that are */
static bool add_source(struct definitions *definitions,
		       const struct uev_source *source, const char *path)
{
	_cleanup_free_ char *text = NULL;
	struct event event = { .name = (char *)source->name };
	bool is_added;
	int err;

	if (!source->system || strcmp(source->system, "user_events") != 0 ||
	    !source->format)
		return true;
	err = uev_schema_parse(&event.schema, source->system, source->format,
			       source->format_size, 0, NULL);
	tool_need(err);
	if (err) {
		tool_error("%s: %s: malformed format", path, source->name);
		return false;
	}
	text = events_definition(&event);
	is_added = definitions_add(definitions, text, path, 0);
	uev_schema_free(event.schema);

	return is_added;
}

/*
 * Adds the definitions of the user_events in a perf.data, also of those without
 * records. Other formats of a name, of user_events_multi, are left to their
 * programs.
 *
 * @status: set to TOOL_USAGE if a definition is invalid, which is printed
 *
 * Return: 0, also if it has none; an error of uev_perf_reader_open()
 */
static int add_recorded(struct definitions *definitions, const char *path,
			int *status)
{
	const struct uev_source *source;
	struct uev_perf_reader *reader;
	int err = uev_perf_reader_open(&reader, path, NULL);
	uint32_t i;

	if (err)
		return err;
	for (i = 0; (source = uev_perf_reader_source(reader, i)); i++)
		if (!add_source(definitions, source, path))
			*status = TOOL_USAGE;
	uev_perf_reader_close(reader);

	return 0;
}

/* Tests whether an earlier definition has the name. */
static bool is_other_form(const struct definitions *definitions, size_t index)
{
	size_t i;

	for (i = 0; i < index; i++)
		if (strcmp(definitions->definitions[i].name,
			   definitions->definitions[index].name) == 0)
			return true;

	return false;
}

/*
 * An event has one form in dynamic_events. The program registers the others
 * itself.
 */
static int add_first_forms(struct definitions *wanted,
			   const struct definitions *found, const char *path)
{
	int status = TOOL_OK;
	size_t i;

	for (i = 0; i < found->count; i++)
		if (!is_other_form(found, i) &&
		    !definitions_add(wanted, found->definitions[i].command,
				     path, 0))
			status = TOOL_USAGE;

	return status;
}

int events_read_from(struct definitions *wanted, const char *path)
{
	_cleanup_(definitions_free) struct definitions found = {
		.has_forms = true,
	};
	int ret = elf_definitions(&found, path), status = TOOL_OK;

	if (ret == -ENOEXEC)
		ret = add_recorded(&found, path, &status);
	if (!ret && add_first_forms(wanted, &found, path))
		status = TOOL_USAGE;
	if (!ret && (found.count || status))
		return status;
	if (!ret) {
		tool_error("%s: no event to add in this file", path);
		return TOOL_NOT_FOUND;
	}
	if (ret == -EBADMSG)
		tool_error("%s: neither a program nor a perf.data file", path);
	else
		tool_error_of(ret, "%s: cannot read", path);

	return TOOL_FAILED;
}

/* ---- Creation ---- */

static int print_problem(const struct definition *definition, int err)
{
	const char *name = definition->name;
	_cleanup_free_ char *where =
		definition_place(definition->source, definition->line);

	tool_error("%s%s: %s", where, name, uev_strerror(err));
	if (err == -EADDRINUSE)
		tool_hint("compare with \"user-events show %s\"", name);
	else if (err == -EACCES || err == -ENOPKG || err == -ENXIO)
		tool_hint("run \"user-events doctor\"");

	return TOOL_FAILED;
}

static bool is_missing(const char *tracefs, const struct definition *definition)
{
	return tracefs && !event_admin_has(tracefs, definition->name);
}

/* Deletes new events, after one of them could not be created. */
static void roll_back(const char *tracefs, const struct definitions *wanted,
		      const bool *is_new, size_t count)
{
	while (tracefs && count--)
		if (is_new[count])
			event_admin_delete(tracefs,
					   wanted->definitions[count].name);
}

static int create_event(const char *tracefs,
			const struct definition *definition)
{
	_cleanup_free_ char *line = definition_line(definition);

	return event_admin_add(tracefs, line);
}

static int create_all(const char *tracefs, const struct definitions *wanted,
		      bool keeps_going)
{
	_cleanup_free_ bool *is_new =
		tool_alloc(wanted->count * sizeof(*is_new));
	int err, status = TOOL_OK;
	size_t i;

	for (i = 0; i < wanted->count && (keeps_going || !status); i++) {
		const struct definition *definition = &wanted->definitions[i];
		bool was_missing = is_missing(tracefs, definition);

		err = create_event(tracefs, definition);
		is_new[i] = was_missing && !err;
		if (err)
			status = print_problem(definition, err);
	}
	uev_shutdown();
	if (status && !keeps_going)
		roll_back(tracefs, wanted, is_new, i);

	return status;
}

static void wait_for_signal(sigset_t *signals, size_t count)
{
	int signal;

	out_print("%zu event%s registered, press Ctrl-C to unregister\n", count,
		  count == 1 ? "" : "s");
	out_flush();
	sigwait(signals, &signal);
}

/* Blocked, so that sigwait() receives them at any time. */
static void block_signals(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	if (!tool_ignores_hangup())
		sigaddset(signals, SIGHUP);
	sigprocmask(SIG_BLOCK, signals, NULL);
}

static int register_and_wait(const char *tracefs,
			     const struct definitions *wanted,
			     unsigned int flags)
{
	_cleanup_free_ struct uev_event *events =
		tool_alloc(wanted->count * sizeof(*events));
	_cleanup_free_ bool *is_new =
		tool_alloc(wanted->count * sizeof(*is_new));
	const struct definition *definition = wanted->definitions;
	sigset_t signals;
	size_t i, count;
	int err = 0;

	block_signals(&signals);
	for (count = 0; count < wanted->count; count++, definition++) {
		is_new[count] = is_missing(tracefs, definition);
		err = event_admin_register(&events[count], definition->command,
					   flags);
		if (err)
			break;
	}
	if (err)
		print_problem(definition, err);
	else
		wait_for_signal(&signals, count);
	for (i = 0; i < count; i++)
		uev_event_unregister(&events[i]);
	uev_shutdown();
	/* Some events persist, because of the options or the kernel. */
	if (err)
		roll_back(tracefs, wanted, is_new, count);

	return err ? TOOL_FAILED : TOOL_OK;
}

static void print_warnings(const struct definitions *wanted)
{
	size_t i;

	for (i = 0; i < wanted->count; i++) {
		if (!definition_resembles_eventheader(&wanted->definitions[i]))
			continue;
		tool_error("%s: not the name of an EventHeader tracepoint, "
			   "added without fields",
			   wanted->definitions[i].name);
		tool_hint("use PROVIDER_LlevelKkeyword with hexadecimal digits "
			  "in lower case, such as Provider_L4K1f");
	}
}

int events_create(const struct definitions *wanted, unsigned int how)
{
	_cleanup_free_ char *tracefs = NULL;

	if (!wanted->count)
		return TOOL_OK;
	print_warnings(wanted);
	/*
	 * Permission to write user_events_data is enough without a visible
	 * tracefs.
	 */
	uev_tracefs_directory(NULL, &tracefs);
	if (how & EVENTS_WAIT)
		return register_and_wait(tracefs, wanted,
					 how & EVENTS_PERSIST ? UEV_PERSIST
							      : 0);

	return create_all(tracefs, wanted, how & EVENTS_KEEP_GOING);
}
