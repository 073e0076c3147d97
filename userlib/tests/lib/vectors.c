// SPDX-License-Identifier: MIT
#include "vectors.h"

#include <string.h>

/* clang-format off */
#define BYTES(literal) { (literal), sizeof(literal) - 1 }
#define VECTOR(name, meta, little, big, json, big_json) \
	{ name, BYTES(meta), BYTES(little), BYTES(big), json, big_json },
/* clang-format on */

#define VALUE(encoding, format, type, value, ...) \
	VECTOR(#encoding " " #format, __VA_ARGS__)
#define ZSTRING(encoding, format, units, ...) \
	VECTOR(#encoding " " #format, __VA_ARGS__)
#define STRING(encoding, format, units, count, ...) \
	VECTOR(#encoding " " #format, __VA_ARGS__)
#define BINARY(format, bytes, size, ...) VECTOR("BINARY " #format, __VA_ARGS__)

const struct vector vectors[] = { VECTOR_VALUES(VALUE) VECTOR_ZSTRINGS(
	ZSTRING) VECTOR_STRINGS(STRING) VECTOR_BINARIES(BINARY) };

const size_t vector_count = sizeof(vectors) / sizeof(*vectors);

/*
 * vector_event() - Assembles an event E of level 5 with one field f
 * @vector: the field
 * @is_big: in big-endian byte order
 * @bytes: VECTOR_EVENT_MAX bytes
 *
 * The size of its pointers is that of this machine.
 * Return: number of bytes.
 */
size_t vector_event(const struct vector *vector, int is_big,
		    unsigned char *bytes)
{
	const struct vector_bytes *data = is_big ? &vector->big
						 : &vector->little;
	/* Flags, of which 4 says that a block follows; the level, 5. */
	unsigned char header[12] = {
		[0] = (unsigned char)(4 | (is_big ? 0 : 2) |
				      (sizeof(void *) == 8)),
		[7] = 5,
	};
	size_t size = sizeof(header);

	/* Size of the metadata, including "E" and "f" with their NULs. */
	header[is_big ? 9 : 8] = (unsigned char)(4 + vector->meta.size);
	header[is_big ? 11 : 10] = 1;
	memcpy(bytes, header, size);
	memcpy(bytes + size, "E\0f", 4);
	size += 4;
	memcpy(bytes + size, vector->meta.at, vector->meta.size);
	size += vector->meta.size;
	memcpy(bytes + size, data->at, data->size);

	return size + data->size;
}
