// SPDX-License-Identifier: MIT
#include "terminal.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <userevents/decode.h>

#include "util/charset.h"
#include "memory.h"

/* "\U0010ffff" */
#define ESCAPE_SIZE 11

static struct text_reader reader_of(const char *text, size_t size)
{
	return (struct text_reader){ .at = (const uint8_t *)text,
				     .end = (const uint8_t *)text + size,
				     .charset = UEV_CHARSET_UTF8 };
}

/* ---- Escapes ---- */

static void append_escape(struct uev_output *to, uint32_t character)
{
	char escape[ESCAPE_SIZE];

	if (character == '\n' || character == '\t')
		snprintf(escape, sizeof(escape), "\\%c",
			 character == '\n' ? 'n' : 't');
	else if (character < 0x100)
		snprintf(escape, sizeof(escape), "\\x%02x", character);
	else if (character < 0x10000)
		snprintf(escape, sizeof(escape), "\\u%04x", character);
	else
		snprintf(escape, sizeof(escape), "\\U%08x", character);
	tool_put(to, escape);
}

static void append_character(struct uev_output *to, uint32_t character)
{
	char utf8[UEV_UTF8_MAX];
	size_t size = uev_charset_utf8(character, utf8);

	if (uev_charset_is_control(character))
		append_escape(to, character);
	else
		tool_append(to, utf8, size);
}

/* Returns the bytes before the next one that is not printable ASCII. */
static size_t plain_size(const struct text_reader *reader)
{
	const uint8_t *at = reader->at;
	uint64_t word;

	while (reader->end - at >= (ptrdiff_t)sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		if (!uev_charset_are_printable(word))
			break;
		at += sizeof(word);
	}
	while (at != reader->end && *at >= ' ' && *at <= '~')
		at++;

	return (size_t)(at - reader->at);
}

void terminal_append(struct uev_output *to, const char *text, size_t size)
{
	struct text_reader reader = reader_of(text, size);
	uint32_t character;
	size_t plain;

	for (;;) {
		plain = plain_size(&reader);
		tool_append(to, (const char *)reader.at, plain);
		reader.at += plain;
		if (reader.at == reader.end)
			return;
		uev_charset_next(&reader, &character);
		append_character(to, character);
	}
}

char *terminal_text(const char *text)
{
	struct uev_output escaped = UEV_OUTPUT_INIT;

	terminal_append(&escaped, text, strlen(text));

	return escaped.text;
}

/* ---- Columns ---- */

/* Makes wcwidth() know all characters. Return: what to restore */
static locale_t use_utf8(void)
{
	static locale_t utf8;

	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);

	return uselocale(utf8);
}

static size_t width_of(uint32_t character)
{
	int width = wcwidth((wchar_t)character);

	return width < 0 ? 1 : (size_t)width;
}

size_t terminal_fit(const char *text, size_t size, size_t columns)
{
	struct text_reader reader = reader_of(text, size);
	const uint8_t *at = reader.at;
	locale_t before = use_utf8();
	uint32_t character;
	size_t width;

	for (; uev_charset_next(&reader, &character); at = reader.at) {
		width = width_of(character);
		if (width > columns)
			break;
		columns -= width;
	}
	uselocale(before);

	return (size_t)((const char *)at - text);
}

size_t terminal_width(const char *text, size_t size)
{
	struct text_reader reader = reader_of(text, size);
	locale_t before = use_utf8();
	uint32_t character;
	size_t width = 0;

	while (uev_charset_next(&reader, &character))
		width += width_of(character);
	uselocale(before);

	return width;
}
