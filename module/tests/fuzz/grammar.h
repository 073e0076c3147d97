/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A second parser of the grammar, written from its description, to compare the
 * module with.
 */
#ifndef USER_EVENTS_TESTS_FUZZ_GRAMMAR_H
#define USER_EVENTS_TESTS_FUZZ_GRAMMAR_H

#include <linux/types.h>

#include "format/field_type.h"

/**
 * struct oracle_type - properties of a type
 * @class: where the bytes of a field are
 * @size: size of the field in bytes, 0 if the field has it
 * @is_signed: ``signed:`` in the format file
 * @is_string: it points at a string
 * @format: its conversion
 */
struct oracle_type {
	enum field_class class;
	u32 size;
	bool is_signed;
	bool is_string;
	const char *format;
};

/**
 * struct oracle_field - a field of a definition
 * @type: text of its type, owned
 * @name: its name, owned
 * @props: properties of the type, with the size of the field
 * @offset: its offset
 */
struct oracle_field {
	char *type;
	char *name;
	struct oracle_type props;
	u32 offset;
};

/**
 * struct oracle - a definition
 * @fields: its fields, owned
 * @count: number of fields
 * @end: end of the last field
 */
struct oracle {
	struct oracle_field *fields;
	size_t count;
	u32 end;
};

bool oracle_event_name(const char *name, size_t len);
bool oracle_type(const char *text, struct oracle_type *props);
int oracle_array_len(const char *text);
bool oracle_init(struct oracle *oracle, const char *args);
void oracle_destroy(struct oracle *oracle);
char *oracle_print_fmt(const struct oracle *oracle);
char *oracle_text(const struct oracle *oracle);

#endif /* USER_EVENTS_TESTS_FUZZ_GRAMMAR_H */
