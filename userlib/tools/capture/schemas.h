/* SPDX-License-Identifier: MIT */
/* user-events: schemas of the events of a session, each parsed once. */
#ifndef USER_EVENTS_CAPTURE_SCHEMAS_H
#define USER_EVENTS_CAPTURE_SCHEMAS_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/decode.h>
#include <userevents/session.h>

struct capture_schema {
	bool is_read;
	struct uev_schema *schema;
};

/* Initialized to zeros. */
struct capture_schemas {
	struct capture_schema *schemas;
	size_t count;
};

/*
 * capture_schema() - Gets the schema of an event
 *
 * Return: the schema, which @schemas owns; NULL if the format is not readable
 */
const struct uev_schema *capture_schema(struct capture_schemas *schemas,
					const struct uev_source *source);

void capture_schemas_release(struct capture_schemas *schemas);

#endif
