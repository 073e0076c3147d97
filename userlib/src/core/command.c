// SPDX-License-Identifier: MIT
#include "core/command.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/kernel.h"
#include "util/common.h"

/* Files of the kernel in the directory of an event. */
static const char *const reserved_names[] = { ".", "..", "enable", "filter" };

/* Types whose arrays the kernel shows as text. */
#define ARRAY_MAX 1024

/* struct WORD: limit of a size, far beyond the size of a record. */
#define STRUCT_MAX 65527

/* Types of one word. */
static const struct {
	const char *name;
	unsigned int size;
} types[] = {
	{ "u8", 1 },  { "s8", 1 },  { "char", 1 },  { "unsigned char", 1 },
	{ "u16", 2 }, { "s16", 2 }, { "short", 2 }, { "unsigned short", 2 },
	{ "u32", 4 }, { "s32", 4 }, { "int", 4 },   { "unsigned int", 4 },
	{ "u64", 8 }, { "s64", 8 },
};

/* Prefixes of a type, which are followed by another word. */
static const struct {
	const char *name;
	unsigned int size; /* 0: the size follows the name of the field */
} prefixes[] = {
	{ "__data_loc unsigned ", 4 },
	{ "__data_loc ", 4 },
	{ "__rel_loc unsigned ", 4 },
	{ "__rel_loc ", 4 },
	{ "struct ", 0 },
};

/* A part of a text. */
struct span {
	const char *begin;
	size_t length;
};

static bool is_control(char c)
{
	return (unsigned char)c < 0x20 || c == 0x7f;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool span_is(struct span span, const char *text)
{
	return span.length == strlen(text) &&
	       !memcmp(span.begin, text, span.length);
}

static bool span_starts_with(struct span span, const char *text)
{
	size_t length = strlen(text);

	return span.length >= length && !memcmp(span.begin, text, length);
}

static struct span span_from(struct span span, size_t offset)
{
	return (struct span){ span.begin + offset, span.length - offset };
}

/* Returns the characters up to @end, and removes them and @end from @rest. */
static struct span cut(struct span *rest, char end)
{
	const char *found = memchr(rest->begin, end, rest->length);
	struct span piece = *rest;

	if (!found)
		found = rest->begin + rest->length;
	piece.length = (size_t)(found - rest->begin);
	*rest = span_from(*rest, piece.length + (piece.length < rest->length));

	return piece;
}

/* A name becomes a directory or a word in the text of a format. */
static bool name_is_valid(struct span name)
{
	size_t i;

	if (!name.length || span_is(name, ".") || span_is(name, ".."))
		return false;
	for (i = 0; i < name.length; i++)
		if (is_control(name.begin[i]) || strchr(" /;", name.begin[i]))
			return false;

	return true;
}

static bool event_name_is_valid(struct span name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(reserved_names); i++)
		if (span_is(name, reserved_names[i]))
			return false;

	return name.length <= UEV_NAME_MAX && name_is_valid(name) &&
	       !memchr(name.begin, ':', name.length);
}

/* Returns a decimal number from 1 to @max, or 0 if @text is not one. */
static unsigned int number(struct span digits, unsigned int max)
{
	unsigned int value = 0;
	size_t i;

	for (i = 0; i < digits.length; i++) {
		if (digits.begin[i] < '0' || digits.begin[i] > '9')
			return 0;
		value = value * 10 + (unsigned int)(digits.begin[i] - '0');
		if (value > max)
			return 0;
	}

	return value;
}

/* Returns the size of "char[N]" or "unsigned char[N]", or 0 for other types. */
static unsigned int array_size(struct span type)
{
	if (span_starts_with(type, "unsigned "))
		type = span_from(type, strlen("unsigned "));
	if (!span_starts_with(type, "char[") ||
	    type.begin[type.length - 1] != ']')
		return 0;
	type = span_from(type, strlen("char["));
	type.length--;

	return number(type, ARRAY_MAX);
}

static unsigned int type_size(struct span type)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (span_is(type, types[i].name))
			return types[i].size;

	return array_size(type);
}

