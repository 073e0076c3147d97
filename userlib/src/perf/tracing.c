// SPDX-License-Identifier: MIT
#include "perf/tracing.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Limit of a format file. */
#define FORMAT_MAX (1024 * 1024)

/* Longest NUL-terminated string: the name of a system. */
#define STRING_MAX 256

static const char magic[] = "\x17\x08\x44tracing";

static const char too_short[] = "truncated event formats in the tracing data";
static const char not_tracing[] = "invalid signature of the tracing data";
static const char too_long[] = "event format too long in the tracing data";
static const char too_many[] = "too many event formats in the tracing data";
static const char no_end[] = "unterminated string in the tracing data";

static const char *read_string(struct uev_input *input, char *text)
{
	const uint8_t *byte;
	size_t length;

	for (length = 0; length < STRING_MAX; length++) {
		byte = uev_input_take(input, 1);
		if (!byte)
			return too_short;
		text[length] = (char)*byte;
		if (!*byte)
			return NULL;
	}

	return no_end;
}

/* "header_page" and "header_event" describe another kind of buffer. */
static const char *skip_header(struct uev_input *input)
{
	char name[STRING_MAX];
	const char *reason;
	uint64_t size;

	reason = read_string(input, name);
	if (reason)
		return reason;
	if (!uev_input_u64(input, &size) || !uev_input_skip(input, size))
		return too_short;

	return NULL;
}

static const char *read_format(struct uev_input *input,
			       struct uev_perf_events *events,
			       const char *system)
{
	uint64_t size;
	char *text;
	int ret = -EBADMSG;

	if (!uev_input_u64(input, &size))
		return too_short;
	if (size > FORMAT_MAX)
		return too_long;

	/* Allocates one more, because the number can be 0. */
	text = malloc((size_t)size + 1);
	if (!text) {
		input->error = -ENOMEM;
		return too_many;
	}
	if (uev_input_copy(input, text, (size_t)size))
		ret = uev_perf_events_format(events, system, text,
					     (size_t)size);
	free(text);

	if (ret == -EBADMSG)
		return too_short;
	if (ret == -ENOMEM)
		input->error = ret;

	return ret ? too_many : NULL;
}

static const char *read_formats(struct uev_input *input,
				struct uev_perf_events *events,
				const char *system)
{
	const char *reason = NULL;
	uint32_t count;

	if (!uev_input_u32(input, &count))
		return too_short;
	while (count-- && !reason)
		reason = read_format(input, events, system);

	return reason;
}

static const char *read_systems(struct uev_input *input,
				struct uev_perf_events *events)
{
	const char *reason = NULL;
	char system[STRING_MAX];
	uint32_t count;

	if (!uev_input_u32(input, &count))
		return too_short;
	while (count-- && !reason) {
		reason = read_string(input, system);
		if (!reason)
			reason = read_formats(input, events, system);
	}

	return reason;
}

static const char *read_all(struct uev_input *input,
			    struct uev_perf_events *events, uint8_t *long_size)
{
	char version[STRING_MAX];
	const uint8_t *bytes;
	const char *reason;

	bytes = uev_input_take(input, sizeof(magic) - 1);
	if (!bytes || memcmp(bytes, magic, sizeof(magic) - 1))
		return not_tracing;
	reason = read_string(input, version);
	if (reason)
		return reason;

	/* Byte order, size of a long, page size. */
	bytes = uev_input_take(input, 6);
	if (!bytes)
		return too_short;
	input->big = bytes[0];
	*long_size = bytes[1];

	reason = skip_header(input);
	if (!reason)
		reason = skip_header(input);
	if (!reason)
		reason = read_formats(input, events, "ftrace");
	if (!reason)
		reason = read_systems(input, events);

	/* Symbols, printk formats and names of processes follow. */
	return reason;
}

const char *uev_tracing_read(struct uev_input *input,
			     struct uev_perf_events *events, uint8_t *long_size)
{
	bool big = input->big;
	const char *reason = read_all(input, events, long_size);

	input->big = big;

	return reason;
}
