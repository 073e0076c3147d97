// SPDX-License-Identifier: MIT
#include "capture/schemas.h"

#include <stdlib.h>

#include "tool.h"

const struct uev_schema *capture_schema(struct capture_schemas *schemas,
					const struct uev_source *source)
{
	struct capture_schema *schema;

	while (schemas->count <= source->index)
		*tool_add(schemas->schemas, schemas->count) =
			(struct capture_schema){ 0 };
	schema = &schemas->schemas[source->index];
	if (!schema->is_read)
		uev_schema_of(&schema->schema, source, 0);
	schema->is_read = true;

	return schema->schema;
}

void capture_schemas_release(struct capture_schemas *schemas)
{
	size_t i;

	for (i = 0; i < schemas->count; i++)
		uev_schema_free(schemas->schemas[i].schema);
	free(schemas->schemas);
}
