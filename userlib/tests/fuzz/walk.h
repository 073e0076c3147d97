/* SPDX-License-Identifier: MIT */
/* Properties of every record that a decoder was started with. */
#ifndef UEV_FUZZ_WALK_H
#define UEV_FUZZ_WALK_H

#include <userevents/decode.h>

/*
 * struct walk - a record and how a decoder is started for it
 * @schema: of the event, or NULL
 * @name: of a tracepoint, for an event without a schema, or NULL
 * @record: the bytes
 * @size: how many
 */
struct walk {
	const struct uev_schema *schema;
	const char *name;
	const uint8_t *record;
	size_t size;
};

void walk_items(const struct walk *walk);
void walk_json(const struct walk *walk, unsigned int choice);

#endif
