/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The grammar once more, written from its description and not from the module,
 * to compare with.
 */
#ifndef USER_EVENTS_TESTS_FUZZ_GRAMMAR_H
#define USER_EVENTS_TESTS_FUZZ_GRAMMAR_H

#include <linux/types.h>

#include "format/field_type.h"

/**
 * struct said_type - what a type says
 * @class: how the bytes of a field are found
 * @size: bytes of the field, 0 if the field says
 * @is_signed: for the format file
 * @is_string: it points at a string
 * @format: its conversion
 */
struct said_type {
	enum field_class class;
	u32 size;
	bool is_signed;
	bool is_string;
	const char *format;
};

/**
 * struct said_field - a field of a definition
 * @type: text of its type, owned
 * @name: its name, owned
 * @says: what the type says, with the size of the field
 * @offset: where it begins
 */
struct said_field {
	char *type;
	char *name;
	struct said_type says;
	u32 offset;
};

/**
 * struct said - a definition
 * @fields: its fields, owned
 * @count: how many
 * @end: where the last one ends
 */
struct said {
	struct said_field *fields;
	size_t count;
	u32 end;
};

bool said_event_name(const char *name, size_t len);
bool said_type(const char *text, struct said_type *says);
int said_array_len(const char *text);
bool said_init(struct said *said, const char *args);
void said_destroy(struct said *said);
char *said_print_fmt(const struct said *said);
char *said_text(const struct said *said);

#endif /* USER_EVENTS_TESTS_FUZZ_GRAMMAR_H */
