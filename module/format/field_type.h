/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types of fields. Pure: no tracing, no allocation.
 */
#ifndef USER_EVENTS_FORMAT_FIELD_TYPE_H
#define USER_EVENTS_FORMAT_FIELD_TYPE_H

#include <linux/types.h>

/**
 * enum field_class - where the bytes of a field are
 * @FIELD_SCALAR: a number of fixed size
 * @FIELD_ARRAY: an array of characters; the type has its length
 * @FIELD_STRUCT: opaque bytes; the definition has their number
 * @FIELD_DATA_LOC: a word with size and offset from the start of the entry
 * @FIELD_REL_LOC: a word with size and offset from the end of the word
 */
enum field_class {
	FIELD_SCALAR,
	FIELD_ARRAY,
	FIELD_STRUCT,
	FIELD_DATA_LOC,
	FIELD_REL_LOC,
};

/**
 * struct field_type - a row of the table of types
 * @text: the type; only its prefix unless @class is FIELD_SCALAR
 * @class: where the bytes are
 * @size: size of the field in bytes; 0 if the definition has it
 * @format: conversion in print fmt; NULL if it depends on the text
 */
struct field_type {
	const char *text;
	enum field_class class;
	u32 size;
	const char *format;
};

const struct field_type *ue_field_type_find(const char *text);
int ue_field_type_array_len(const char *text);
bool ue_field_type_is_signed(const char *text);
bool ue_field_type_is_loc(const struct field_type *type);
bool ue_field_type_is_dyn_string(const struct field_type *type,
				 const char *text);
const char *ue_field_type_format(const struct field_type *type,
				 const char *text);

#endif /* USER_EVENTS_FORMAT_FIELD_TYPE_H */