/* Removes the last word and the space before it from @rest, and returns it. */
static struct span cut_last(struct span *rest)
{
	size_t length = rest->length;
	struct span word;

	while (length && rest->begin[length - 1] != ' ')
		length--;
	word = span_from(*rest, length);
	rest->length = length ? length - 1 : 0;

	return word;
}

/* A type that starts with @prefix has another word. */
static bool is_prefixed(struct span type, const char *prefix)
{
	size_t length = strlen(prefix);

	return span_starts_with(type, prefix) && type.length > length &&
	       !memchr(type.begin + length, ' ', type.length - length);
}

/*
 * Parses one field, "type name" or "struct word name size".
 *
 * Return: its size, with its name in @name; 0 if it is invalid.
 */
static unsigned int field_size(struct span field, struct span *name)
{
	struct span type = field;
	unsigned int size = 0;
	size_t i;

	*name = cut_last(&type);
	if (span_starts_with(field, "struct ")) {
		size = number(*name, STRUCT_MAX);
		*name = cut_last(&type);
		if (!size)
			return 0;
	}
	if (!name_is_valid(*name))
		return 0;

	for (i = 0; i < ARRAY_SIZE(prefixes); i++)
		if (is_prefixed(type, prefixes[i].name))
			return prefixes[i].size ? prefixes[i].size : size;

	return type_size(type);
}

/*
 * The output so far and its length, and the error of the input and its place.
 */
struct output {
	struct uev_command *command;
	size_t length;
	const char *at;
	const char *reason;
};

static int reject(struct output *to, int err, const char *at,
		  const char *reason)
{
	to->at = at;
	to->reason = reason;

	return err;
}

static int append(struct output *to, const char *text, size_t length)
{
	if (length > UEV_COMMAND_MAX - to->length)
		return reject(to, -E2BIG, text,
			      "definition longer than 511 characters");
	memcpy(to->command->text + to->length, text, length);
	to->length += length;
	to->command->text[to->length] = '\0';

	return 0;
}

/* Tests whether a field in @earlier, which is valid, has the name. */
static bool is_taken(struct span earlier, struct span name)
{
	struct span field, other;

	while (earlier.length) {
		field = cut(&earlier, ';');
		while (field.length && *field.begin == ' ')
			field = span_from(field, 1);
		field_size(field, &other);
		if (other.length == name.length &&
		    !memcmp(other.begin, name.begin, name.length))
			return true;
	}

	return false;
}

/* Returns the first invalid character of a name, or NULL. */
static const char *find_in_name(struct span name)
{
	size_t i;

	for (i = 0; i < name.length; i++)
		if (is_control(name.begin[i]) || strchr("/:;", name.begin[i]))
			return name.begin + i;

	return NULL;
}

static int reject_event_name(struct output *to, struct span name)
{
	const char *at = find_in_name(name);

	if (!name.length)
		return reject(to, -EINVAL, name.begin, "missing event name");
	if (at && *at == ':')
		return reject(to, -EINVAL, at,
			      "flags after ':' are not supported");
	if (at)
		return reject(to, -EINVAL, at,
			      "invalid character in event name");
	if (name.length > UEV_NAME_MAX)
		return reject(to, -EINVAL, name.begin + UEV_NAME_MAX,
			      "event name longer than 255 characters");

	return reject(to, -EINVAL, name.begin, "invalid event name");
}

/* Finds a surplus space: words are separated by exactly one. */
static const char *find_space(struct span field)
{
	size_t i;

	for (i = 0; i < field.length; i++)
		if (field.begin[i] == ' ' &&
		    (i + 1 == field.length || field.begin[i + 1] == ' '))
			return field.begin + i + (i + 1 < field.length);

	return NULL;
}

static const char *find_control(struct span text)
{
	size_t i;

	for (i = 0; i < text.length; i++)
		if (is_control(text.begin[i]))
			return text.begin + i;

	return NULL;
}

