/* SPDX-License-Identifier: GPL-2.0-only */
/* Random command strings. */
#ifndef SELFTESTS_COMMAND_H
#define SELFTESTS_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#define COMMAND_MAX 1024
#define FIELDS_MAX 64

enum field_kind {
	KIND_NUMBER,
	KIND_ARRAY,
	KIND_STRUCT,
	KIND_DATA_LOC,
	KIND_REL_LOC,
};

/*
 * struct field - a field for which a payload can be generated
 * @type, @name: as in the command
 * @kind: content of the field
 * @string: the string that the field points at must end with a NUL
 * @offset: in the payload
 * @size: in bytes
 */
struct field {
	char type[48];
	char name[48];
	enum field_kind kind;
	bool string;
	unsigned int offset;
	unsigned int size;
};

struct command {
	struct field fields[FIELDS_MAX];
	unsigned int count;
	unsigned int size;
};

/*
 * Makes an event name: usually @plain, otherwise an unusual or very long name.
 */
void make_name(char *name, const char *plain);

/* Whether the name can be used in the path of a file below events/. */
bool name_is_path_safe(const char *name);

/* Makes a command with this event name. Many of these commands are invalid. */
void make_command(char *out, const char *name);

/* Makes a valid command and describes its fields in @command. */
void make_valid_command(struct command *command, char *out, const char *name);

/*
 * Changes the spelling of the fields and, as far as possible, not their
 * meaning.
 */
void respell_command(char *text);

/* Changes the fields. */
void alter_command(char *text);

#endif /* SELFTESTS_COMMAND_H */
