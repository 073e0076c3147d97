// SPDX-License-Identifier: GPL-2.0-only
/*
 * A type: whether it is known, and its properties.
 */
#include "format/field_type.h"

#include <stdlib.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "fuzz.h"
#include "grammar.h"
#include "tables/field_type.h"

static void check_type(const char *text, const struct field_type *type,
		       const struct oracle_type *props)
{
	EXPECT(type->class == props->class);
	EXPECT(type->size == props->size);
	EXPECT(ue_field_type_is_signed(text) == props->is_signed);
	EXPECT(ue_field_type_is_loc(type) == (props->class == FIELD_DATA_LOC ||
					      props->class == FIELD_REL_LOC));
	EXPECT(ue_field_type_is_dyn_string(type, text) == props->is_string);
	EXPECT(!strcmp(ue_field_type_format(type, text), props->format));
}

static void input(const u8 *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const struct field_type *type = ue_field_type_find(text);
	struct oracle_type props;

	EXPECT(oracle_type(text, &props) == !!type);
	if (type)
		check_type(text, type, &props);

	/* Must not read outside the text, even for an unknown type. */
	EXPECT(ue_field_type_array_len(text) == oracle_array_len(text));

	free(text);
}

static void seeds(fuzz_add_fn add)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(known_types); i++)
		fuzz_add_text(add, known_types[i].text);
	for (i = 0; i < ARRAY_SIZE(unknown_types); i++)
		fuzz_add_text(add, unknown_types[i].text);
	for (i = 0; i < ARRAY_SIZE(array_lens); i++)
		fuzz_add_text(add, array_lens[i].text);
}

const struct fuzz_target field_type_target = {
	.name = "field_type",
	.input = input,
	.seeds = seeds,
};
