// SPDX-License-Identifier: MIT
/*
 * EventHeader events as programs write them: the name of a tracepoint, a NUL,
 * and the event.
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

static void check_name(const char *name)
{
	struct uev_eventheader_name parts;
	size_t size = strlen(name);

	if (uev_eventheader_name_parse(&parts, name))
		return;

	EXPECT(size <= UEV_EVENTHEADER_NAME_MAX && parts.level);
	EXPECT(parts.provider == name && parts.provider_size);
	EXPECT(parts.options + parts.options_size == name + size);
	EXPECT(!parts.group || parts.group > parts.options);
}

static void input(const uint8_t *data, size_t size)
{
	struct walk walk = { .schema = NULL };
	char *name = fuzz_text(data, size);
	size_t name_size = strlen(name);
	uint8_t *record;

	check_name(name);
	if (name_size < size) {
		walk.size = size - name_size - 1;
		record = fuzz_alloc(walk.size);
		memcpy(record, data + name_size + 1, walk.size);
		walk.record = record;
		walk.name = name;
		walk_items(&walk);
		walk_json(&walk, (unsigned int)(size * 40503));
		free(record);
	}
	free(name);
}

static void bounded_input(const uint8_t *data, size_t size)
{
	uint64_t before = work_count();

	input(data, size);
	EXPECT(work_is_bounded(before, size, WORK_PER_BYTE));
}

const struct fuzz_target event_target = {
	.name = "event",
	.input = bounded_input,
};
