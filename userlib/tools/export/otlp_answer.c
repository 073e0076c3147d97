// SPDX-License-Identifier: MIT
#include "export/otlp_answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "export/protobuf.h"
#include "tool.h"
#include "util/charset.h"

/* Maximum depth of objects and arrays */
#define DEPTH_MAX 32

/* Longer names and numbers are not those of an answer. */
#define NAME_SIZE 32

/* ---- Texts ---- */

/* Appends to a text of @room bytes with its NUL as far as it fits. */
static void append(char *to, size_t room, const char *bytes, size_t size)
{
	size_t length = strlen(to);

	if (size >= room - length)
		size = room - length - 1;
	memcpy(to + length, bytes, size);
	to[length + size] = '\0';
}

/* Removes the start of a character whose end did not fit. */
static void end_text(char *text)
{
	size_t length = strlen(text), start = length;

	while (start && (text[start - 1] & 0xc0) == 0x80)
		start--;
	if (!start || !(text[start - 1] & 0x80))
		return;
	if (length - start < 1 ||
	    (length - start < 2 && (text[start - 1] & 0xe0) == 0xe0) ||
	    (length - start < 3 && (text[start - 1] & 0xf0) == 0xf0))
		text[start - 1] = '\0';
}

/* ---- JSON ---- */

struct json {
	const char *at;
	const char *end;
	struct otlp_answer *answer;
};

/* Takes a member of an object. These functions return false on an error. */
typedef bool (*take_member)(struct json *json, const char *name);

static char peek(const struct json *json)
{
	return json->at < json->end ? *json->at : '\0';
}

static void skip_space(struct json *json)
{
	while (peek(json) && strchr(" \t\r\n", peek(json)))
		json->at++;
}

/* Skips space and, if it is the next, a character. Return: whether it was */
static bool skip(struct json *json, char wanted)
{
	skip_space(json);
	if (peek(json) != wanted)
		return false;
	json->at++;

	return true;
}

/* Appends the character of "uHHHH", of those beyond U+FFFF a placeholder. */
static bool parse_unicode(struct json *json, char *text, size_t room)
{
	char bytes[UEV_UTF8_MAX];
	uint8_t high, low;
	uint32_t code;

	if (json->end - json->at < 4 || !tool_hex(json->at, &high) ||
	    !tool_hex(json->at + 2, &low))
		return false;
	json->at += 4;
	code = (uint32_t)high << 8 | low;
	if (!code || (code >= 0xd800 && code < 0xe000))
		code = '?';
	append(text, room, bytes, uev_charset_utf8(code, bytes));

	return true;
}

static bool parse_escape(struct json *json, char *text, size_t room)
{
	static const char letters[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
	char letter = peek(json);
	const char *found = letter ? strchr(letters, letter) : NULL;

	if (!letter)
		return false;
	json->at++;
	if (letter == 'u')
		return parse_unicode(json, text, room);
	if (found)
		append(text, room, bytes + (found - letters), 1);

	return found;
}

/* @text: set to the text, as far as it fits into @room bytes */
static bool parse_string(struct json *json, char *text, size_t room)
{
	text[0] = '\0';
	if (!skip(json, '"'))
		return false;
	while (json->at < json->end && *json->at != '"') {
		if ((unsigned char)*json->at < ' ')
			return false;
		if (*json->at++ != '\\')
			append(text, room, json->at - 1, 1);
		else if (!parse_escape(json, text, room))
			return false;
	}
	end_text(text);

	return skip(json, '"');
}

static bool parse_name(struct json *json, char *name)
{
	return parse_string(json, name, NAME_SIZE) && skip(json, ':');
}

static bool parse_object(struct json *json, take_member take)
{
	char name[NAME_SIZE];

	if (!skip(json, '{'))
		return false;
	if (skip(json, '}'))
		return true;
	do {
		if (!parse_name(json, name) || !take(json, name))
			return false;
	} while (skip(json, ','));

	return skip(json, '}');
}

/* @text: set to a number, true, false or null; has NAME_SIZE bytes */
static bool parse_word(struct json *json, char *text)
{
	static const char letters[] = "+-.0123456789Eaeflnrstu";
	size_t size = 0;
	char *end;

	skip_space(json);
	while (json->at < json->end && size < NAME_SIZE - 1 && *json->at &&
	       strchr(letters, *json->at))
		text[size++] = *json->at++;
	text[size] = '\0';
	if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0 ||
	    strcmp(text, "null") == 0)
		return true;
	if (!strchr("-0123456789", text[0]))
		return false;
	strtod(text, &end);

	return size && !*end;
}

