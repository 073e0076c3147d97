// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "decode_help.h"

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_help.h"

static void append_byte(struct bytes *bytes, unsigned int byte)
{
	uint8_t *at = realloc(bytes->at, bytes->size + 1);

	ck_assert_ptr_nonnull(at);
	bytes->at = at;
	bytes->at[bytes->size++] = (uint8_t)byte;
}

static unsigned int digit_of(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *digit = strchr(digits, c);

	ck_assert(digit && c);
	return (unsigned int)(digit - digits);
}

/* Fills in the size after the block is complete. */
static void end_block(struct bytes *bytes, size_t begin, bool big)
{
	size_t size = bytes->size - begin - 4;

	bytes->at[begin + big] = (uint8_t)size;
	bytes->at[begin + !big] = (uint8_t)(size >> 8);
	bytes->at[begin + 2 + big] = UEV_EXTENSION_METADATA;
}

/*
 * bytes_append() - Appends bytes in a textual notation
 * @bytes: the bytes
 * @text: two hexadecimal digits per byte, text in single quotes, and blocks of
 *        metadata in square brackets, or in angle brackets for big-endian
 */
void bytes_append(struct bytes *bytes, const char *text)
{
	bool is_text = false;
	unsigned int byte;
	size_t begin = 0;

	for (; *text; text++) {
		if (*text == '\'') {
			is_text = !is_text;
		} else if (is_text) {
			append_byte(bytes, (unsigned char)*text);
		} else if (*text == '[' || *text == '<') {
			begin = bytes->size;
			for (byte = 0; byte < 4; byte++)
				append_byte(bytes, 0);
		} else if (*text == ']' || *text == '>') {
			end_block(bytes, begin, *text == '>');
		} else if (!isspace((unsigned char)*text)) {
			append_byte(bytes,
				    digit_of(text[0]) * 16 + digit_of(text[1]));
			text++;
		}
	}
	ck_assert(!is_text);
}

struct uev_decoder *new_decoder(void)
{
	struct uev_decoder *decoder;

	ck_assert_int_eq(uev_decoder_new(&decoder), 0);

	return decoder;
}

/* Return: bytes to be released with bytes_free(). */
struct bytes bytes_of(const char *text)
{
	struct bytes bytes = { malloc(1), 0 };

	ck_assert_ptr_nonnull(bytes.at);
	bytes_append(&bytes, text);

	return bytes;
}

/* The first of some bytes, in a block of their own. */
struct bytes bytes_cut(const struct bytes *bytes, size_t size)
{
	struct bytes cut = { malloc(size ? size : 1), size };

	ck_assert_ptr_nonnull(cut.at);
	memcpy(cut.at, bytes->at, size);
	/* Not even the one byte that there must be may be read. */
	if (!size) {
		free(cut.at);
		cut.at = NULL;
	}

	return cut;
}

void bytes_free(struct bytes *bytes)
{
	free(bytes->at);
	bytes->at = NULL;
}

/* Fails unless it is one valid object in valid UTF-8, as another library sees
 * it.
 */
void check_json(const char *json)
{
	struct json_object *object = json_parse(json, strlen(json));

	ck_assert_msg(object != NULL, "%s", json);
	json_object_put(object);
}

static int start(struct uev_decoder *decoder, const struct uev_schema *schema,
		 const char *name, const struct bytes *record)
{
	if (name)
		return uev_decoder_start_eventheader(decoder, name, record->at,
						     record->size);

	return uev_decoder_start(decoder, schema, record->at, record->size);
}

static void close_json(struct uev_output *json,
		       const struct uev_json_options *options)
{
	const char *end = options->flags & UEV_JSON_COMPACT ? "}" : " }";

	ck_assert_int_eq(uev_output_append(json, end, strlen(end)), 0);
}

/*
 * record_json() - Formats a record as JSON
 * @schema: schema of its event, or NULL
 * @name: without a schema, the tracepoint of an event, or NULL
 * @record: the bytes
 * @options: options, or NULL
 * @sample: description of the record, or NULL
 * @ret: set to the result
 *
 * Return: valid JSON or an empty text, for free(). With UEV_JSON_OPEN, its last
 * bracket is added here.
 */
char *record_json(const struct uev_schema *schema, const char *name,
		  const struct bytes *record,
		  const struct uev_json_options *options,
		  const struct uev_json_sample *sample, int *ret)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;

	*ret = start(decoder, schema, name, record);
	if (*ret) {
		/* An error of the start is returned again. */
		ck_assert_int_eq(uev_decoder_next(decoder), *ret);
		ck_assert_int_eq(start(decoder, schema, name, record), *ret);
	}
	*ret = uev_decoder_append_json(decoder, options, sample, &json);
	if (json.size) {
		ck_assert_uint_eq(strlen(json.text), json.size);
		if (options && options->flags & UEV_JSON_OPEN)
			close_json(&json, options);
		check_json(json.text);
	}
	uev_decoder_free(decoder);

	return json.text;
}

/* A record without meta, with spaces. */
void check_record(const struct uev_schema *schema, const char *name,
		  const char *record, const char *json)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct bytes bytes = bytes_of(record);
	char *text;
	int ret;

	options.meta = 0;
	text = record_json(schema, name, &bytes, &options, NULL, &ret);
	ck_assert_msg(!ret, "%s: %d", record, ret);
	ck_assert_str_eq(text, json);
	free(text);
	bytes_free(&bytes);
}

void check_event(const char *event, const char *json)
{
	check_record(NULL, TRACEPOINT, event, json);
}

/* Checks the error of an event and its place. */
int event_error(const char *name, const char *event, const char **reason,
		size_t *offset)
{
	struct uev_decoder *decoder = new_decoder();
	struct bytes bytes = bytes_of(event);
	int ret;

	uev_decoder_start_eventheader(decoder, name, bytes.at, bytes.size);
	do
		ret = uev_decoder_next(decoder);
	while (ret > 0);
	/* Errors stay. */
	ck_assert_int_eq(uev_decoder_next(decoder), ret);
	ck_assert_int_eq(uev_decoder_item(decoder)->kind, UEV_ITEM_END);

	*offset = 0;
	*reason = uev_decoder_error(decoder, offset);
	ck_assert(!*reason == !ret);
	bytes_free(&bytes);
	uev_decoder_free(decoder);

	return ret;
}

/* Return: to be given to uev_schema_free(). */
struct uev_schema *schema_of(const char *system, const char *text)
{
	size_t size = strlen(text), offset = 0;
	struct uev_schema *schema;
	char *exact = malloc(size);
	int ret;

	/* Not NUL-terminated. */
	ck_assert_ptr_nonnull(exact);
	memcpy(exact, text, size);
	ret = uev_schema_parse(&schema, system, exact, size, 0, &offset);
	ck_assert_msg(!ret, "%d at %zu: %s", ret, offset, text + offset);
	free(exact);

	return schema;
}

size_t count_text(const char *text, const char *part)
{
	const char *stop = text + strlen(text);
	size_t count = 0;

	/* strstr() would take the length of the rest each time under ASan. */
	while ((text = memmem(text, stop - text, part, strlen(part)))) {
		count++;
		text += strlen(part);
	}

	return count;
}
