/* SPDX-License-Identifier: MIT */
/* user-events: schemas of events of a session or a file, each parsed once. */
#ifndef USER_EVENTS_FORMATS_SCHEMAS_H
#define USER_EVENTS_FORMATS_SCHEMAS_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/decode.h>
#include <userevents/session.h>

struct schemas_entry {
	bool is_read;
	struct uev_schema *schema;
};

/* Initialized to zeros. */
struct schemas {
	struct schemas_entry *entries;
	size_t count;
};

/*
 * schemas_get() - Gets the schema of an event
 * @flags: as for uev_schema_of()
 *
 * Return: the schema, which @schemas owns; NULL if the format is not readable
 */
const struct uev_schema *schemas_get(struct schemas *schemas,
				     const struct uev_source *source,
				     unsigned int flags);

void schemas_release(struct schemas *schemas);

#endif
