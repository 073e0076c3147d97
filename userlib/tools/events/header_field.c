// SPDX-License-Identifier: MIT
#include "events/header_field.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <userevents/userevents.h>

#include "events/payload.h"
#include "tool.h"

/*
 * struct header_type - A type of a field
 * @take: appends a value in the form of the record; NULL: its bytes are those of
 *        the text
 * @bits: of a number
 */
struct header_type {
	const char *name;
	unsigned int encoding;
	unsigned int format;
	int (*take)(const struct header_type *type, struct uev_output *to,
		    const char *text, const char **reason);
	unsigned int bits;
};

static int take_number(const struct header_type *type, struct uev_output *to,
		       const char *text, const char **reason)
{
	bool is_unsigned = type->format == UEV_FORMAT_DEFAULT ||
			   type->format == UEV_FORMAT_HEX;
	uint64_t number;
	int err = payload_number(text, type->bits, !is_unsigned, &number);

	*reason = err == -ERANGE ? "out of range" : "not a number";
	if (!err)
		payload_put(to, number, type->bits / 8);

	return err;
}

/* In network byte order. */
static int take_port(const struct header_type *type, struct uev_output *to,
		     const char *text, const char **reason)
{
	uint64_t number;
	int err = payload_number(text, type->bits, false, &number);

	*reason = "not a port";
	if (err)
		return err;
	payload_put(to, number >> 8, 1);
	payload_put(to, number & 0xff, 1);

	return 0;
}

static int take_bool(const struct header_type *type, struct uev_output *to,
		     const char *text, const char **reason)
{
	bool is_true = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;

	(void)type;
	*reason = "not true or false";
	if (!is_true && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
		return -EINVAL;
	payload_put(to, is_true, 1);

	return 0;
}

static int take_float(const struct header_type *type, struct uev_output *to,
		      const char *text, const char **reason)
{
	double number;
	float single;
	char *end;

	*reason = "not a number";
	if (strchr(" \t\n\v\f\r", *text))
		return -EINVAL;
	number = strtod(text, &end);
	if (*end)
		return -EINVAL;
	single = (float)number;
	if (type->bits == 32)
		tool_append(to, &single, sizeof(single));
	else
		tool_append(to, &number, sizeof(number));

	return 0;
}

static int take_bytes(const struct header_type *type, struct uev_output *to,
		      const char *text, const char **reason)
{
	(void)type;
	*reason = "not pairs of hexadecimal digits";

	return payload_bytes(to, text, strlen(text)) ? 0 : -EINVAL;
}

int header_field_uuid(uint8_t *bytes, const char *text)
{
	_cleanup_(uev_output_release) struct uev_output digits =
		UEV_OUTPUT_INIT;
	static const size_t parts[] = { 8, 4, 4, 4, 12 };
	bool is_valid = true;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(parts) && is_valid; i++) {
		is_valid = (!i || *text++ == '-') && strlen(text) >= parts[i] &&
			   payload_bytes(&digits, text, parts[i]);
		text += is_valid ? parts[i] : 0;
	}
	is_valid = is_valid && !*text;
	if (is_valid)
		memcpy(bytes, digits.text, UEV_ACTIVITY_SIZE);

	return is_valid ? 0 : -EINVAL;
}

static int take_uuid(const struct header_type *type, struct uev_output *to,
		     const char *text, const char **reason)
{
	uint8_t bytes[UEV_ACTIVITY_SIZE];
	int err = header_field_uuid(bytes, text);

	(void)type;
	*reason = "not a UUID";
	if (!err)
		tool_append(to, bytes, sizeof(bytes));

	return err;
}

#define ENCODING(name) UEV_ENCODING_##name
#define FORMAT(name) UEV_FORMAT_##name

