/* SPDX-License-Identifier: MIT */
/*
 * Sequential input of perf.data from a file, a pipe or compressed records, with
 * a buffer that is large enough for any record.
 */
#ifndef USEREVENTS_PERF_INPUT_H
#define USEREVENTS_PERF_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Limit of uev_input_peek(): the maximum size of a record. */
#define UEV_INPUT_PEEK_MAX 65536

/*
 * @fd: not owned
 * @read: reads from @source instead of @fd, or NULL. It returns the number of
 *        bytes, 0 or an error. There can be more after 0.
 * @at_offsets: it can be read at any offset
 * @offset: offset of the next byte
 * @limit: offset of the first byte that is not returned
 * @error: error of read(2) or of @read, or -ENOMEM; nothing is read after it
 */
struct uev_input {
	int fd;
	ssize_t (*read)(void *source, void *to, size_t size);
	void *source;
	bool at_offsets;
	bool big;
	uint64_t offset;
	uint64_t limit;
	int error;
	uint8_t *buffer;
	size_t start;
	size_t end;
};

/* Return: 0 or -ENOMEM */
int uev_input_init(struct uev_input *input, int fd, bool at_offsets);
void uev_input_free(struct uev_input *input);

/* Seeks to an offset, if @at_offsets, and sets the limit. */
void uev_input_seek(struct uev_input *input, uint64_t offset, uint64_t limit);

/*
 * Returns the next @size bytes, at most UEV_INPUT_PEEK_MAX, without consuming
 * them. They are valid until the next call.
 *
 * Return: NULL if fewer bytes precede the limit or the end
 */
const uint8_t *uev_input_peek(struct uev_input *input, size_t size);

/* Returns and consumes the next @size bytes, as uev_input_peek(). */
const uint8_t *uev_input_take(struct uev_input *input, size_t size);

/* Returns the number of bytes before the limit and the end, at most @want. */
size_t uev_input_left(struct uev_input *input, size_t want);

/* Copies @size bytes. Return: false if there are fewer. */
bool uev_input_copy(struct uev_input *input, void *to, size_t size);

/* Skips @size bytes. Return: false if there are fewer. */
bool uev_input_skip(struct uev_input *input, uint64_t size);

/* Reads numbers in the byte order of the file. */
bool uev_input_u32(struct uev_input *input, uint32_t *value);
bool uev_input_u64(struct uev_input *input, uint64_t *value);

#endif
