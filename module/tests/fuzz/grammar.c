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

/* Most words of a field: a type of three, its name, its size; and one more. */
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
 * said_event_name - May an event be called so?
 * @name: the name, not ended by a NUL
 * @len: its length
 */
bool said_event_name(const char *name, size_t len)
{
	if (!is_path_component(name, len) || len > 255)
		return false;

	return len != 6 ||
	       (memcmp(name, "enable", 6) && memcmp(name, "filter", 6));
}

static bool is_number_word(const char *text, struct said_type *says)
{
	static const char *const words[] = { "char", "short", "int" };
	u32 i, bits;
	int end = 0;
	char c;

	for (i = 0; i < 3; i++)
		if (!strcmp(text, words[i])) {
			says->size = 1 << i;
			return true;
		}

	if (sscanf(text, "%c%2u%n", &c, &bits, &end) != 2 || text[end] ||
	    (c != 's' && c != 'u') || text[1] == '0' || !isdigit(text[1]))
		return false;

	says->size = bits / 8;
	return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool is_number(const char *text, struct said_type *says)
{
	static const char *const formats[2][2] = { { "%u", "%d" },
						   { "%llu", "%lld" } };
	bool is_unsigned = begins(text, "unsigned ");

	if (!is_number_word(is_unsigned ? text + 9 : text, says))
		return false;

	/* Words of C are signed unless they say so, the others cannot say. */
	if (is_unsigned && isdigit(text[strlen(text) - 1]))
		return false;

	says->class = FIELD_SCALAR;
	says->format = formats[says->size == 8][*text != 'u'];
	return true;
}

static bool names_a_loc(const char *text)
{
	return strstr(text, "__data_loc") || strstr(text, "__rel_loc");
}

/**
 * said_type - Reads a type
 * @text: the type
 * @says: what it says
 *
 * Return: whether there is such a type.
 */
bool said_type(const char *text, struct said_type *says)
{
	*says = (struct said_type){ .is_signed = *text != 'u' };

	if (is_number(text, says))
		return true;

	if (begins(text, "__data_loc ") || begins(text, "__rel_loc ")) {
		says->class = text[2] == 'd' ? FIELD_DATA_LOC : FIELD_REL_LOC;
		says->size = 4;
		text = strchr(text, ' ') + 1;
		says->is_string = strstr(text, "char");
		says->format = strstr(text, "char[") ? "%s" : "%llu";
	} else if (begins(text, "struct ")) {
		says->class = FIELD_STRUCT;
		says->format = strstr(text, "char[") ? "%s" : "%llu";
	} else if (begins(text, "char[") || begins(text, "unsigned char[")) {
		says->class = FIELD_ARRAY;
		says->format = "%s";
	} else {
		return false;
	}

	return !names_a_loc(text);
}

/* Digits of a base and nothing else; too large is more than anybody takes. */
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
		/* Small letters stand behind the large ones. */
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

	/* Reads numbers from files, too. */
	if (len && text[len - 1] == '\n')
		len--;

	if (len > 2 && text[0] == '0' && (text[1] | 0x20) == 'x')
		return number_in(text + 2, len - 2, "0123456789ABCDEFabcdef");

	return number_in(text, len,
			 len && *text == '0' ? "01234567" : "0123456789");
}

/**
 * said_array_len - Elements of an array
 * @text: its type
 *
 * Return: as ue_field_type_array_len().
 */
int said_array_len(const char *text)
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

/* Words between single spaces; two spaces have an empty word between them. */
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

/* How many words the type takes, whatever they are. */
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

static bool said_size(struct said_field *field, const char *size)
{
	u64 number;
	int len;

	if (field->says.class == FIELD_STRUCT) {
		if (!size)
			return false;
		size += *size == '+';
		number = number_in(size, strlen(size), "0123456789");
		if (number > U32_MAX)
			return false;
		field->says.size = number;
		return true;
	}

	if (size)
		return false;

	if (field->says.class == FIELD_ARRAY) {
		len = said_array_len(field->type);
		field->says.size = len < 0 ? 0 : len;
	}

	return true;
}

static void end_before(char *word)
{
	word[-1] = '\0';
}

/* @piece is changed and belongs to the field, as the name does. */
static bool said_field(struct said_field *field, char *piece)
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
	       said_type(field->type, &field->says) &&
	       said_size(field, count > type + 1 ? words[type + 1] : NULL);
}

static bool said_add(struct said *said, const char *piece, size_t len)
{
	struct said_field *field = &said->fields[said->count++];

	if (!said_field(field, fuzz_text((const u8 *)piece, len)))
		return false;

	if (!field->says.size ||
	    (u64)said->end + field->says.size > USER_EVENT_FIXED_MAX)
		return false;

	field->offset = said->end;
	said->end += field->says.size;
	return true;
}

/**
 * said_init - Reads the fields of a definition
 * @said: what they are
 * @args: their text
 *
 * Return: whether they are good. said_destroy() is needed in any case.
 */
bool said_init(struct said *said, const char *args)
{
	size_t len;

	said->count = 0;
	said->end = USER_EVENT_HEADER_SIZE;
	/* Two bytes of text are less than a field has. */
	len = (strlen(args) / 2 + 1) * sizeof(*said->fields);
	said->fields = memset(fuzz_alloc(len), 0, len);

	for (;; args += len + 1) {
		args += strspn(args, WHITE);
		len = strcspn(args, ";");
		if (len && !said_add(said, args, len))
			return false;
		if (!args[len])
			return true;
	}
}

void said_destroy(struct said *said)
{
	while (said->count--) {
		free(said->fields[said->count].type);
		free(said->fields[said->count].name);
	}

	free(said->fields);
}

/**
 * said_print_fmt - What the format file must show
 * @said: the fields
 *
 * Return: the text, to be released with free().
 */
char *said_print_fmt(const struct said *said)
{
	const struct said_field *field;
	char *text = NULL;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);

	EXPECT(file);
	fputc('"', file);
	for (i = 0; i < said->count; i++)
		fprintf(file, "%s%s=%s", i ? " " : "", said->fields[i].name,
			said->fields[i].says.format);
	fputc('"', file);

	for (i = 0; i < said->count; i++) {
		field = &said->fields[i];
		if (!field->says.is_string)
			fprintf(file, ", REC->%s", field->name);
		else
			fprintf(file, ", __get_%sstr(%s)",
				field->says.class == FIELD_REL_LOC ? "rel_"
								   : "",
				field->name);
	}
	fclose(file);

	return text;
}

/**
 * said_text - How the fields must be listed
 * @said: the fields
 *
 * Return: the text, to be released with free().
 */
char *said_text(const struct said *said)
{
	const struct said_field *field;
	char *text = NULL;
	size_t size, i;
	FILE *file = open_memstream(&text, &size);

	EXPECT(file);
	for (i = 0; i < said->count; i++) {
		field = &said->fields[i];
		fprintf(file, "%s%s %s", i ? "; " : "", field->type,
			field->name);
		if (field->says.class == FIELD_STRUCT)
			fprintf(file, " %u", field->says.size);
	}
	fclose(file);

	return text;
}