/* Describes the error of "struct WORD NAME SIZE". */
static int reject_struct(struct output *to, struct span field)
{
	struct span rest = field, words[5];
	size_t count = 0;

	while (rest.length && count < ARRAY_SIZE(words))
		words[count++] = cut(&rest, ' ');
	if (count < 4)
		return reject(to, -EINVAL, field.begin + field.length,
			      "struct requires a type, a name and a size");
	if (count > 4)
		return reject(to, -EINVAL, words[4].begin,
			      "unexpected text after the struct size");
	if (!name_is_valid(words[2]))
		return reject(to, -EINVAL, words[2].begin,
			      "invalid field name");

	return reject(to, -EINVAL, words[3].begin,
		      "struct size must be 1 to 65527");
}

/* Describes the error of a field that the kernel would reject. */
static int reject_field(struct output *to, struct span field)
{
	const char *at = find_control(field);
	struct span type = field, name;

	if (at)
		return reject(to, -EINVAL, at, "control character in field");
	at = find_space(field);
	if (at)
		return reject(to, -EINVAL, at,
			      "words must be separated by exactly one space");
	if (span_starts_with(field, "struct "))
		return reject_struct(to, field);

	name = cut_last(&type);
	if (!type.length || type_size(field))
		return reject(to, -EINVAL, field.begin + field.length,
			      "field requires a type and a name");
	if (!name_is_valid(name)) {
		at = find_in_name(name);
		return reject(to, -EINVAL, at ? at : name.begin,
			      "invalid character in field name");
	}
	if (span_starts_with(type, "char[") ||
	    span_starts_with(type, "unsigned char["))
		return reject(
			to, -EINVAL,
			(const char *)memchr(type.begin, '[', type.length) + 1,
			"array length must be 1 to 1024, followed by ']'");

	type = cut(&type, ' ');
	if (type_size(type))
		return reject(to, -EINVAL, name.begin,
			      "unexpected text after the field name");

	return reject(to, -EINVAL, type.begin, "unknown type");
}

/* Adds a field; @fields is the start of the first one in the output. */
static int append_field(struct output *to, size_t *fields, struct span field)
{
	struct uev_command *command = to->command;
	struct span name;
	unsigned int size = field_size(field, &name);
	struct span earlier = { command->text + *fields, 0 };
	int err;

	if (!size || find_control(field))
		return reject_field(to, field);
	if (*fields) {
		earlier.length = to->length - *fields;
		if (is_taken(earlier, name))
			return reject(to, -EINVAL, name.begin,
				      "duplicate field name");
		err = append(to, "; ", 2);
	} else {
		err = append(to, " ", 1);
		*fields = to->length;
	}
	if (err) {
		to->at = field.begin;
		return err;
	}

	command->payload_min += size;
	if (command->payload_min > UEV_PAYLOAD_MAX)
		return reject(to, -E2BIG, field.begin,
			      "fields up to this one exceed the limit of "
			      "8184 bytes");

	return append(to, field.begin, field.length);
}

static int check_text(struct output *to, struct span text)
{
	struct span name = cut(&text, ' '), field;
	size_t fields = 0;
	int err;

	if (!event_name_is_valid(name))
		return reject_event_name(to, name);
	err = append(to, name.begin, name.length);

	while (!err && text.length) {
		field = cut(&text, ';');
		while (field.length && is_space(*field.begin))
			field = span_from(field, 1);
		if (field.length)
			err = append_field(to, &fields, field);
	}

	return err;
}

/* Types of a description by types, in the order of enum uev_type. */
static const char *const type_texts[] = {
	[UEV_TYPE_S8] = "s8",	   [UEV_TYPE_U8] = "u8",
	[UEV_TYPE_CHAR] = "char",  [UEV_TYPE_S16] = "s16",
	[UEV_TYPE_U16] = "u16",	   [UEV_TYPE_S32] = "s32",
	[UEV_TYPE_U32] = "u32",	   [UEV_TYPE_S64] = "s64",
	[UEV_TYPE_U64] = "u64",	   [UEV_TYPE_STRING] = "char[]",
	[UEV_TYPE_BYTES] = "u8[]", [UEV_TYPE_F32] = "char[]",
	[UEV_TYPE_F64] = "char[]", [UEV_TYPE_UUID] = "char[]",
};