static bool parse_scalar(struct json *json, char *text)
{
	return peek(json) == '"' ? parse_string(json, text, NAME_SIZE)
				 : parse_word(json, text);
}

/* @ends: the characters that end the @depth objects and arrays */
static bool skip_value(struct json *json)
{
	char ends[DEPTH_MAX], text[NAME_SIZE];
	unsigned int depth = 0;

	for (;;) {
		if (depth && ends[depth - 1] == '}' && !parse_name(json, text))
			return false;
		if (skip(json, '{') || skip(json, '[')) {
			if (depth == DEPTH_MAX)
				return false;
			/* The ASCII code is two more. */
			ends[depth++] = (char)(json->at[-1] + 2);
			if (!skip(json, ends[depth - 1]))
				continue;
			depth--;
		} else if (!parse_scalar(json, text)) {
			return false;
		}
		while (depth && skip(json, ends[depth - 1]))
			depth--;
		if (!depth)
			return true;
		if (!skip(json, ','))
			return false;
	}
}

static uint64_t number_of(const char *text)
{
	double number = strtod(text, NULL);

	if (!(number > 0))
		return 0;

	return number < (double)INT64_MAX ? (uint64_t)number : INT64_MAX;
}

/* Integers of 64 bits are texts or numbers. */
static bool take_rejected(struct json *json)
{
	char text[NAME_SIZE];

	skip_space(json);
	if (!parse_scalar(json, text))
		return false;
	json->answer->rejected = number_of(text);

	return true;
}

static bool take_partial(struct json *json, const char *name)
{
	struct otlp_answer *answer = json->answer;

	if (strcmp(name, "rejectedLogRecords") == 0 ||
	    strcmp(name, "rejectedSpans") == 0 ||
	    strcmp(name, "rejectedDataPoints") == 0)
		return take_rejected(json);
	skip_space(json);
	if (strcmp(name, "errorMessage") == 0 && peek(json) == '"')
		return parse_string(json, answer->message,
				    sizeof(answer->message));

	return skip_value(json);
}

static bool take_answer(struct json *json, const char *name)
{
	skip_space(json);
	if (strcmp(name, "partialSuccess") == 0 && peek(json) == '{')
		return parse_object(json, take_partial);

	return skip_value(json);
}

static bool parse_json(struct otlp_answer *answer, const char *body,
		       size_t size)
{
	struct json json = { .at = body, .end = body + size, .answer = answer };

	if (!parse_object(&json, take_answer))
		return false;
	skip_space(&json);

	return json.at == json.end;
}

/* ---- Protobuf ---- */

/* Takes a field of a message. Return: false on an error */
typedef bool (*take_field)(struct otlp_answer *answer,
			   const struct protobuf_field *field);

static bool parse_message(struct otlp_answer *answer, const char *at,
			  size_t size, take_field take)
{
	const char *end = at + size;
	struct protobuf_field field;

	while (at < end)
		if (!protobuf_next(&at, end, &field) || !take(answer, &field))
			return false;

	return true;
}

static bool take_partial_field(struct otlp_answer *answer,
			       const struct protobuf_field *field)
{
	if (field->id == 1 && field->wire == PROTOBUF_VARINT)
		answer->rejected = field->number <= INT64_MAX ? field->number
							      : 0;
	if (field->id != 2 || field->wire != PROTOBUF_BYTES)
		return true;
	answer->message[0] = '\0';
	append(answer->message, sizeof(answer->message), field->bytes,
	       strnlen(field->bytes, field->size));
	end_text(answer->message);

	return true;
}

static bool take_answer_field(struct otlp_answer *answer,
			      const struct protobuf_field *field)
{
	return field->id != 1 || field->wire != PROTOBUF_BYTES ||
	       parse_message(answer, field->bytes, field->size,
			     take_partial_field);
}

/* ---- Answers ---- */

/* Tests a header, whose parameters follow a semicolon. */
static bool is_type(const char *type, const char *wanted)
{
	size_t size = strcspn(type, "; \t");

	return size == strlen(wanted) && strncasecmp(type, wanted, size) == 0;
}

bool otlp_answer_parse(struct otlp_answer *answer, const char *type,
		       const char *body, size_t size)
{
	*answer = (struct otlp_answer){ 0 };
	if (is_type(type, "text/html"))
		return false;
	/* An empty message of Protobuf, which some send for JSON, too */
	if (!size)
		return true;
	if (is_type(type, "application/x-protobuf") ||
	    is_type(type, "application/protobuf"))
		return parse_message(answer, body, size, take_answer_field);

	return parse_json(answer, body, size);
}
