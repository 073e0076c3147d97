// SPDX-License-Identifier: MIT
#include "capture/known.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/userevents.h>

#include "events/definitions.h"
#include "events/elf.h"
#include "tool.h"
#include "util/tracefs.h"

/* Returns the file that execvp(3) would run, for free(); or NULL. */
static char *find_program(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char *file;

	if (strchr(name, '/'))
		return tool_copy(name);
	for (; path && *path; path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		file = tool_print("%.*s%s%s", (int)(end - path), path,
				  end == path ? "" : "/", name);
		if (access(file, X_OK) == 0)
			return file;
		free(file);
	}

	return NULL;
}

static bool is_wanted(const struct capture_options *options, const char *name)
{
	size_t i;

	for (i = 0; i < options->pattern_count; i++)
		if (uev_tracefs_matches(options->patterns[i], "user_events",
					name))
			return true;

	return false;
}

static void add(struct capture_known *known, const char *command)
{
	struct uev_event *event = &known->events[known->count];

	uev_event_init(event, command);
	if (!uev_event_register(event, UEV_SHARE_NAME))
		known->count++;
}

void capture_known_register(struct capture_known *known,
			    const struct capture_options *options)
{
	struct definitions definitions = { 0 };
	char *file = find_program(options->command[0]);
	size_t i;

	if (file)
		elf_definitions(&definitions, file);
	free(file);

	/* Allocated once, because a registered event must not move. */
	known->events = tool_alloc(definitions.count * sizeof(*known->events));
	for (i = 0; i < definitions.count; i++)
		if (is_wanted(options, definitions.definitions[i].name))
			add(known, definitions.definitions[i].command);
	definitions_free(&definitions);
}

void capture_known_release(struct capture_known *known)
{
	size_t i;

	for (i = 0; i < known->count; i++)
		uev_event_unregister(&known->events[i]);
	free(known->events);
	*known = (struct capture_known){ 0 };
}
