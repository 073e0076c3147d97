// SPDX-License-Identifier: GPL-2.0-only
#include "format/fields.h"

#include <linux/ctype.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

/*
 * Reads a text word by word. The text may be split into pieces; a new piece
 * starts a new word.
 */
struct word_reader {
	const char *const *piece;
	const char *const *end;
	const char *pos;
};

static void reader_skip(struct word_reader *reader, bool separators)
{
	for (;;) {
		while (isspace(*reader->pos) ||
		       (separators && *reader->pos == ';'))
			reader->pos++;

		if (*reader->pos || reader->piece + 1 >= reader->end)
			return;

		reader->pos = *++reader->piece;
	}
}

/* White space, a separator and the end of the text end a word. */
static size_t word_len(const char *text)
{
	size_t len = 0;

	while (text[len] && text[len] != ';' && !isspace(text[len]))
		len++;

	return len;
}

/* Tells whether no word of a field follows. */
static bool ends_field(const char *text)
{
	text = skip_spaces(text);
	return !*text || *text == ';';
}

static bool reader_take(struct word_reader *reader, const char *word,
			size_t len)
{
	reader_skip(reader, false);
	if (word_len(reader->pos) != len || memcmp(reader->pos, word, len))
		return false;

	reader->pos += len;
	return true;
}

static bool reader_take_words(struct word_reader *reader, const char *words)
{
	size_t len;

	for (words = skip_spaces(words); *words;
	     words = skip_spaces(words + len)) {
		len = word_len(words);
		if (!reader_take(reader, words, len))
			return false;
	}

	return true;
}

/* A number may have a sign and leading zeros. */
static bool word_is_number(const char *word, size_t len, u32 number)
{
	u64 value = 0;

	if (len && *word == '+') {
		word++;
		len--;
	}

	if (!len)
		return false;

	for (; len && isdigit(*word) && value <= U32_MAX; word++, len--)
		value = value * 10 + *word - '0';

	return !len && value == number;
}

/* Skips what makes no difference to a number. Returns the number of characters. */
static size_t skip_zeros(const char **word, size_t len)
{
	size_t skipped = 0;

	while (skipped < len - 1 && (**word == '+' || **word == '0')) {
		++*word;
		skipped++;
	}

	return skipped;
}

static bool reader_take_number(struct word_reader *reader, u32 number)
{
	size_t len;

	reader_skip(reader, false);
	len = word_len(reader->pos);
	if (!word_is_number(reader->pos, len, number))
		return false;

	reader->pos += len;
	return true;
}

static bool reader_take_field(struct word_reader *reader,
			      const struct event_field *field)
{
	reader_skip(reader, true);
	if (!reader_take_words(reader, field->type))
		return false;

	/*
	 * isspace() is true for some bytes of UTF-8. A name with such a byte
	 * was split there in the text, too.
	 */
	if (!reader_take_words(reader, field->name))
		return false;

	if (field->kind->class == FIELD_STRUCT &&
	    !reader_take_number(reader, field->size))
		return false;

	reader_skip(reader, false);
	return !*reader->pos || *reader->pos == ';';
}

/**
 * ue_desc_match - Tells whether a text describes the same fields
 * @desc: the fields
 * @argc: number of pieces of text
 * @argv: the text, split at white space
 *
 * Order, types, names and struct sizes must be the same. The amount of white
 * space and empty fields make no difference.
 *
 * Return: true if the fields are the same. An empty text matches an event
 *	   without fields.
 */
bool ue_desc_match(const struct event_desc *desc, int argc,
		   const char *const *argv)
{
	struct word_reader reader = {
		.piece = argv,
		.end = argv + argc,
		.pos = argc ? argv[0] : "",
	};
	u32 i;

	for (i = 0; i < desc->nr_fields; i++)
		if (!reader_take_field(&reader, &desc->fields[i]))
			return false;

	reader_skip(&reader, true);
	return !*reader.pos;
}

/**
 * ue_desc_match_text - Tells whether a text describes the same fields
 * @desc: the fields
 * @args: the text, or NULL
 *
 * Return: as ue_desc_match().
 */
bool ue_desc_match_text(const struct event_desc *desc, const char *args)
{
	return ue_desc_match(desc, args ? 1 : 0, &args);
}

/**
 * ue_name_key - Hashes the name of an event
 * @name: the name
 * @length: its bytes without NUL
 *
 * Hashes cost less to compare than names.
 *
 * Context: Any.
 * Return: the hash.
 */
u32 ue_name_key(const char *name, size_t length)
{
	return jhash(name, length, 0);
}

/**
 * ue_fields_key - Hashes a text that describes fields
 * @args: the text, or NULL
 * @seed: start of the hash
 *
 * Return: the same key for all texts that describe the same fields, see
 *	   ue_desc_match().
 */
u32 ue_fields_key(const char *args, u32 seed)
{
	const char *word = args ?: "";
	bool is_first = true, is_struct = false;
	u32 key = seed;
	size_t len;

	for (; *(word = skip_spaces(word)); word += len) {
		len = word_len(word);
		if (!len) {
			is_first = true;
			len = 1;
			continue;
		}

		if (is_first)
			is_struct = len == strlen("struct") &&
				    !memcmp(word, "struct", len);
		else if (is_struct && ends_field(word + len))
			len -= skip_zeros(&word, len);

		key = jhash(word, len, key + is_first);
		is_first = false;
	}

	return key;
}

/**
 * ue_desc_free - Frees a description
 * @desc: the description, or NULL
 */
void ue_desc_free(struct event_desc *desc)
{
	kvfree(desc);
}
