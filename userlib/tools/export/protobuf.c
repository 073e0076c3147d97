// SPDX-License-Identifier: MIT
#include "export/protobuf.h"

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
