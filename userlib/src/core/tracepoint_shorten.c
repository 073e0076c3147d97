// SPDX-License-Identifier: MIT
/* Records whose texts are shortened to fit. */
#include <string.h>
#include <userevents/sdt.h>

#include "core/shorten.h"
#include "core/tracepoint.h"
#include "util/float.h"

static bool is_text(const struct uev_value *value)
{
	return value->type == UEV_TYPE_STRING;
}

/* Length of a text without its NUL; it saturates. */
static size_t text_length(const struct uev_value *value)
{
	uint64_t length = value->number - (value->has_end ? 1 : 0);

	return length > UEV_PAYLOAD_MAX ? UEV_PAYLOAD_MAX + 1 : (size_t)length;
}

/* Maximum bytes of a value without the characters of a text. */
static size_t value_size(const struct uev_value *value)
{
	size_t size = uev_type_size(value->type);

	switch (value->type) {
	case UEV_TYPE_STRING:
		return size + 1;
	case UEV_TYPE_BYTES:
		return size + (value->number > UEV_PAYLOAD_MAX
				       ? UEV_PAYLOAD_MAX
				       : (size_t)value->number);
	case UEV_TYPE_F32:
	case UEV_TYPE_F64:
		return size + UEV_FLOAT_TEXT_MAX;
	case UEV_TYPE_UUID:
		return size + UEV_UUID_TEXT_SIZE;
	default:
		return size;
	}
}

struct values {
	const struct uev_value *values;
	size_t count;
};

static size_t texts_size(const void *data, size_t limit)
{
	const struct values *values = data;
	size_t size = 0, length, i;

	for (i = 0; i < values->count; i++) {
		if (!is_text(&values->values[i]))
			continue;
		length = text_length(&values->values[i]);
		size += length < limit ? length : limit;
	}

	return size;
}

/* Return: the maximum length of a text; SIZE_MAX if all texts fit. */
static size_t find_limit(const struct values *values)
{
	size_t room = UEV_PAYLOAD_MAX, size, i;

	for (i = 0; i < values->count; i++) {
		size = value_size(&values->values[i]);
		room -= size < room ? size : room;
	}
	if (texts_size(values, SIZE_MAX) <= room)
		return SIZE_MAX;

	return uev_shorten_limit(values, texts_size, room);
}

/* Writes a record whose texts are longer than @limit. */
static __attribute__((__noinline__)) int
write_shortened(struct uev_event *event, const struct values *values,
		size_t limit)
{
	struct uev_value shortened[UEV_FIELDS_MAX];
	char chars[UEV_PAYLOAD_MAX], *at = chars;
	struct uev_text text;
	size_t i;
	int err;

	for (i = 0; i < values->count; i++) {
		shortened[i] = values->values[i];
		if (!is_text(&shortened[i]) ||
		    text_length(&shortened[i]) <= limit)
			continue;
		text = (struct uev_text){
			.chars = at,
			.length = uev_shorten_copy(at, shortened[i].data,
						   text_length(&shortened[i]),
						   limit),
		};
		at += text.length;
		shortened[i] = uev_value_text(text);
	}
	err = uev_tracepoint_write(event, shortened, values->count);
	if (!err)
		uev_event_count(event, UEV_COUNTER_SHORTENED);

	return err;
}

int uev_tracepoint_write_shortened(struct uev_event *event,
				   const struct uev_value *values, size_t count)
{
	const struct values all = { values, count };
	size_t limit = SIZE_MAX;

	/* uev_tracepoint_write() rejects and counts too many values. */
	if (count <= UEV_FIELDS_MAX)
		limit = find_limit(&all);
	if (limit != SIZE_MAX)
		return write_shortened(event, &all, limit);

	return uev_tracepoint_write(event, values, count);
}
