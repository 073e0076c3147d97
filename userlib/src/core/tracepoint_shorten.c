// SPDX-License-Identifier: MIT
/* Records whose texts are shortened to fit. */
#include <string.h>
#include <userevents/sdt.h>

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

/*
 * find_limit() - Finds the length to which texts must be shortened
 * @values: the values
 * @count: number of values
 *
 * Each round gives the texts that are still too long an equal share of what the
 * shorter ones leave.
 *
 * Return: the limit; SIZE_MAX if all texts fit.
 */
static size_t find_limit(const struct uev_value *values, size_t count)
{
	size_t room = UEV_PAYLOAD_MAX, limit = 0, before, used, texts, i;

	for (i = 0; i < count; i++) {
		size_t size = value_size(&values[i]);

		room -= size < room ? size : room;
	}
	do {
		before = limit;
		used = 0;
		texts = 0;
		for (i = 0; i < count; i++) {
			if (!is_text(&values[i]))
				continue;
			if (text_length(&values[i]) <= before)
				used += text_length(&values[i]);
			else
				texts++;
		}
		if (!texts)
			return SIZE_MAX;
		limit = (room - used) / texts;
	} while (limit > before);

	return limit;
}

/* Writes a record whose texts are longer than @limit. */
static __attribute__((__noinline__)) int
write_shortened(struct uev_event *event, const struct uev_value *values,
		size_t count, size_t limit)
{
	const size_t mark = strlen(UEV_SHORTENED);
	struct uev_value shortened[UEV_FIELDS_MAX];
	char chars[UEV_PAYLOAD_MAX], *at = chars;
	struct uev_text text;
	size_t i;
	int err;

	for (i = 0; i < count; i++) {
		shortened[i] = values[i];
		if (!is_text(&values[i]) || text_length(&values[i]) <= limit)
			continue;
		text = (struct uev_text){
			.chars = at,
			.length = uev_shorten(values[i].data,
					      text_length(&values[i]), limit),
		};
		memcpy(at, values[i].data, text.length);
		if (limit >= mark) {
			memcpy(at + text.length, UEV_SHORTENED, mark);
			text.length += mark;
		}
		at += text.length;
		shortened[i] = uev_value_text(text);
	}
	err = uev_tracepoint_write(event, shortened, count);
	if (!err)
		uev_event_count(event, UEV_COUNTER_SHORTENED);

	return err;
}

int uev_tracepoint_write_shortened(struct uev_event *event,
				   const struct uev_value *values, size_t count)
{
	size_t limit = SIZE_MAX;

	/* uev_tracepoint_write() rejects and counts too many values. */
	if (count <= UEV_FIELDS_MAX)
		limit = find_limit(values, count);
	if (limit != SIZE_MAX)
		return write_shortened(event, values, count, limit);

	return uev_tracepoint_write(event, values, count);
}
