/* SPDX-License-Identifier: MIT */
#ifndef USEREVENTS_DECODE_SCHEMA_H
#define USEREVENTS_DECODE_SCHEMA_H

#include <userevents/decode.h>

#include "decode/shape.h"

/*
 * struct uev_schema - A parsed format file
 * @system: in the same allocation, as are all strings
 * @name: name of the event
 * @id: ID of the event
 * @big: numbers are in big-endian byte order
 * @common_count: number of common fields, which are the first ones
 * @field_count: number of fields
 * @fields: the fields
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
