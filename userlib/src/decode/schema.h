/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_DECODE_SCHEMA_H
#define USEREVENTS_DECODE_SCHEMA_H

#include <userevents/decode.h>

#include "decode/shape.h"

/*
 * struct uev_schema - what a format file says
 * @system: owned, as are all texts, by being in the same allocation
 * @name: the event's name
 * @id: the event's number
 * @big: numbers are in big-endian byte order
 * @common_count: how many of the fields are common; these are the first ones
 * @field_count: fields
 * @fields: fields
 */
struct uev_schema {
	const char *system;
	const char *name;
	uint32_t id;
	bool big;
	size_t common_count;
	size_t field_count;
	struct uev_schema_entry fields[];
};

#endif
