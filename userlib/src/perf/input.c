// SPDX-License-Identifier: MIT
#include "perf/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/bytes.h"
#include "util/sys_perf.h"

#define BUFFER_SIZE (4 * UEV_INPUT_PEEK_MAX)

int uev_input_init(struct uev_input *input, int fd, bool at_offsets)
{
	*input = (struct uev_input){
		.fd = fd,
		.at_offsets = at_offsets,
		.limit = UINT64_MAX,
		.buffer = malloc(BUFFER_SIZE),
	};

	return input->buffer ? 0 : -ENOMEM;
}

void uev_input_free(struct uev_input *input)
{
	free(input->buffer);
	*input = (struct uev_input){ .fd = -1 };
}

void uev_input_seek(struct uev_input *input, uint64_t offset, uint64_t limit)
{
	uint64_t first = input->offset - input->start;

	/* Backwards, too: consumed bytes are still in the buffer. */
	if (offset >= first && offset - first <= input->end) {
		input->start = (size_t)(offset - first);
	} else {
		input->start = 0;
		input->end = 0;
	}
	input->offset = offset;
	input->limit = limit;
}

static ssize_t read_more(struct uev_input *input)
{
	uint8_t *to = input->buffer + input->end;
	size_t size = BUFFER_SIZE - input->end;
	uint64_t offset = input->offset + (input->end - input->start);

	if (input->read)
		return input->read(input->source, to, size);
	if (!input->at_offsets)
		return uev_sys_perf_read(input->fd, to, size);
	/* A seek would discard the bytes beyond the limit. */
	if (size > input->limit - offset)
		size = (size_t)(input->limit - offset);
	/* Beyond the size of any file. */
	if (offset > INT64_MAX - BUFFER_SIZE)
		return 0;

	return uev_sys_perf_pread(input->fd, to, size, offset);
}

/* Reads until the buffer has @size bytes. */
static bool fill(struct uev_input *input, size_t size)
{
	ssize_t got;

	if (BUFFER_SIZE - input->start < size) {
		memmove(input->buffer, input->buffer + input->start,
			input->end - input->start);
		input->end -= input->start;
		input->start = 0;
	}

	while (input->end - input->start < size) {
		if (input->error)
			return false;
		got = read_more(input);
		if (got < 0)
			input->error = (int)got;
		if (got <= 0)
			return false;
		input->end += (size_t)got;
	}

	return true;
}

static uint64_t before_limit(const struct uev_input *input)
{
	return input->limit > input->offset ? input->limit - input->offset : 0;
}

const uint8_t *uev_input_peek(struct uev_input *input, size_t size)
{
	if (size > before_limit(input) || !fill(input, size))
		return NULL;

	return input->buffer + input->start;
}

const uint8_t *uev_input_take(struct uev_input *input, size_t size)
{
	const uint8_t *bytes = uev_input_peek(input, size);

	if (bytes) {
		input->start += size;
		input->offset += size;
	}

	return bytes;
}

size_t uev_input_left(struct uev_input *input, size_t want)
{
	if (want > before_limit(input))
		want = (size_t)before_limit(input);
	if (fill(input, want))
		return want;

	return input->end - input->start;
}

bool uev_input_copy(struct uev_input *input, void *to, size_t size)
{
	const uint8_t *bytes;
	uint8_t *next = to;
	size_t part;

	while (size) {
		part = size < UEV_INPUT_PEEK_MAX ? size : UEV_INPUT_PEEK_MAX;
		bytes = uev_input_take(input, part);
		if (!bytes)
			return false;
		memcpy(next, bytes, part);
		next += part;
		size -= part;
	}

	return true;
}

bool uev_input_skip(struct uev_input *input, uint64_t size)
{
	size_t part;

	if (size > before_limit(input))
		return false;
	if (input->at_offsets) {
		uev_input_seek(input, input->offset + size, input->limit);
		return true;
	}

	while (size) {
		part = size < UEV_INPUT_PEEK_MAX ? (size_t)size
						 : UEV_INPUT_PEEK_MAX;
		if (!uev_input_take(input, part))
			return false;
		size -= part;
	}

	return true;
}

bool uev_input_u32(struct uev_input *input, uint32_t *value)
{
	const uint8_t *bytes = uev_input_take(input, sizeof(*value));

	if (bytes)
		*value = uev_get32(bytes, input->big);

	return bytes;
}

bool uev_input_u64(struct uev_input *input, uint64_t *value)
{
	const uint8_t *bytes = uev_input_take(input, sizeof(*value));

	if (bytes)
		*value = uev_get64(bytes, input->big);

	return bytes;
}