/* The first is that of a name without a type. */
static const struct header_type types[] = {
	{ "text", ENCODING(STRING8), FORMAT(DEFAULT), NULL, 0 },
	{ "json", ENCODING(STRING8), FORMAT(STRING_JSON), NULL, 0 },
	{ "u8", ENCODING(VALUE8), FORMAT(DEFAULT), take_number, 8 },
	{ "u16", ENCODING(VALUE16), FORMAT(DEFAULT), take_number, 16 },
	{ "u32", ENCODING(VALUE32), FORMAT(DEFAULT), take_number, 32 },
	{ "u64", ENCODING(VALUE64), FORMAT(DEFAULT), take_number, 64 },
	{ "i8", ENCODING(VALUE8), FORMAT(SIGNED), take_number, 8 },
	{ "i16", ENCODING(VALUE16), FORMAT(SIGNED), take_number, 16 },
	{ "i32", ENCODING(VALUE32), FORMAT(SIGNED), take_number, 32 },
	{ "i64", ENCODING(VALUE64), FORMAT(SIGNED), take_number, 64 },
	{ "hex8", ENCODING(VALUE8), FORMAT(HEX), take_number, 8 },
	{ "hex16", ENCODING(VALUE16), FORMAT(HEX), take_number, 16 },
	{ "hex32", ENCODING(VALUE32), FORMAT(HEX), take_number, 32 },
	{ "hex64", ENCODING(VALUE64), FORMAT(HEX), take_number, 64 },
	{ "f32", ENCODING(VALUE32), FORMAT(FLOAT), take_float, 32 },
	{ "f64", ENCODING(VALUE64), FORMAT(FLOAT), take_float, 64 },
	{ "bool", ENCODING(VALUE8), FORMAT(BOOLEAN), take_bool, 8 },
	{ "errno", ENCODING(VALUE32), FORMAT(ERRNO), take_number, 32 },
	{ "pid", ENCODING(VALUE32), FORMAT(PID), take_number, 32 },
	{ "time", ENCODING(VALUE64), FORMAT(TIME), take_number, 64 },
	{ "port", ENCODING(VALUE16), FORMAT(PORT), take_port, 16 },
	{ "uuid", ENCODING(VALUE128), FORMAT(UUID), take_uuid, 0 },
	{ "bytes", ENCODING(BINARY), FORMAT(DEFAULT), take_bytes, 0 },
};

/* Takes "TYPE" or "TYPE[]". Return: NULL if it is unknown */
static const struct header_type *find_type(const char *text, bool *is_array)
{
	size_t size = strlen(text), i;

	*is_array = size > 2 && strcmp(text + size - 2, "[]") == 0;
	if (*is_array)
		size -= 2;
	for (i = 0; i < ARRAY_SIZE(types); i++)
		if (tool_is(text, size, types[i].name))
			return &types[i];

	return NULL;
}

static bool has_size(const struct header_type *type)
{
	return type->encoding != UEV_ENCODING_STRING8 &&
	       type->encoding != UEV_ENCODING_BINARY;
}

static int add_value(struct uev_builder *builder, const char *name,
		     const struct header_type *type, const char *text,
		     const char **reason)
{
	_cleanup_(uev_output_release) struct uev_output bytes = UEV_OUTPUT_INIT;
	int err = type->take(type, &bytes, text, reason);

	if (err)
		return err;

	return uev_add(builder, name, type->encoding, type->format, 0,
		       bytes.text, has_size(type) ? 1 : bytes.size);
}

static int add_array(struct uev_builder *builder, const char *name,
		     const struct header_type *type, char *text,
		     const char **reason)
{
	_cleanup_(uev_output_release) struct uev_output bytes = UEV_OUTPUT_INIT;
	char *rest = *text ? text : NULL;
	const char *value;
	size_t count = 0;
	int err = 0;

	*reason = "no array of this type";
	if (!has_size(type))
		return -EINVAL;
	while (!err && (value = strsep(&rest, ","))) {
		err = type->take(type, &bytes, value, reason);
		count++;
	}
	if (err)
		return err;

	return uev_add(builder, name, type->encoding | UEV_ENCODING_VARRAY,
		       type->format, 0, bytes.text, count);
}

int header_field_add(struct uev_builder *builder, const char *word,
		     size_t word_size, const char *value, size_t size,
		     const char **reason)
{
	_cleanup_free_ char *name = tool_print("%.*s", (int)word_size, word);
	_cleanup_free_ char *text = tool_print("%.*s", (int)size, value);
	const struct header_type *type = types;
	char *colon = strchr(name, ':');
	bool is_array = false;
	int err;

	if (colon) {
		*colon = '\0';
		type = find_type(colon + 1, &is_array);
	}
	*reason = "no such type";
	if (!type)
		return -EINVAL;
	*reason = NULL;
	if (is_array)
		err = add_array(builder, name, type, text, reason);
	else if (type->take)
		err = add_value(builder, name, type, text, reason);
	else
		err = uev_add(builder, name, type->encoding, type->format, 0,
			      text, size);
	if (err && uev_builder_error(builder))
		*reason = uev_strerror(err);

	return err;
}
