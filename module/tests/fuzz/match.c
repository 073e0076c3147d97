// SPDX-License-Identifier: GPL-2.0-only
/*
 * Texts that are compared with an event: the fields of the event and up to two
 * texts, separated by '|'.
 */
#include <stdio.h>
#include <stdlib.h>
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "format/fields.h"
#include "format/parse.h"
#include "format/print_fmt.h"
#include "fuzz.h"
#include "helpers.h"
#include "tables/match.h"

/* Maximum number of pieces of a text. */
#define MAX_PIECES 64

static struct event_desc *desc_of(const char *args)
{
	const struct event_command command = { .name = "e", .args = args };
	struct event_desc *desc = ue_desc_parse(&command);

	return IS_ERR(desc) ? NULL : desc;
}

/* Normalizes a decimal number; writes other text unchanged. */
static void put_size(FILE *file, const char *word, size_t len)
{
	size_t skip = *word == '+';

	if (skip == len || strspn(word + skip, "0123456789") < len - skip) {
		fprintf(file, "%.*s", (int)len, word);
		return;
	}

	while (skip + 1 < len && word[skip] == '0')
		skip++;
	fprintf(file, "%.*s", (int)(len - skip), word + skip);
}

static size_t word_end(const char *text)
{
	size_t len = 0;

	while (text[len] && text[len] != ';' && !isspace(text[len]))
		len++;

	return len;
}

static const char *skip_white(const char *text)
{
	while (isspace(*text))
		text++;

	return text;
}

/* Writes the words of one field, separated by one character. */
static const char *put_field(FILE *file, const char *text, char between)
{
	bool is_struct = word_end(text) == 6 && !strncmp(text, "struct", 6);
	const char *next;
	size_t len;

	for (;; text = next) {
		len = word_end(text);
		next = skip_white(text + len);
		if (*next && *next != ';') {
			fprintf(file, "%.*s%c", (int)len, text, between);
			continue;
		}

		/* The last word of a struct is its size. */
		if (is_struct)
			put_size(file, text, len);
		else
			fprintf(file, "%.*s", (int)len, text);
		return next;
	}
}

/*
 * Normalizes a text: no empty fields, one character between words, and numbers
 * without leading zeros. Texts of the same fields are then equal.
 */
static char *normal_form(const char *text, char between, const char *separator)
{
	char *form = NULL;
	size_t size;
	bool first = true;
	FILE *file = open_memstream(&form, &size);

	EXPECT(file);
	for (;;) {
		while (*text == ';' || isspace(*text))
			text++;
		if (!*text)
			break;
		if (!first)
			fputs(separator, file);
		text = put_field(file, text, between);
		first = false;
	}
	fclose(file);

	return form;
}

static bool same_form(const char *a, const char *b)
{
	char *form_a = normal_form(a, ' ', ";");
	char *form_b = normal_form(b, ' ', ";");
	bool same = !strcmp(form_a, form_b);

	free(form_a);
	free(form_b);
	return same;
}

/* As dynamic_events does: splits at white space. */
static bool match_pieces(const struct event_desc *desc, const char *text)
{
	const char *pieces[MAX_PIECES];
	char *cut = fuzz_text((const u8 *)text, strlen(text));
	char *at = cut;
	int count = 0;
	bool same;

	while (*at && count < MAX_PIECES) {
		pieces[count++] = at;
		while (*at && !isspace(*at))
			at++;
		/* The last piece may have several words. */
		if (*at && count < MAX_PIECES)
			*at++ = '\0';
	}

	same = ue_desc_match(desc, count, pieces);
	free(cut);
	return same;
}

/* Spacing and the number of pieces make no difference. */
static void check_spacing(const struct event_desc *desc, const char *text,
			  bool same)
{
	static const char *const separators[] = { ";", " ; ", ";;\t; ",
						  "\xa0;" };
	char *spaced;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(separators); i++) {
		spaced = normal_form(text, " \t"[i % 2], separators[i]);
		EXPECT(ue_desc_match_text(desc, spaced) == same);
		free(spaced);
	}

	EXPECT(match_pieces(desc, text) == same);
}

