/* SPDX-License-Identifier: MIT */
/*
 * user-events write: the payload of a record of plain fields, from texts.
 *
 * A value is a decimal or hexadecimal number (0x1f) in the range of its field, a
 * character of char, text of char[N] and char[], or bytes of other types as pairs
 * of hexadecimal digits. Fields without a value are 0 or empty.
 */
#ifndef USER_EVENTS_EVENTS_PAYLOAD_H
#define USER_EVENTS_EVENTS_PAYLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

enum payload_kind {
	PAYLOAD_NUMBER = 0,
	PAYLOAD_CHARACTER, /* a number, or a character */
	PAYLOAD_TEXT,
	PAYLOAD_BYTES,
};

/*
 * struct payload_field - A field and its value
 * @kind: of enum payload_kind
 * @is_signed: of numbers
 * @is_dynamic: @size is that of a location, and the value follows the fields
 * @is_relative: the location counts from its own end
 * @size: bytes of the field
 * @has_value: @value is set
 * @value: in the form of the record
 */
struct payload_field {
	char *name;
	char *type;
	enum payload_kind kind;
	bool is_signed;
	bool is_dynamic;
	bool is_relative;
	size_t size;
	bool has_value;
	struct uev_output value;
};

/*
 * struct payload - Fields; initialized with payload_init()
 * @header: bytes in front of the payload in a record, which the offsets of
 *        __data_loc include
 */
struct payload {
	struct payload_field *fields;
	size_t count;
	size_t header;
};

/*
 * payload_init() - Takes the fields of an event
 * @command: definition_read() has accepted it
 */
void payload_init(struct payload *payload, const char *command);

/* Tests whether @header must be set: a field is __data_loc. */
bool payload_needs_header(const struct payload *payload);

/*
 * payload_set() - Sets a field
 * @name: the name, of @name_size bytes
 * @value: its value, of @size bytes without a NUL
 * @reason: set to what is wrong, on error
 *
 * Return: 0; -ENOENT without such a field; -EEXIST if it has a value; -ERANGE,
 * -EINVAL for the value
 */
int payload_set(struct payload *payload, const char *name, size_t name_size,
		const char *value, size_t size, const char **reason);

/*
 * payload_append() - Appends the payload, and clears the values
 * Return: 0; -E2BIG if it is too large for a record
 */
int payload_append(struct payload *payload, struct uev_output *to);

/* Clears the values. */
void payload_clear(struct payload *payload);

void payload_release(struct payload *payload);

/*
 * payload_number() - Parses a number for a field of an integer type
 * @text: decimal digits with an optional minus, or 0x and hexadecimal ones
 * @bits: 8, 16, 32 or 64
 * @number: set to it, extended to 64 bits
 *
 * Return: 0; -EINVAL if it is no number; -ERANGE
 */
int payload_number(const char *text, unsigned int bits, bool is_signed,
		   uint64_t *number);

/*
 * payload_bytes() - Appends bytes that are pairs of hexadecimal digits
 * Return: whether the text is valid
 */
bool payload_bytes(struct uev_output *to, const char *text, size_t size);

/* Appends a number of @size bytes in the byte order of this machine. */
void payload_put(struct uev_output *to, uint64_t number, size_t size);

#endif
