// SPDX-License-Identifier: MIT
#include "valid.h"

#include <stdint.h>
#include <string.h>

/* Brackets in brackets; a record cannot have half as many. */
#define DEPTH_MAX 64

/* Bytes of the character at a place, or 0. */
static size_t measure(const uint8_t *at, size_t size)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t length = *at < 0x80   ? 1
			: *at < 0xc0 ? 0
			: *at < 0xe0 ? 2
			: *at < 0xf0 ? 3
			: *at < 0xf8 ? 4
				     : 0;
	uint32_t character;
	size_t i;

	if (!length || length > size)
		return 0;
	character = length == 1 ? *at : *at & (0x7fU >> length);
	for (i = 1; i < length; i++) {
		if (at[i] < 0x80 || at[i] > 0xbf)
			return 0;
		character = character * 64 + at[i] - 0x80;
	}
	if (character < least[length] || character > 0x10ffff ||
	    (character >= 0xd800 && character <= 0xdfff))
		return 0;

	return length;
}

bool is_utf8(const char *text, size_t size)
{
	const uint8_t *at = (const uint8_t *)text;
	size_t length;

	for (; size; size -= length, at += length) {
		length = measure(at, size);
		if (!length)
			return false;
	}

	return true;
}

struct scanner {
	const char *at;
	const char *end;
};

static bool take(struct scanner *scanner, char c)
{
	if (scanner->at == scanner->end || *scanner->at != c)
		return false;

	scanner->at++;
	return true;
}

static void skip_spaces(struct scanner *scanner)
{
	while (take(scanner, ' '))
		;
}

static bool take_digits(struct scanner *scanner)
{
	const char *begin = scanner->at;

	while (scanner->at < scanner->end && *scanner->at >= '0' &&
	       *scanner->at <= '9')
		scanner->at++;

	return scanner->at > begin;
}

static bool take_number(struct scanner *scanner)
{
	take(scanner, '-');
	if (!take(scanner, '0') && !take_digits(scanner))
		return false;
	if (take(scanner, '.') && !take_digits(scanner))
		return false;
	if (!take(scanner, 'e') && !take(scanner, 'E'))
		return true;
	if (!take(scanner, '+'))
		take(scanner, '-');

	return take_digits(scanner);
}

static bool take_escape(struct scanner *scanner)
{
	int i;

	if (scanner->at == scanner->end || !strchr("\"\\/bfnrtu", *scanner->at))
		return false;
	if (*scanner->at++ != 'u')
		return true;

	for (i = 0; i < 4; i++, scanner->at++)
		if (scanner->at == scanner->end || !*scanner->at ||
		    !strchr("0123456789abcdefABCDEF", *scanner->at))
			return false;

	return true;
}

static bool take_string(struct scanner *scanner)
{
	if (!take(scanner, '"'))
		return false;

	while (!take(scanner, '"')) {
		if (scanner->at == scanner->end ||
		    (unsigned char)*scanner->at < ' ')
			return false;
		if (*scanner->at++ == '\\' && !take_escape(scanner))
			return false;
	}

	return true;
}

static bool take_word(struct scanner *scanner, const char *word)
{
	size_t size = strlen(word);

	if ((size_t)(scanner->end - scanner->at) < size ||
	    memcmp(scanner->at, word, size))
		return false;

	scanner->at += size;
	return true;
}

static bool take_scalar(struct scanner *scanner)
{
	return take_word(scanner, "true") || take_word(scanner, "false") ||
	       take_word(scanner, "null") || take_string(scanner) ||
	       take_number(scanner);
}

static bool take_key(struct scanner *scanner)
{
	skip_spaces(scanner);
	if (!take_string(scanner))
		return false;
	skip_spaces(scanner);

	return take(scanner, ':');
}

/* Exactly one object. */
bool is_json(const char *text, size_t size)
{
	struct scanner scanner = { text, text + size };
	char closing[DEPTH_MAX];
	size_t depth = 0;
	bool is_first = false;

	if (!size || *text != '{' || !is_utf8(text, size))
		return false;

	do {
		/* Expects a value, or the closing bracket. */
		skip_spaces(&scanner);
		if (depth && is_first && take(&scanner, closing[depth - 1])) {
			depth--;
			is_first = false;
		} else {
			if (depth && closing[depth - 1] == '}' &&
			    !take_key(&scanner))
				return false;
			skip_spaces(&scanner);
			is_first = take(&scanner, '{');
			if (is_first || take(&scanner, '[')) {
				if (depth == DEPTH_MAX)
					return false;
				closing[depth++] = is_first ? '}' : ']';
				is_first = true;
				continue;
			}
			if (!take_scalar(&scanner))
				return false;
		}

		skip_spaces(&scanner);
		while (depth && take(&scanner, closing[depth - 1])) {
			depth--;
			skip_spaces(&scanner);
		}
		if (depth && !take(&scanner, ','))
			return false;
	} while (depth);

	return scanner.at == scanner.end;
}
