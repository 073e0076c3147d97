// SPDX-License-Identifier: MIT
/* Presentation of a field by the name of its type, its size and its sign. */
#include "decode/shape.h"

#include <string.h>

#define LONG 0

/* Types with a known meaning. */
static const struct type_row {
	const char *name;
	uint8_t size;
	uint8_t shape;
} types[] = {
	{ "char", 1, UEV_SHAPE_TEXT },
	{ "bool", 1, UEV_SHAPE_BOOL },
	{ "_Bool", 1, UEV_SHAPE_BOOL },
	{ "unsigned char", 1, UEV_SHAPE_DECIMAL },
	{ "signed char", 1, UEV_SHAPE_DECIMAL },
	{ "u8", 1, UEV_SHAPE_DECIMAL },
	{ "s8", 1, UEV_SHAPE_DECIMAL },
	{ "__u8", 1, UEV_SHAPE_DECIMAL },
	{ "__s8", 1, UEV_SHAPE_DECIMAL },
	{ "uint8_t", 1, UEV_SHAPE_DECIMAL },
	{ "int8_t", 1, UEV_SHAPE_DECIMAL },
	{ "short", 2, UEV_SHAPE_DECIMAL },
	{ "unsigned short", 2, UEV_SHAPE_DECIMAL },
	{ "u16", 2, UEV_SHAPE_DECIMAL },
	{ "s16", 2, UEV_SHAPE_DECIMAL },
	{ "__u16", 2, UEV_SHAPE_DECIMAL },
	{ "__s16", 2, UEV_SHAPE_DECIMAL },
	{ "uint16_t", 2, UEV_SHAPE_DECIMAL },
	{ "int16_t", 2, UEV_SHAPE_DECIMAL },
	{ "int", 4, UEV_SHAPE_DECIMAL },
	{ "unsigned int", 4, UEV_SHAPE_DECIMAL },
	{ "unsigned", 4, UEV_SHAPE_DECIMAL },
	{ "u32", 4, UEV_SHAPE_DECIMAL },
	{ "s32", 4, UEV_SHAPE_DECIMAL },
	{ "__u32", 4, UEV_SHAPE_DECIMAL },
	{ "__s32", 4, UEV_SHAPE_DECIMAL },
	{ "uint32_t", 4, UEV_SHAPE_DECIMAL },
	{ "int32_t", 4, UEV_SHAPE_DECIMAL },
	{ "long", LONG, UEV_SHAPE_DECIMAL },
	{ "unsigned long", LONG, UEV_SHAPE_HEX }, /* usually an address */
	{ "size_t", LONG, UEV_SHAPE_DECIMAL },
	{ "ssize_t", LONG, UEV_SHAPE_DECIMAL },
	{ "long long", 8, UEV_SHAPE_DECIMAL },
	{ "unsigned long long", 8, UEV_SHAPE_DECIMAL },
	{ "u64", 8, UEV_SHAPE_DECIMAL },
	{ "s64", 8, UEV_SHAPE_DECIMAL },
	{ "__u64", 8, UEV_SHAPE_DECIMAL },
	{ "__s64", 8, UEV_SHAPE_DECIMAL },
	{ "uint64_t", 8, UEV_SHAPE_DECIMAL },
	{ "int64_t", 8, UEV_SHAPE_DECIMAL },
};

static bool skip_word(const char **type, const char *word)
{
	size_t size = strlen(word);

	if (strncmp(*type, word, size) || (*type)[size] != ' ')
		return false;

	*type += size;
	*type += strspn(*type, " ");
	return true;
}

/* Removes the location and the array from a type. */
static const char *base_of(const char *type, size_t *size)
{
	if (!skip_word(&type, "__data_loc"))
		skip_word(&type, "__rel_loc");
	while (skip_word(&type, "const") || skip_word(&type, "volatile"))
		;

	*size = strcspn(type, "[");
	while (*size && type[*size - 1] == ' ')
		--*size;

	return type;
}

static const struct type_row *find_type(const char *base, size_t size)
{
	size_t i;

	for (i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strlen(types[i].name) == size &&
		    !memcmp(types[i].name, base, size))
			return &types[i];

	return NULL;
}

/*
 * Tests whether numbers can be negative. The file describes the field itself,
 * and user_events marks every type as signed that does not start with a u, such
 * as __rel_loc u8[].
 */
static bool is_signed(const struct uev_format_field *field, const char *base)
{
	base += strspn(base, "_");

	return field->is_signed &&
	       (field->location == UEV_LOCATION_INLINE || *base != 'u');
}

static bool is_number(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/*
 * Returns the size of an element, or of a field that is not an array; 0 if it
 * is not that of a number.
 */
static uint8_t element_of(const struct uev_format_field *field,
			  uint8_t type_size)
{
	uint64_t size = field->size;

	if (field->is_array && field->location == UEV_LOCATION_INLINE &&
	    field->count && size && size % field->count == 0)
		size /= field->count;
	else if (field->is_array)
		size = type_size;

	return is_number(size) ? (uint8_t)size : 0;
}

/*
 * uev_shape_init() - Selects the presentation of a field
 * @field: the field, whose .field is complete
 * @long_size: bytes of a long
 */
void uev_shape_init(struct uev_schema_entry *field, uint8_t long_size)
{
	const struct uev_format_field *public = &field->field;
	const struct type_row *row;
	uint8_t type_size = 0;
	const char *base;
	size_t size;

	field->name_size = strlen(public->name);
	base = base_of(public->type, &size);
	row = find_type(base, size);

	if (memchr(base, '*', size)) {
		field->shape = UEV_SHAPE_HEX;
		type_size = long_size;
	} else if (row) {
		field->shape = row->shape;
		type_size = row->size == LONG ? long_size : row->size;
	} else if (skip_word(&base, "struct") || skip_word(&base, "union")) {
		field->shape = UEV_SHAPE_BYTES;
	} else if (public->is_signed || skip_word(&base, "enum")) {
		field->shape = UEV_SHAPE_DECIMAL;
	} else {
		field->shape = UEV_SHAPE_HEX;
	}

	field->element = element_of(public, type_size);
	field->is_signed = is_signed(public, base);

	/* Text is an array, and a single character is a number. */
	if (field->shape == UEV_SHAPE_TEXT && !public->is_array)
		field->shape = UEV_SHAPE_DECIMAL;
	if (field->shape != UEV_SHAPE_TEXT && !field->element)
		field->shape = UEV_SHAPE_BYTES;
}
