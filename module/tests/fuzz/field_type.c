// SPDX-License-Identifier: GPL-2.0-only
/*
 * A type: whether there is such a one, and what it says.
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
		       const struct said_type *says)
{
	EXPECT(type->class == says->class);
	EXPECT(type->size == says->size);
	EXPECT(ue_field_type_is_signed(text) == says->is_signed);
	EXPECT(ue_field_type_is_loc(type) ==
	       (says->class == FIELD_DATA_LOC || says->class == FIELD_REL_LOC));
	EXPECT(ue_field_type_is_dyn_string(type, text) == says->is_string);
	EXPECT(!strcmp(ue_field_type_format(type, text), says->format));
}

static void input(const u8 *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const struct field_type *type = ue_field_type_find(text);
	struct said_type says;

	EXPECT(said_type(text, &says) == !!type);
	if (type)
		check_type(text, type, &says);

	/* Whatever the type is, this must keep inside the text. */
	EXPECT(ue_field_type_array_len(text) == said_array_len(text));

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
