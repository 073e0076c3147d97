// SPDX-License-Identifier: MIT
#include "formats/trace_dat_bytes.h"

#include <stdlib.h>
#include <string.h>

#ifdef TOOL_HAS_ZSTD
#include <zstd.h>
#endif

#include "util/bytes.h"
#include "files.h"

uint64_t dat_left(const struct dat_bytes *bytes)
{
	return bytes->memory ? bytes->size - bytes->at
			     : bytes->end - bytes->offset;
}

static void go_on(struct dat_bytes *bytes, uint64_t size)
{
	if (bytes->memory)
		bytes->at += (size_t)size;
	else
		bytes->offset += size;
}

bool dat_take(struct dat_bytes *bytes, void *to, size_t size)
{
	int ret;

	if (bytes->error || size > dat_left(bytes))
		return false;
	if (bytes->memory) {
		if (size)
			memcpy(to, bytes->memory + bytes->at, size);
	} else {
		ret = files_read_at(bytes->fd, to, size, bytes->offset);
		if (ret < 0)
			bytes->error = ret;
		if (ret <= 0)
			return false;
	}
	go_on(bytes, size);

	return true;
}

bool dat_skip(struct dat_bytes *bytes, uint64_t size)
{
	if (size > dat_left(bytes))
		return false;
	go_on(bytes, size);

	return true;
}

bool dat_u16(struct dat_bytes *bytes, uint16_t *value)
{
	uint8_t number[sizeof(*value)];

	if (!dat_take(bytes, number, sizeof(number)))
		return false;
	*value = uev_get16(number, bytes->big);

	return true;
}

bool dat_u32(struct dat_bytes *bytes, uint32_t *value)
{
	uint8_t number[sizeof(*value)];

	if (!dat_take(bytes, number, sizeof(number)))
		return false;
	*value = uev_get32(number, bytes->big);

	return true;
}

bool dat_u64(struct dat_bytes *bytes, uint64_t *value)
{
	uint8_t number[sizeof(*value)];

	if (!dat_take(bytes, number, sizeof(number)))
		return false;
	*value = uev_get64(number, bytes->big);

	return true;
}

bool dat_text(struct dat_bytes *bytes, char *text)
{
	struct dat_bytes ahead = *bytes;
	size_t size = DAT_TEXT_MAX;
	const char *end;

	if (size > dat_left(bytes))
		size = (size_t)dat_left(bytes);
	if (!dat_take(&ahead, text, size)) {
		bytes->error = ahead.error;
		return false;
	}
	end = size ? memchr(text, '\0', size) : NULL;

	return end && dat_skip(bytes, (uint64_t)(end - text) + 1);
}

void dat_bytes_end(struct dat_bytes *bytes)
{
	free(bytes->memory);
	bytes->memory = NULL;
}

bool dat_can_inflate(const char *name)
{
#ifdef TOOL_HAS_ZSTD
	return strcmp(name, "zstd") == 0;
#else
	(void)name;

	return false;
#endif
}

bool dat_inflate(void *to, size_t size, const void *from, size_t from_size)
{
#ifdef TOOL_HAS_ZSTD
	return ZSTD_decompress(to, size, from, from_size) == size;
#else
	(void)to;
	(void)size;
	(void)from;
	(void)from_size;

	return false;
#endif
}
