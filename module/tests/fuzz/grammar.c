// SPDX-License-Identifier: GPL-2.0-only
#include "grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include "fuzz.h"
#include "limits.h"

/*
 * Maximum number of words of a field (three of the type, name, size), plus one.
 */
#define MAX_WORDS 6

#define WHITE " \t\n\v\f\r\xa0"

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static bool has_controls(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if ((u8)text[i] <= 0x1f || (u8)text[i] == 0x7f)
			return true;

	return false;
}

static bool is_path_component(const char *name, size_t len)
{
	if (!len || memchr(name, '/', len) || has_controls(name, len))
		return false;

	return strncmp(name, "..", len) != 0;
}

/**
 * oracle_event_name - Tells whether a name is valid for an event
 * @name: the name, not terminated by a NUL
 * @len: its length
 */
bool oracle_event_name(const char *name, size_t len)
{
	if (!is_path_component(name, len) || len > 255)
		return false;

	return len != 6 ||
	       (memcmp(name, "enable", 6) && memcmp(name, "filter", 6));
}

static bool is_number_word(const char *text, struct oracle_type *props)
{
	static const char *const words[] = { "char", "short", "int" };
	u32 i, bits;
	int end = 0;
	char c;

	for (i = 0; i < 3; i++)
		if (!strcmp(text, words[i])) {
			props->size = 1 << i;
			return true;
		}

	if (sscanf(text, "%c%2u%n", &c, &bits, &end) != 2 || text[end] ||
	    (c != 's' && c != 'u') || text[1] == '0' || !isdigit(text[1]))
		return false;

	props->size = bits / 8;
	return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool is_number(const char *text, struct oracle_type *props)
{
	static const char *const formats[2][2] = { { "%u", "%d" },
						   { "%llu", "%lld" } };
	bool is_unsigned = begins(text, "unsigned ");

	if (!is_number_word(is_unsigned ? text + 9 : text, props))
		return false;

	/* C types are signed unless they start with "unsigned"; u32 cannot. */
	if (is_unsigned && isdigit(text[strlen(text) - 1]))
		return false;

	props->class = FIELD_SCALAR;
	props->format = formats[props->size == 8][*text != 'u'];
	return true;
}

static bool names_a_loc(const char *text)
{
	return strstr(text, "__data_loc") || strstr(text, "__rel_loc");
}

/**
 * oracle_type - Parses a type
 * @text: the type
 * @props: the result
 *
 * Return: whether the type is known.
 */
bool oracle_type(const char *text, struct oracle_type *props)
{
	*props = (struct oracle_type){ .is_signed = *text != 'u' };

	if (is_number(text, props))
		return true;

	if (begins(text, "__data_loc ") || begins(text, "__rel_loc ")) {
		props->class = text[2] == 'd' ? FIELD_DATA_LOC : FIELD_REL_LOC;
		props->size = 4;
		text = strchr(text, ' ') + 1;
		props->is_string = strstr(text, "char");
		props->format = strstr(text, "char[") ? "%s" : "%llu";
	} else if (begins(text, "struct ")) {
		props->class = FIELD_STRUCT;
		props->format = strstr(text, "char[") ? "%s" : "%llu";
	} else if (begins(text, "char[") || begins(text, "unsigned char[")) {
		props->class = FIELD_ARRAY;
		props->format = "%s";
	} else {
		return false;
	}

	return !names_a_loc(text) &&
	       (props->class != FIELD_DATA_LOC || !strstr(text, "cpumask_t"));
}

/* Parses digits of a base. Other text counts as a very large number. */
static u64 number_in(const char *digits, size_t len, const char *base)
{
	const u64 too_large = 1ULL << 40;
	u64 value = 0;
	const char *at;

	if (!len)
		return too_large;

	for (; len; len--, digits++) {
		at = *digits ? strchr(base, *digits) : NULL;
		if (!at)
			return too_large;
		/* Lower-case digits follow the upper-case ones. */
		value = value * (strlen(base) > 16 ? 16 : strlen(base)) +
			(at - base > 15 ? at - base - 6 : at - base);
		if (value > too_large)
			return too_large;
	}

	return value;
}

static u64 number_of_any_base(const char *text, size_t len)
{
	if (len && *text == '+') {
		text++;
		len--;
	}

	/* The kernel's parser accepts a newline. */
	if (len && text[len - 1] == '\n')
		len--;

	if (len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x')
		return number_in(text + 2, len - 2, "0123456789ABCDEFabcdef");

	return number_in(text, len,
			 len && *text == '0' ? "01234567" : "0123456789");
}

/**
 * oracle_array_len - Parses the number of elements of an array
 * @text: its type
 *
 * Return: as ue_field_type_array_len().
 */
int oracle_array_len(const char *text)
{
	size_t before = strcspn(text, "[");
	size_t inside;
	u64 len;

	if (!text[before] || strlen(text) > before + 8)
		return -EINVAL;

	text += before + 1;
	inside = strcspn(text, "]");
	if (!text[inside])
		return -EINVAL;

	len = number_of_any_base(text, inside);
	return len >= 1 && len <= 1024 ? (int)len : -EINVAL;
}

/* Splits at single spaces; there is an empty word between two spaces. */
static size_t words_of(char *piece, char **words)
{
	size_t count = 0;

	while (count < MAX_WORDS) {
		words[count++] = piece;
		piece = strchr(piece, ' ');
		if (!piece)
			break;
		piece++;
	}

	return count;
}

/* Returns the number of words of the type. */
static size_t type_words(char *const *words, size_t count)
{
	bool is_loc = begins(words[0], "__data_loc ") ||
		      begins(words[0], "__rel_loc ");

	if (is_loc && count > 1 && begins(words[1], "unsigned "))
		return 3;

	return is_loc || begins(words[0], "unsigned ") ||
			       begins(words[0], "struct ")
		       ? 2
		       : 1;
}

static bool oracle_size(struct oracle_field *field, const char *size)
{
	u64 number;
	int len;

	if (field->props.class == FIELD_STRUCT) {
		if (!size)
			return false;
		size += *size == '+';
		number = number_in(size, strlen(size), "0123456789");
		if (number > U32_MAX)
			return false;
		field->props.size = number;
		return true;
	}

	if (size)
		return false;

	if (field->props.class == FIELD_ARRAY) {
		len = oracle_array_len(field->type);
		field->props.size = len < 0 ? 0 : len;
	}

	return true;
}

static void end_before(char *word)
{
	word[-1] = '\0';
}

/* @piece is modified; the field owns it and the name. */
static bool oracle_field(struct oracle_field *field, char *piece)
{
	char *words[MAX_WORDS];
	size_t count, type;

	field->type = piece;
	if (has_controls(piece, strlen(piece)))
		return false;

	count = words_of(piece, words);
	type = type_words(words, count);
	if (count < type + 1 || count > type + 2)
		return false;

	end_before(words[type]);
	if (count > type + 1)
		end_before(words[type + 1]);

	field->name = fuzz_text((u8 *)words[type], strlen(words[type]));
	return is_path_component(field->name, strlen(field->name)) &&
	       oracle_type(field->type, &field->props) &&
	       oracle_size(field, count > type + 1 ? words[type + 1] : NULL);
}

static bool oracle_add(struct oracle *oracle, const char *piece, size_t len)
{
	struct oracle_field *field = &oracle->fields[oracle->count++];

	if (!oracle_field(field, fuzz_text((const u8 *)piece, len)))
		return false;

	if (!field->props.size ||
	    (u64)oracle->end + field->props.size > USER_EVENT_FIXED_MAX)
		return false;

	field->offset = oracle->end;
	oracle->end += field->props.size;
	return true;
}

/**
 * oracle_init - Parses the fields of a definition
 * @oracle: the result
 * @args: their text
 *
 * Return: whether they are valid. oracle_destroy() must be called in both cases.
 */
bool oracle_init(struct oracle *oracle, const char *args)
{
	size_t len;

	oracle->count = 0;
	oracle->end = USER_EVENT_HEADER_SIZE;
	/* A field has more than two bytes of text. */
	len = (strlen(args) / 2 + 1) * sizeof(*oracle->fields);
	oracle->fields = memset(fuzz_alloc(len), 0, len);

	for (;; args += len + 1) {
		args += strspn(args, WHITE);
		len = strcspn(args, ";");
		if (len && !oracle_add(oracle, args, len))
			return false;
		if (!args[len])
			return true;
	}
}

void oracle_destroy(struct oracle *oracle)
{
	while (oracle->count--) {
		free(oracle->fields[oracle->count].type);
		free(oracle->fields[oracle->count].name);
	}

	free(oracle->fields);
}

/**
 * oracle_print_fmt - Formats the expected print fmt
 * @oracle: the fields
 *
 * Return: the text, to be freed with free().
 */
char *oracle_print_fmt(const struct oracle *oracle)
{
	const struct oracle_field *field;
	char *text = NULL;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);

	EXPECT(file);
	fputc('"', file);
	for (i = 0; i < oracle->count; i++)
		fprintf(file, "%s%s=%s", i ? " " : "", oracle->fields[i].name,
			oracle->fields[i].props.format);
	fputc('"', file);

	for (i = 0; i < oracle->count; i++) {
		field = &oracle->fields[i];
		if (!field->props.is_string)
			fprintf(file, ", REC->%s", field->name);
		else
			fprintf(file, ", __get_%sstr(%s)",
				field->props.class == FIELD_REL_LOC ? "rel_"
								    : "",
				field->name);
	}
	fclose(file);

	return text;
}

/**
 * oracle_text - Formats the expected text in dynamic_events
 * @oracle: the fields
 *
 * Return: the text, to be freed with free().
 */
char *oracle_text(const struct oracle *oracle)
{
	const struct oracle_field *field;
	char *text = NULL;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);

	EXPECT(file);
	for (i = 0; i < oracle->count; i++) {
		field = &oracle->fields[i];
		fprintf(file, "%s%s %s", i ? "; " : "", field->type,
			field->name);
		if (field->props.class == FIELD_STRUCT)
			fprintf(file, " %u", field->props.size);
	}
	fclose(file);

	return text;
}
