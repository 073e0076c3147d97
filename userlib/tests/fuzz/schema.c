// SPDX-License-Identifier: MIT
/*
 * Target: format files. A parsed file is written as text that parses to the
 * same schema.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/decode.h>

#include "fuzz.h"
#include "lib/work.h"

/* Limit of basic blocks of the library. */
#define WORK_PER_BYTE 500

static bool ends_in_length(const char *text)
{
	return text[strlen(text) - 1] == ']';
}

static void write_field(FILE *file, const struct uev_format_field *field)
{
	fprintf(file, "field:%s %s", field->type, field->name);
	/*
	 * The length can be in the type or elsewhere. A name ends in a length
	 * only if another one followed.
	 */
	if (ends_in_length(field->name) ||
	    (field->is_array && field->location == UEV_LOCATION_INLINE &&
	     !ends_in_length(field->type)))
		fprintf(file, field->count ? "[%" PRIu32 "]" : "[]",
			field->count);
	fprintf(file, ";offset:%" PRIu32 ";size:%" PRIu32 ";signed:%d;\n",
		field->offset, field->size, field->is_signed);
}

static char *write_text(const struct uev_schema *schema)
{
	size_t size, i, count = uev_schema_field_count(schema);
	bool was_common = true;
	char *text = NULL;
	FILE *file = open_memstream(&text, &size);

	EXPECT(file);
	fprintf(file, "name: %s\nID: %" PRIu32 "\nformat:\n",
		uev_schema_name(schema), uev_schema_id(schema));
	for (i = 0; i < count; i++) {
		const struct uev_format_field *field =
			uev_schema_field(schema, i);

		/* Common ones come first. */
		EXPECT(was_common || !field->is_common);
		if (was_common && !field->is_common)
			fputc('\n', file);
		was_common = field->is_common;
		write_field(file, field);
	}
	EXPECT(!fclose(file));

	return text;
}

static void check_field(const struct uev_format_field *field,
			const struct uev_format_field *again)
{
	EXPECT(*field->name && *field->type);
	EXPECT(!strcmp(field->name, again->name));
	EXPECT(!strcmp(field->type, again->type));
	EXPECT(field->offset == again->offset && field->size == again->size);
	EXPECT(field->location == again->location);
	EXPECT(field->is_signed == again->is_signed);
	EXPECT(field->is_array == again->is_array);
}

static void check_same(const struct uev_schema *schema,
		       const struct uev_schema *again)
{
	size_t i;

	EXPECT(!strcmp(uev_schema_name(schema), uev_schema_name(again)));
	EXPECT(uev_schema_id(schema) == uev_schema_id(again));
	EXPECT(uev_schema_field_count(schema) == uev_schema_field_count(again));
	EXPECT(uev_schema_is_eventheader(schema) ==
	       uev_schema_is_eventheader(again));
	for (i = 0; i < uev_schema_field_count(schema); i++)
		check_field(uev_schema_field(schema, i),
			    uev_schema_field(again, i));
	EXPECT(!uev_schema_field(schema, i));
}

static void input(const uint8_t *data, size_t size)
{
	struct uev_schema *schema, *again;
	size_t offset = SIZE_MAX;
	/* A block of exactly that size, for the sanitizer. */
	char *text = fuzz_alloc(size);
	int ret;

	if (size)
		memcpy(text, data, size);
	ret = uev_schema_parse(&schema, "system", text, size, 0, &offset);
	free(text);
	if (ret) {
		EXPECT(ret == -EINVAL && offset <= size && !schema);
		return;
	}

	text = write_text(schema);
	EXPECT(!uev_schema_parse(&again, "system", text, strlen(text), 0,
				 NULL));
	free(text);
	check_same(schema, again);
	uev_schema_free(again);
	uev_schema_free(schema);
}

static void bounded_input(const uint8_t *data, size_t size)
{
	uint64_t before = work_count();

	input(data, size);
	EXPECT(work_is_bounded(before, size, WORK_PER_BYTE));
}

const struct fuzz_target schema_target = {
	.name = "schema",
	.input = bounded_input,
};
