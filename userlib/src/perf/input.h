/* SPDX-License-Identifier: MIT */
/*
 * The bytes of perf.data one after the other, out of a file or a pipe, through
 * a buffer that is large enough for any record.
 */
#ifndef USEREVENTS_PERF_INPUT_H
#define USEREVENTS_PERF_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What uev_input_peek() can show at once: no record is larger. */
#define UEV_INPUT_PEEK_MAX 65536

/*
 * @fd: not owned
 * @at_offsets: whether it can be read at any offset
 * @offset: of what comes next
 * @limit: nothing at or beyond this offset is given
 * @error: what read(2) answered, or -ENOMEM; then nothing more comes
 */
struct uev_input {
	int fd;
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

/* Goes to an offset, where @at_offsets, and gives what is before @limit. */
void uev_input_seek(struct uev_input *input, uint64_t offset, uint64_t limit);

/*
 * The next @size bytes, UEV_INPUT_PEEK_MAX at most, which stay next. They can
 * be looked at until the next call.
 *
 * Return: NULL when there are not so many before the limit or the end
 */
const uint8_t *uev_input_peek(struct uev_input *input, size_t size);

/* The next @size bytes, gone over; as uev_input_peek(). */
const uint8_t *uev_input_take(struct uev_input *input, size_t size);

/* How many bytes can be had before the limit and the end, @want at most. */
size_t uev_input_left(struct uev_input *input, size_t want);

/* Copies @size bytes of any number. Return: whether there were so many. */
bool uev_input_copy(struct uev_input *input, void *to, size_t size);

/* Goes over @size bytes. Return: whether there were so many. */
bool uev_input_skip(struct uev_input *input, uint64_t size);

/* Numbers, in the order of bytes of the file. */
bool uev_input_u32(struct uev_input *input, uint32_t *value);
bool uev_input_u64(struct uev_input *input, uint64_t *value);

#endif
