// SPDX-License-Identifier: MIT
#include "export/protobuf.h"

#include <endian.h>
#include <string.h>

#include "tool.h"

/* Bytes of a number */
#define VARINT_MAX 10

/* Bytes for the size of a message, which is set when it ends. */
#define SIZE_BYTES 4

static bool take_varint(const char **at, const char *end, uint64_t *number)
{
	unsigned int shift;
	uint64_t byte;

	*number = 0;
	for (shift = 0; shift < 64 && *at < end; shift += 7) {
		byte = (unsigned char)*(*at)++;
		*number |= (byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}

	return false;
}

bool protobuf_next(const char **at, const char *end,
		   struct protobuf_field *field)
{
	uint64_t tag, size = 0;

	if (!take_varint(at, end, &tag))
		return false;
	field->id = tag >> 3;
	field->wire = tag & 7;
	switch (field->wire) {
	case PROTOBUF_VARINT:
		return field->id && take_varint(at, end, &field->number);
	case PROTOBUF_BYTES:
		if (!take_varint(at, end, &size))
			return false;
		break;
	case PROTOBUF_64:
		size = 8;
		break;
	case PROTOBUF_32:
		size = 4;
		break;
	default:
		return false;
	}
	if (!field->id || size > (size_t)(end - *at))
		return false;
	field->bytes = *at;
	field->size = (size_t)size;
	*at += size;

	return true;
}

static void put_varint(struct uev_output *to, uint64_t number)
{
	char bytes[VARINT_MAX];
	size_t count = 0;

	for (; number >> 7; number >>= 7)
		bytes[count++] = (char)(number | 0x80);
	bytes[count++] = (char)number;
	tool_append(to, bytes, count);
}

static void put_tag(struct uev_output *to, unsigned int id,
		    enum protobuf_wire wire)
{
	put_varint(to, (uint64_t)id << 3 | wire);
}

void protobuf_put_number(struct uev_output *to, unsigned int id,
			 uint64_t number)
{
	put_tag(to, id, PROTOBUF_VARINT);
	put_varint(to, number);
}

void protobuf_put_double(struct uev_output *to, unsigned int id, double number)
{
	uint64_t bits;

	memcpy(&bits, &number, sizeof(bits));
	bits = htole64(bits);
	put_tag(to, id, PROTOBUF_64);
	tool_append(to, &bits, sizeof(bits));
}

void protobuf_put_bytes(struct uev_output *to, unsigned int id,
			const void *bytes, size_t size)
{
	put_tag(to, id, PROTOBUF_BYTES);
	put_varint(to, size);
	if (size)
		tool_append(to, bytes, size);
}

void protobuf_put_text(struct uev_output *to, unsigned int id, const char *text)
{
	protobuf_put_bytes(to, id, text, strlen(text));
}

size_t protobuf_begin(struct uev_output *to, unsigned int id)
{
	static const char size[SIZE_BYTES] = { 0 };

	put_tag(to, id, PROTOBUF_BYTES);
	tool_append(to, size, sizeof(size));

	return to->size;
}

void protobuf_end(struct uev_output *to, size_t start)
{
	size_t size = to->size - start, i;
	char *bytes = to->text + start - SIZE_BYTES;

	/* A number can have more bytes than it needs. */
	for (i = 0; i < SIZE_BYTES; i++, size >>= 7)
		bytes[i] =
			(char)((size & 0x7f) | (i < SIZE_BYTES - 1 ? 0x80 : 0));
}
