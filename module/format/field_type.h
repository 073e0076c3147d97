/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types a field can have. Pure: no tracing, no allocation.
 */
#ifndef USER_EVENTS_FORMAT_FIELD_TYPE_H
#define USER_EVENTS_FORMAT_FIELD_TYPE_H

#include <linux/types.h>

/**
 * enum field_class - how the bytes of a field are found
 * @FIELD_SCALAR: a number of fixed size
 * @FIELD_ARRAY: characters, at most as many as the type says
 * @FIELD_STRUCT: opaque bytes whose number the definition gives
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
 * struct field_type - one row of the table of types
 * @text: the type as it is written; unless @class is FIELD_SCALAR only its
 *	  beginning
 * @class: how the bytes are found
 * @size: bytes the field occupies; 0 if the definition says
 * @format: conversion that print fmt uses for it; NULL if the text decides
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
