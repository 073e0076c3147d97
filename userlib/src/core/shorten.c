// SPDX-License-Identifier: MIT
/* Finds where a text is shortened. */
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