/*
 * Events that match have the same records. Only @string of a word may differ,
 * if the text has a byte for which isspace() is true.
 */
static void check_alike(const struct event_desc *a, const struct event_desc *b,
			bool strings)
{
	u32 i;

	EXPECT(a->fixed_size == b->fixed_size);
	EXPECT(a->nr_fields == b->nr_fields);
	EXPECT(a->nr_locs == b->nr_locs);
	for (i = 0; i < a->nr_fields; i++)
		EXPECT(a->fields[i].kind == b->fields[i].kind);
	for (i = 0; i < a->nr_locs && strings; i++)
		EXPECT(a->locs[i].string == b->locs[i].string);
}

static void check_text(const struct event_desc *desc, const char *listed,
		       const char *text)
{
	bool same = ue_desc_match_text(desc, text);
	struct event_desc *other = desc_of(text);

	EXPECT(same == same_form(listed, text));
	if (same)
		EXPECT(ue_fields_key(listed, 1) == ue_fields_key(text, 1));
	check_spacing(desc, text, same);

	if (!other)
		return;

	EXPECT(ue_desc_match_text(other, listed) == same);
	if (same)
		check_alike(desc, other,
			    !strchr(listed, 0xa0) && !strchr(text, 0xa0));
	ue_desc_free(other);
}

/* If two texts match a third, they match each other. */
static void check_transitive(const struct event_desc *desc, const char *text,
			     const char *third)
{
	struct event_desc *other = desc_of(text);

	if (!other)
		return;

	if (ue_desc_match_text(desc, text))
		EXPECT(ue_desc_match_text(other, third) ==
		       ue_desc_match_text(desc, third));
	ue_desc_free(other);
}

static void check_texts(const struct event_desc *desc, const char *own,
			const char *text, const char *third)
{
	char *listed = format_text(ue_desc_text, desc);

	check_text(desc, listed, own);
	EXPECT(ue_desc_match_text(desc, own));
	EXPECT(ue_desc_match_text(desc, listed));
	EXPECT(ue_desc_match_text(desc, NULL) == !desc->nr_fields);
	if (text)
		check_text(desc, listed, text);
	if (third) {
		check_text(desc, listed, third);
		check_transitive(desc, text, third);
	}

	kfree(listed);
}

/* Copies each text to its own block, so that reads behind it are detected. */
static char *next_text(char **rest)
{
	char *text = strsep(rest, "|");

	return text ? strdup(text) : NULL;
}

static void input(const u8 *data, size_t size)
{
	char *texts = fuzz_text(data, size);
	char *rest = texts;
	char *own = next_text(&rest);
	char *text = next_text(&rest);
	char *third = next_text(&rest);
	struct event_desc *desc = desc_of(own);

	if (desc) {
		check_texts(desc, own, text, third);
		ue_desc_free(desc);
	}

	free(third);
	free(text);
	free(own);
	free(texts);
}

/* Returns the text behind the name of a command. */
static const char *fields_of(const char *command)
{
	const char *space = strchr(command, ' ');

	return space ? space + 1 : "";
}

static void seeds(fuzz_add_fn add)
{
	const struct match_pieces_row *row;
	char line[512];
	size_t len, i, j;

	for (i = 0; i < ARRAY_SIZE(matches); i++) {
		snprintf(line, sizeof(line), "%s|%s|",
			 fields_of(matches[i].command), matches[i].text ?: "");
		fuzz_add_text(add, line);
	}

	for (i = 0; i < ARRAY_SIZE(matches_in_pieces); i++) {
		row = &matches_in_pieces[i];
		len = snprintf(line, sizeof(line), "%s|",
			       fields_of(row->command));
		for (j = 0; j < MATCH_PIECES && row->pieces[j]; j++)
			len += snprintf(line + len, sizeof(line) - len, " %s",
					row->pieces[j]);
		fuzz_add_text(add, line);
	}
}

const struct fuzz_target match_target = {
	.name = "match",
	.input = input,
	.seeds = seeds,
};
