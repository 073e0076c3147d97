// SPDX-License-Identifier: MIT
#include "formats/schemas.h"

#include <stdlib.h>

#include "tool.h"

const struct uev_schema *schemas_get(struct schemas *schemas,
				     const struct uev_source *source,
				     unsigned int flags)
{
	struct schemas_entry *entry;

	while (schemas->count <= source->index)
		*tool_add(schemas->entries, schemas->count) =
			(struct schemas_entry){ 0 };
	entry = &schemas->entries[source->index];
	/* Formats of a pipe can arrive at any time. */
	if (!entry->is_read && source->format) {
		entry->is_read = true;
		tool_need(uev_schema_of(&entry->schema, source, flags));
	}

	return entry->schema;
}

void schemas_release(struct schemas *schemas)
{
	size_t i;

	for (i = 0; i < schemas->count; i++)
		uev_schema_free(schemas->entries[i].schema);
	free(schemas->entries);
}
