// SPDX-License-Identifier: MIT
/* Finds where a text is shortened. */
#include "core/shorten.h"

#include <string.h>
#include <userevents/userevents.h>

/* Maximum bytes that continue a character of UTF-8. */
#define CONTINUATION_MAX 3

static bool is_continuation(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Text that is not UTF-8 has no characters, and is cut at @length. */
static size_t character_start(const char *text, size_t length)
{
	size_t i;

	for (i = 0; i <= CONTINUATION_MAX && i <= length; i++)
		if (!is_continuation(text[length - i]))
			return length - i;

	return length;
}

size_t uev_shorten(const char *text, size_t length, size_t limit)
{
	const size_t mark = strlen(UEV_SHORTENED);

	if (length <= limit)
		return length;

	return limit > mark ? character_start(text, limit - mark) : 0;
}

size_t uev_shorten_limit(const void *texts,
			 size_t (*size_of)(const void *texts, size_t limit),
			 size_t room)
{
	size_t low = 0, high = UEV_PAYLOAD_MAX, middle;

	while (low < high) {
		middle = (low + high + 1) / 2;
		if (size_of(texts, middle) > room)
			high = middle - 1;
		else
			low = middle;
	}

	return low;
}

size_t uev_shorten_copy(char *to, const char *text, size_t length, size_t limit)
{
	const size_t mark = strlen(UEV_SHORTENED);
	size_t kept = uev_shorten(text, length, limit);

	if (limit < mark)
		return 0;
	memmove(to, text, kept);
	memcpy(to + kept, UEV_SHORTENED, mark);

	return kept + mark;
}
