// SPDX-License-Identifier: MIT
/*
 * Records of any event: its format file, a NUL, and the record.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/work.h"
#include "walk.h"

/*
 * Limit of basic blocks of the library: a byte can have the names of nine
 * nested fields, which are printed three times.
 */
#define WORK_PER_BYTE 150000

static void input(const uint8_t *data, size_t size)
{
	struct walk walk = { .schema = NULL };
	char *text = fuzz_text(data, size);
	size_t text_size = strlen(text);
	struct uev_schema *schema;
	uint8_t *record;

	/* By chance any of the flags, and both byte orders. */
	if (text_size < size &&
	    !uev_schema_parse(&schema, "system", text, text_size,
			      (unsigned int)text_size % 3, NULL)) {
		walk.schema = schema;
		walk.size = size - text_size - 1;
		record = fuzz_alloc(walk.size);
		memcpy(record, data + text_size + 1, walk.size);
		walk.record = record;
		walk_items(&walk);
		walk_json(&walk, (unsigned int)(size * 40503));
		free(record);
		uev_schema_free(schema);
	}
	free(text);
}

static void bounded_input(const uint8_t *data, size_t size)
{
	uint64_t before = work_count();

	input(data, size);
	EXPECT(work_is_bounded(before, size, WORK_PER_BYTE));
}

const struct fuzz_target record_target = {
	.name = "record",
	.input = bounded_input,
};
