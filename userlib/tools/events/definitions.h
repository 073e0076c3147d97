/* SPDX-License-Identifier: MIT */
/*
 * user-events: definitions of events from users.
 *
 * "NAME type field; type field" as in dynamic_events, optionally with the
 * prefix "u:"; or only the name of an EventHeader tracepoint, PROVIDER_L4K1,
 * which has the fields of all of these. Rights can follow the name, see rights.h.
 */
#ifndef USER_EVENTS_EVENTS_DEFINITIONS_H
#define USER_EVENTS_EVENTS_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/userevents.h>

/*
 * struct definition - A valid definition
 * @command: in the form of the kernel, without rights
 * @rights: text between name and fields in a line of dynamic_events, or ""
 * @name: name of the event
 * @source: its file, for messages; or NULL
 * @line: its line in the file, or 0
 */
struct definition {
	char command[UEV_COMMAND_MAX + 1];
	char *rights;
	char *name;
	char *source;
	size_t line;
};

/*
 * struct definitions - Valid definitions; zeros are none
 * @definitions: @count elements
 * @has_forms: an event can have several definitions, as in a program with probes
 *        that have other arguments in another place
 */
struct definitions {
	struct definition *definitions;
	size_t count;
	bool has_forms;
};

/*
 * definition_read() - Parses a definition
 * @command: receives it in the form of the kernel: UEV_COMMAND_MAX + 1 bytes
 * @text: the definition without rights
 * @offset: set to the offset of an error in @text
 * @reason: set to a description of the error
 *
 * Return: 0, -EINVAL, -E2BIG
 */
int definition_read(char *command, const char *text, size_t *offset,
		    const char **reason);

/*
 * definition_resembles_eventheader() - Tests for an event without fields that
 * has nearly the name of an EventHeader tracepoint
 */
bool definition_resembles_eventheader(const struct definition *definition);

/*
 * definition_line() - Formats a definition with its rights
 *
 * Return: a line of dynamic_events without prefix, for free()
 */
char *definition_line(const struct definition *definition);

/*
 * definition_place() - Formats the file and line of a definition for a message
 *
 * Return: a text with ": " at the end, or "" without a file; for free()
 */
char *definition_place(const char *source, size_t line);

/*
 * definition_mark() - Formats a text with a caret below one of its bytes
 *
 * Of a long text only the part around the byte is shown.
 *
 * Return: two indented lines with newlines; for free()
 */
char *definition_mark(const char *text, size_t offset);

/*
 * definitions_add() - Adds a definition
 * @source: NULL, or the file that @line is in; programs have no lines, so 0
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
