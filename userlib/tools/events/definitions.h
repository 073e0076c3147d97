/* SPDX-License-Identifier: MIT */
/*
 * user-events: definitions of events, as people write them.
 *
 * "NAME type field; type field", as in dynamic_events, where a "u:" may be in
 * front; or the name of an EventHeader tracepoint alone, PROVIDER_L4K1, which
 * gets the fields that all of these have.
 */
#ifndef USER_EVENTS_EVENTS_DEFINITIONS_H
#define USER_EVENTS_EVENTS_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/userevents.h>

/*
 * struct definition - one that is valid
 * @command: as the kernel takes it
 * @name: of the event
 * @source: the file that it is from, for messages; or NULL
 * @line: and where in it
 */
struct definition {
	char command[UEV_COMMAND_MAX + 1];
	char *name;
	char *source;
	size_t line;
};

struct definitions {
	struct definition *definitions;
	size_t count;
};

/*
 * definition_read() - reads a definition
 * @command: receives it as the kernel takes it: UEV_COMMAND_MAX + 1 bytes
 * @offset: set to the byte of @text that is not in order, in an error
 * @reason: set to a few words about it
 *
 * Return: 0, -EINVAL, -E2BIG
 */
int definition_read(char *command, const char *text, size_t *offset,
		    const char **reason);

/*
 * definition_mark() - Formats a text with a caret below one of its bytes
 * Return: two indented lines with newlines; for free()
 */
char *definition_mark(const char *text, size_t offset);

/*
 * definitions_add() - Adds a definition
 * @source: NULL, or the file that @line is in
 *
 * Return: whether it is valid; otherwise the error is printed.
 */
bool definitions_add(struct definitions *definitions, const char *text,
		     const char *source, size_t line);

/*
 * definitions_add_text() - Adds the definitions of a text, one per line
 * @text: empty lines and text after '#' are ignored
 *
 * Return: number of invalid definitions, whose errors are printed.
 */
size_t definitions_add_text(struct definitions *definitions, const char *text,
			    const char *source);

void definitions_free(struct definitions *definitions);

#endif
