// SPDX-License-Identifier: MIT
#include "capture/known.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/userevents.h>

#include "capabilities.h"
#include "events/elf.h"
#include "tool.h"

/* The kernel writes to @event, which must not move. */
struct capture_known_event {
	struct uev_event event;
	char *command;
	bool is_registered;
};

/* Returns the file that execvp(3) would run, for free(); or NULL. */
static char *find_program(const char *name)
{
	const char *path = getenv("PATH"), *end;

	if (strchr(name, '/'))
		return tool_copy(name);
	for (; path && *path; path = *end ? end + 1 : end) {
		_cleanup_free_ char *file = NULL;

		end = strchrnul(path, ':');
		file = tool_print("%.*s%s%s", (int)(end - path), path,
				  end == path ? "" : "/", name);
		if (access(file, X_OK) == 0)
			return memory_pass(file);
	}

	return NULL;
}

static struct capture_known_event *find_event(const struct capture_known *known,
					      const char *command)
{
	size_t i;

	for (i = 0; i < known->count; i++)
		if (strcmp(known->events[i]->command, command) == 0)
			return known->events[i];

	return NULL;
}

static void add_event(struct capture_known *known, const char *command)
{
	struct capture_known_event *added = tool_alloc(sizeof(*added));

	added->command = tool_copy(command);
	uev_event_init(&added->event, added->command);
	added->is_registered =
		!uev_event_register(&added->event, UEV_SHARE_NAME);
	*tool_add(known->events, known->count) = added;
}

void capture_known_register(struct capture_known *known,
			    const struct definitions *definitions)
{
	size_t i;

	capabilities_lower();
	for (i = 0; i < definitions->count; i++)
		if (!find_event(known, definitions->definitions[i].command))
			add_event(known, definitions->definitions[i].command);
	capabilities_raise();
}

int capture_known_find(const struct capture_known *known,
		       const struct capture_options *options, const char *path,
		       struct definitions *definitions)
{
	_cleanup_(definitions_free) struct definitions all = {
		.has_forms = true,
	};
	int ret = elf_definitions(&all, path);
	size_t i;

	*definitions = (struct definitions){ .has_forms = true };
	for (i = 0; i < all.count; i++)
		if (capture_is_selected(options, all.definitions[i].name) &&
		    !find_event(known, all.definitions[i].command))
			definitions_add(definitions, all.definitions[i].command,
					path, 0);

	return ret;
}

/*
 * The file can have the events of another one, such as those of a library.
 *
 * Return: as capture_known_find(), or -ENODATA if no event of the file is wanted
 */
static int register_file(struct capture_known *known,
			 const struct capture_options *options,
			 const char *path)
{
	_cleanup_(definitions_free) struct definitions definitions = { 0 };
	const struct capture_known none = { 0 };
	int ret = capture_known_find(&none, options, path, &definitions);

	if (!ret && !definitions.count)
		ret = -ENODATA;
	capture_known_register(known, &definitions);

	return ret;
}

/* Return: an exit status */
static int report_file(const char *path, int error)
{
	switch (error) {
	case 0:
		return TOOL_OK;
	case -ENODATA:
		tool_error("--elf: %s: no such event in this file", path);
		return TOOL_NOT_FOUND;
	case -ENOEXEC:
		tool_error("--elf: %s: not an ELF file", path);
		return TOOL_FAILED;
	default:
		return tool_error_of(error, "--elf: %s: cannot read", path);
	}
}

int capture_known_options(struct capture_known *known,
			  const struct capture_options *options)
{
	_cleanup_free_ char *file = NULL;
	int status = TOOL_OK;
	size_t i;

	if (options->command)
		file = find_program(options->command[0]);
	if (file)
		register_file(known, options, file);
	for (i = 0; i < options->elfs.count && !status; i++)
		status = report_file(options->elfs.texts[i],
				     register_file(known, options,
						   options->elfs.texts[i]));

	return status;
}

/* The memory of an event that is still registered must not be used again. */
static void release_event(struct capture_known_event *event)
{
	if (event->is_registered && uev_event_unregister(&event->event))
		return;
	free(event->command);
	free(event);
}

void capture_known_release(struct capture_known *known)
{
	size_t i;

	for (i = 0; i < known->count; i++)
		release_event(known->events[i]);
	free(known->events);
	*known = (struct capture_known){ 0 };
}
