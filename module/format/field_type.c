// SPDX-License-Identifier: GPL-2.0-only
#include "format/field_type.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "limits.h"

/* clang-format off */
static const struct field_type field_types[] = {
	{ "s64",		FIELD_SCALAR,	8, "%lld" },
	{ "u64",		FIELD_SCALAR,	8, "%llu" },
	{ "s32",		FIELD_SCALAR,	4, "%d" },
	{ "u32",		FIELD_SCALAR,	4, "%u" },
	{ "int",		FIELD_SCALAR,	4, "%d" },
	{ "unsigned int",	FIELD_SCALAR,	4, "%u" },
	{ "s16",		FIELD_SCALAR,	2, "%d" },
	{ "u16",		FIELD_SCALAR,	2, "%u" },
	{ "short",		FIELD_SCALAR,	2, "%d" },
	{ "unsigned short",	FIELD_SCALAR,	2, "%u" },
	{ "s8",			FIELD_SCALAR,	1, "%d" },
	{ "u8",			FIELD_SCALAR,	1, "%u" },
	{ "char",		FIELD_SCALAR,	1, "%d" },
	{ "unsigned char",	FIELD_SCALAR,	1, "%u" },
	{ "char[",		FIELD_ARRAY,	0, NULL },
	{ "unsigned char[",	FIELD_ARRAY,	0, NULL },
	{ "struct ",		FIELD_STRUCT,	0, NULL },
	{ "__data_loc ",	FIELD_DATA_LOC,	4, NULL },
	{ "__rel_loc ",		FIELD_REL_LOC,	4, NULL },
};
/* clang-format on */

/*
 * Tracers search the text of a type for these two words. So a type must contain
 * one of them only where it has that meaning.
 */
static bool loc_word_is_misplaced(const struct field_type *type,
				  const char *text)
{
	if (ue_field_type_is_loc(type))
		text += strlen(type->text);

	return strstr(text, "__data_loc") || strstr(text, "__rel_loc");
}

/*
 * Filters of Linux 6.6 and later read as many bytes of a mask of CPUs as the
 * kernel has, also behind a record whose word has a smaller size.
 */
static bool is_mask_of_cpus(const struct field_type *type, const char *text)
{
	return type->class == FIELD_DATA_LOC && strstr(text, "cpumask_t");
}

static bool text_is_of_type(const struct field_type *type, const char *text)
{
	if (type->class == FIELD_SCALAR)
		return !strcmp(text, type->text);

	return !strncmp(text, type->text, strlen(type->text));
}

/**
 * ue_field_type_find - Finds the row of a type
 * @text: the whole type, for example "unsigned int" or "char[16]"
 *
 * Return: the row, or NULL if the type is unknown.
 */
const struct field_type *ue_field_type_find(const char *text)
{
	const struct field_type *type;

	for (type = field_types; type < field_types + ARRAY_SIZE(field_types);
	     type++) {
		if (!text_is_of_type(type, text))
			continue;

		if (loc_word_is_misplaced(type, text) ||
		    is_mask_of_cpus(type, text))
			return NULL;

		return type;
	}

	return NULL;
}

/**
 * ue_field_type_array_len - Parses the number of elements of an array type
 * @text: the type, for example "char[16]"
 *
 * The number may be decimal, octal or hexadecimal. Text after the ']' is
 * ignored, but at most seven characters may follow the '['.
 *
 * Return: 1 to USER_EVENT_ARRAY_MAX, or -EINVAL.
 */
int ue_field_type_array_len(const char *text)
{
	const char *number = strchr(text, '[');
	char digits[8];
	char *end;
	unsigned int len;

	if (!number || strscpy(digits, number + 1, sizeof(digits)) < 0)
		return -EINVAL;

	end = strchr(digits, ']');
	if (!end)
		return -EINVAL;

	*end = '\0';
	if (kstrtouint(digits, 0, &len))
		return -EINVAL;

	if (!len || len > USER_EVENT_ARRAY_MAX)
		return -EINVAL;

	return len;
}

/**
 * ue_field_type_is_signed - Computes ``signed:`` of the format file
 * @text: the whole type
 *
 * Return: true unless the type starts with 'u'.
 */
bool ue_field_type_is_signed(const char *text)
{
	return text[0] != 'u';
}

/**
 * ue_field_type_is_loc - Tells whether the field is a word that points at data
 * @type: row of the type
 */
bool ue_field_type_is_loc(const struct field_type *type)
{
	return type->class == FIELD_DATA_LOC || type->class == FIELD_REL_LOC;
}

/**
 * ue_field_type_is_dyn_string - Tells whether the field points at a string
 * @type: row of the type
 * @text: the whole type
 */
bool ue_field_type_is_dyn_string(const struct field_type *type,
				 const char *text)
{
	return ue_field_type_is_loc(type) && strstr(text, "char");
}

/**
 * ue_field_type_format - Returns the conversion of a field in print fmt
 * @type: row of the type
 * @text: the whole type
 *
 * Return: a printf conversion; a 64-bit one for types without their own.
 */
const char *ue_field_type_format(const struct field_type *type,
				 const char *text)
{
	if (type->format)
		return type->format;

	return strstr(text, "char[") ? "%s" : "%llu";
}
