// SPDX-License-Identifier: MIT
/*
 * Characters of texts. Every character is valid in Unicode: not a surrogate,
 * and not above U+10FFFF.
 */
#include "util/charset.h"

#define REPLACEMENT 0xfffd
#define LAST_CHARACTER 0x10ffff

static bool is_surrogate(uint32_t unit)
{
	return (unit & ~0x7ffU) == 0xd800;
}

/*
 * Multi-byte sequences of UTF-8 by their first byte: number of following bytes
 * and range of the second one. Narrower ranges exclude overlong forms,
 * surrogates and values above the last character.
 */
static const struct form {
	uint8_t first, last;
	uint8_t trail_count;
	uint8_t second_min, second_max;
} forms[] = {
	{ 0xc2, 0xdf, 1, 0x80, 0xbf }, { 0xe0, 0xe0, 2, 0xa0, 0xbf },
	{ 0xe1, 0xec, 2, 0x80, 0xbf }, { 0xed, 0xed, 2, 0x80, 0x9f },
	{ 0xee, 0xef, 2, 0x80, 0xbf }, { 0xf0, 0xf0, 3, 0x90, 0xbf },
	{ 0xf1, 0xf3, 3, 0x80, 0xbf }, { 0xf4, 0xf4, 3, 0x80, 0x8f },
};

static const struct form *form_of(uint8_t first)
{
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (first >= forms[i].first && first <= forms[i].last)
			return &forms[i];

	return NULL;
}

/* Size of a multi-byte character in bytes; 0 if it is invalid. */
static size_t sequence_length(const uint8_t *at, size_t size)
{
	const struct form *form = form_of(at[0]);
	size_t i;

	if (!form || size <= form->trail_count || at[1] < form->second_min ||
	    at[1] > form->second_max)
		return 0;

	for (i = 2; i <= form->trail_count; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;

	return form->trail_count + 1;
}

static uint32_t next_utf8(struct text_reader *reader)
{
	const uint8_t *at = reader->at;
	size_t size = 0;
	uint32_t character;

	if (*at >= 0x80)
		size = sequence_length(at, (size_t)(reader->end - at));

	/* ASCII, or Latin-1 as a fallback. */
	if (!size)
		return *reader->at++;

	character = *at & (0x7fU >> size);
	reader->at += size;
	while (++at < reader->at)
		character = character << 6 | (*at & 0x3f);

	return character;
}

static uint32_t unit16(const uint8_t *at, bool big)
{
	return big ? (uint32_t)(at[0] << 8 | at[1])
		   : (uint32_t)(at[1] << 8 | at[0]);
}

static uint32_t next_utf16(struct text_reader *reader, bool big)
{
	size_t size = (size_t)(reader->end - reader->at);
	const uint8_t *at = reader->at;
	uint32_t unit, low;

	if (size < 2) {
		reader->at = reader->end;
		return REPLACEMENT;
	}

	unit = unit16(at, big);
	reader->at += 2;
	if (!is_surrogate(unit))
		return unit;
	if (unit >= 0xdc00 || size < 4)
		return REPLACEMENT;

	low = unit16(at + 2, big);
	if (!is_surrogate(low) || low < 0xdc00)
		return REPLACEMENT;

	reader->at += 2;
	return 0x10000 + ((unit & 0x3ff) << 10 | (low & 0x3ff));
}

static uint32_t next_utf32(struct text_reader *reader, bool big)
{
	const uint8_t *at = reader->at;
	uint32_t unit;

	if (reader->end - at < 4) {
		reader->at = reader->end;
		return REPLACEMENT;
	}

	reader->at += 4;
	unit = big ? unit16(at, big) << 16 | unit16(at + 2, big)
		   : unit16(at + 2, big) << 16 | unit16(at, big);

	return unit > LAST_CHARACTER || is_surrogate(unit) ? REPLACEMENT : unit;
}

/*
 * uev_charset_next() - Gets the next character of a text
 * @reader: the text and the current position
 * @character: set to the character
 *
 * Return: false at the end.
 */
bool uev_charset_next(struct text_reader *reader, uint32_t *character)
{
	if (reader->at == reader->end)
		return false;

	switch (reader->charset) {
	case UEV_CHARSET_UTF8:
		*character = next_utf8(reader);
		break;
	case UEV_CHARSET_UTF16LE:
	case UEV_CHARSET_UTF16BE:
		*character = next_utf16(reader,
					reader->charset == UEV_CHARSET_UTF16BE);
		break;
	case UEV_CHARSET_UTF32LE:
	case UEV_CHARSET_UTF32BE:
		*character = next_utf32(reader,
					reader->charset == UEV_CHARSET_UTF32BE);
		break;
	default:
		*character = *reader->at++;
	}

	return true;
}

/*
 * uev_charset_utf8() - Encodes a character as UTF-8
 * @character: the character, from uev_charset_next()
 * @utf8: receives up to UEV_UTF8_MAX bytes
 *
 * Return: number of bytes.
 */
size_t uev_charset_utf8(uint32_t character, char *utf8)
{
	size_t trail_count = (character >= 0x80) + (character >= 0x800) +
			     (character >= 0x10000);
	static const uint8_t marks[] = { 0x00, 0xc0, 0xe0, 0xf0 };
	size_t i;

	for (i = trail_count; i; i--, character >>= 6)
		utf8[i] = (char)(0x80 | (character & 0x3f));
	utf8[0] = (char)(marks[trail_count] | character);

	return trail_count + 1;
}

/*
 * Control and format characters, and separators of lines: categories Cc, Cf, Zl
 * and Zp of Unicode
 */
static const struct range {
	uint32_t first, last;
} controls[] = {
	{ 0x0000, 0x001f },   { 0x007f, 0x009f },   { 0x00ad, 0x00ad },
	{ 0x0600, 0x0605 },   { 0x061c, 0x061c },   { 0x06dd, 0x06dd },
	{ 0x070f, 0x070f },   { 0x0890, 0x0891 },   { 0x08e2, 0x08e2 },
	{ 0x180e, 0x180e },   { 0x200b, 0x200f },   { 0x2028, 0x202e },
	{ 0x2060, 0x206f },   { 0xfeff, 0xfeff },   { 0xfff9, 0xfffb },
	{ 0x110bd, 0x110bd }, { 0x110cd, 0x110cd }, { 0x13430, 0x1343f },
	{ 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a }, { 0xe0000, 0xe007f },
};

/*
 * uev_charset_is_control() - Tests for characters that are not shown, and that
 * can control a terminal or change the order of others
 * @character: the character
 */
bool uev_charset_is_control(uint32_t character)
{
	size_t i;

	for (i = 0; i < sizeof(controls) / sizeof(*controls); i++)
		if (character <= controls[i].last)
			return character >= controls[i].first;

	return false;
}
