/* SPDX-License-Identifier: MIT */
/*
 * user-events: sequential numbers and texts of a section of trace.dat, from the
 * file or from decompressed memory.
 */
#ifndef USER_EVENTS_FORMATS_TRACE_DAT_BYTES_H
#define USER_EVENTS_FORMATS_TRACE_DAT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum size of a name with its NUL: of a system or an instance. */
#define DAT_TEXT_MAX 256

/*
 * struct dat_bytes - A section that is being read
 * @fd: the file
 * @big: it is big-endian
 * @offset: offset of the next byte in the file; in memory, of the section
 * @end: end of the section
 * @memory: the decompressed section; NULL if it is in the file
 * @size: bytes of @memory
 * @at: index of the next byte of @memory
 * @error: error of read(2)
 */
struct dat_bytes {
	int fd;
	bool big;
	uint64_t offset;
	uint64_t end;
	uint8_t *memory;
	size_t size;
	size_t at;
	int error;
};

/* Return: false if there are fewer bytes. */
bool dat_take(struct dat_bytes *bytes, void *to, size_t size);
bool dat_skip(struct dat_bytes *bytes, uint64_t size);
bool dat_u16(struct dat_bytes *bytes, uint16_t *value);
bool dat_u32(struct dat_bytes *bytes, uint32_t *value);
bool dat_u64(struct dat_bytes *bytes, uint64_t *value);
/* Reads a NUL-terminated text of at most DAT_TEXT_MAX bytes. */
bool dat_text(struct dat_bytes *bytes, char *text);

/* Returns the number of remaining bytes. */
uint64_t dat_left(const struct dat_bytes *bytes);

void dat_bytes_end(struct dat_bytes *bytes);

/*
 * dat_can_inflate() - Tests whether a compression is supported
 * dat_inflate() - Decompresses data
 * Return: whether the result has exactly
 * @size bytes
 */
bool dat_can_inflate(const char *name);
bool dat_inflate(void *to, size_t size, const void *from, size_t from_size);

#endif
