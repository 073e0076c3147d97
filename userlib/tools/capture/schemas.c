// SPDX-License-Identifier: MIT
#include "capture/schemas.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

static void make_room(struct capture_schemas *schemas, size_t count)
{
	size_t room = schemas->count ? schemas->count : 16;

	if (count <= schemas->count)
		return;
	while (room < count)
		room *= 2;
	schemas->schemas =
		tool_grow(schemas->schemas, room * sizeof(*schemas->schemas));
	memset(schemas->schemas + schemas->count, 0,
	       (room - schemas->count) * sizeof(*schemas->schemas));
	schemas->count = room;
}

static void read_schema(struct capture_schema *schema,
			const struct uev_source *source)
{
	struct uev_eventheader_name name;

	schema->is_read = true;
	if (uev_schema_of(&schema->schema, source, 0))
		return;
	if (uev_schema_is_eventheader(schema->schema) &&
	    uev_eventheader_name_parse(&name, source->name) == 0)
		schema->level = name.level;
}

const struct capture_schema *capture_schema(struct capture_schemas *schemas,
					    const struct uev_source *source)
{
	struct capture_schema *schema;

	make_room(schemas, (size_t)source->index + 1);
	schema = &schemas->schemas[source->index];
	if (!schema->is_read)
		read_schema(schema, source);

	return schema;
}

void capture_schemas_release(struct capture_schemas *schemas)
{
	size_t i;

	for (i = 0; i < schemas->count; i++)
		uev_schema_free(schemas->schemas[i].schema);
	free(schemas->schemas);
}