/* What precedes a type from UEV_TYPE_STRING on, with a space on both sides. */
#define ABSOLUTE " __data_loc "
#define RELATIVE " __rel_loc "

bool uev_type_is_known(unsigned int type)
{
	return type < ARRAY_SIZE(type_texts) && type_texts[type];
}

/* Appends a text to a field. Return: false if there is no room. */
static bool put(char *field, size_t *length, const char *text)
{
	size_t more = strlen(text);

	if (more > UEV_COMMAND_MAX - *length)
		return false;
	memcpy(field + *length, text, more);
	*length += more;

	return true;
}

/*
 * Parses the output of a macro of C, which cannot concatenate texts at compile
 * time: UEV_DESCRIBED, the NUL-terminated name, and for each field its type as
 * one character and its NUL-terminated name; then '\0'.
 */
static int check_description(struct output *to, const char *at,
			     const char *location)
{
	struct span name = { at, strlen(at) };
	size_t fields = 0;
	char field[UEV_COMMAND_SIZE];
	unsigned int type;
	size_t length;
	int err;

	if (!event_name_is_valid(name))
		return -EINVAL;
	err = append(to, name.begin, name.length);

	for (at += name.length + 1; !err && *at; at += strlen(at) + 1) {
		type = (unsigned char)*at++;
		if (!uev_type_is_known(type))
			return -EINVAL;
		length = 0;
		if ((type >= UEV_TYPE_STRING &&
		     !put(field, &length, location + 1)) ||
		    !put(field, &length, type_texts[type]) ||
		    !put(field, &length, " ") || !put(field, &length, at))
			return -E2BIG;
		err = append_field(to, &fields, (struct span){ field, length });
	}

	return err;
}

/*
 * Filters of old kernels and many tools do not have __rel_loc. It remains for
 * descriptions that would be too long otherwise: the macros count its characters.
 */
static int check_types(struct output *to, const char *text)
{
	struct uev_command *command = to->command;
	int err = check_description(to, text, ABSOLUTE);

	command->has_types = true;
	if (err != -E2BIG)
		return err;
	command->payload_min = 0;
	*to = (struct output){ .command = command };

	return check_description(to, text, RELATIVE);
}

/* A name has no space, so only types are found. */
void uev_command_relative(char *relative, const char *text)
{
	const char *at;

	while ((at = strstr(text, ABSOLUTE))) {
		memcpy(relative, text, (size_t)(at - text));
		relative += at - text;
		memcpy(relative, RELATIVE, strlen(RELATIVE));
		relative += strlen(RELATIVE);
		text = at + strlen(ABSOLUTE);
	}
	strcpy(relative, text);
}

int uev_command_check(struct uev_command *command, const char *text)
{
	struct output to = { .command = command };

	memset(command, 0, sizeof(*command));

	if (!text)
		return -EINVAL;
	if (*text == UEV_DESCRIBED)
		return check_types(&to, text + 1);

	return check_text(&to, (struct span){ text, strlen(text) });
}

/* Fields of a macro have no offset. */
static int check_macro(struct output *to, const char *text)
{
	int err = check_types(to, text + 1);

	if (err)
		reject(to, err, text, "invalid name or type");

	return err;
}

/* Copies a command as the library registers it. */
static void copy(char *to, const struct uev_command *command)
{
	if (command->has_types && !uev_kernel_header())
		uev_command_relative(to, command->text);
	else
		strcpy(to, command->text);
}

int uev_command_parse(char *normalized, const char *text, size_t *error_offset,
		      const char **reason)
{
	struct uev_command command = { .payload_min = 0 };
	struct output to = { .command = &command };
	int err;

	if (!text)
		err = reject(&to, -EINVAL, text, "missing description");
	else if (*text == UEV_DESCRIBED)
		err = check_macro(&to, text);
	else
		err = check_text(&to, (struct span){ text, strlen(text) });
	if (err) {
		if (error_offset)
			*error_offset = (size_t)(to.at - text);
		if (reason)
			*reason = to.reason;
	} else if (normalized) {
		copy(normalized, &command);
	}

	return err;
}
