/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Command strings from random numbers.
 */
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
 * struct field - a field that a record can be made for
 * @type, @name: as in the command
 * @kind: what its bytes are
 * @string: what it points at must end with a NUL
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

/* A name for an event: mostly @plain, else something at the edge. */
void make_name(char *name, const char *plain);

/* Whether files below events/ may be asked for by this name. */
bool name_is_harmless(const char *name);

/* Any command of that name; by far not all of them are valid. */
void make_command(char *out, const char *name);

/* A valid one with known fields. */
void make_plain_command(struct command *command, char *out, const char *name);

/* The same fields in other words, as far as that is possible. */
void respell(char *text);

/* Other fields. */
void alter(char *text);

#endif /* SELFTESTS_COMMAND_H */
