/* SPDX-License-Identifier: MIT */
/* user-events: messages of Protobuf, field by field. */
#ifndef USER_EVENTS_EXPORT_PROTOBUF_H
#define USER_EVENTS_EXPORT_PROTOBUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

enum protobuf_wire {
	PROTOBUF_VARINT = 0,
	PROTOBUF_64 = 1,
	PROTOBUF_BYTES = 2,
	PROTOBUF_32 = 5,
};

/*
 * struct protobuf_field - A field of a message
 * @id: its number, not 0
 * @wire: of enum protobuf_wire
 * @number: content of PROTOBUF_VARINT
 * @bytes: other content, in the message, of @size bytes
 */
struct protobuf_field {
	uint64_t id;
	unsigned int wire;
	uint64_t number;
	const char *bytes;
	size_t size;
};

/*
 * protobuf_next() - Reads the next field
 * @at: the rest of the message, up to @end; not empty; set to what follows the
 *        field
 * Return: false if it is malformed, or a group, which OTLP does not have
 */
bool protobuf_next(const char **at, const char *end,
		   struct protobuf_field *field);

/* Append a field to a message; @id is its number */
void protobuf_put_number(struct uev_output *to, unsigned int id,
			 uint64_t number);
void protobuf_put_double(struct uev_output *to, unsigned int id, double number);
void protobuf_put_bytes(struct uev_output *to, unsigned int id,
			const void *bytes, size_t size);
void protobuf_put_text(struct uev_output *to, unsigned int id,
		       const char *text);

/*
 * protobuf_begin() - Starts a message in a field
 * Return: the argument of protobuf_end()
 */
size_t protobuf_begin(struct uev_output *to, unsigned int id);

/* protobuf_end() - Ends a message of less than 256 MiB */
void protobuf_end(struct uev_output *to, size_t start);

#endif
