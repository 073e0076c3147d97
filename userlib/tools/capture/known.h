/* SPDX-License-Identifier: MIT */
/*
 * user-events: events that programs will register.
 *
 * They are registered before a program runs, so that its first record is
 * collected.
 */
#ifndef USER_EVENTS_CAPTURE_KNOWN_H
#define USER_EVENTS_CAPTURE_KNOWN_H

#include <stddef.h>

#include "capture/options.h"
#include "events/definitions.h"

struct capture_known_event;

/*
 * struct capture_known - Registered events; zeros are none
 * @events: @count events; those that the kernel rejected, too
 */
struct capture_known {
	struct capture_known_event **events;
	size_t count;
};

/*
 * capture_known_options() - Registers the events in the file of a command, and
 * in those of --elf
 * @options: the command, the files, and the patterns of wanted events
 *
 * A command whose file cannot be read, such as a script, has none. Events that
 * the kernel rejects are left to the command.
 *
 * Return: TOOL_OK; TOOL_FAILED if a file of --elf cannot be read;
 *         TOOL_NOT_FOUND if it has no event; errors are printed
 */
int capture_known_options(struct capture_known *known,
			  const struct capture_options *options);

/*
 * capture_known_find() - Finds wanted events of a file that were not registered
 * @definitions: receives them; for definitions_free()
 * Return: as elf_definitions()
 */
int capture_known_find(const struct capture_known *known,
		       const struct capture_options *options, const char *path,
		       struct definitions *definitions);

/* capture_known_register() - Registers events, unless they are already. */
void capture_known_register(struct capture_known *known,
			    const struct definitions *definitions);

/* capture_known_release() - Unregisters the events. */
void capture_known_release(struct capture_known *known);

#endif
