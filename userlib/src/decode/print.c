// SPDX-License-Identifier: MIT
/*
 * Values as text, and as JSON.
 */
#include "decode/print.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "util/float.h"
#include "decode/output.h"
#include "util/charset.h"
#include "decode/time.h"

/* Buffer for output that is appended at once. */
#define CHUNK 256

/* "\ud834\udd73", the longest escape. */
#define ESCAPE_MAX 12

/* Writes "\u202e". Return: its size */
static size_t escape_unit(uint32_t unit, char *to)
{
	static const char digits[] = "0123456789abcdef";
	size_t size = 0;
	int shift;

	to[size++] = '\\';
	to[size++] = 'u';
	for (shift = 12; shift >= 0; shift -= 4)
		to[size++] = digits[unit >> shift & 15];

	return size;
}

/* Characters above U+FFFF are two units of UTF-16. */
static size_t escape_number(uint32_t character, char *to)
{
	size_t size = 0;

	if (character > 0xffff) {
		character -= 0x10000;
		size = escape_unit(0xd800 | character >> 10, to);
		character = 0xdc00 | (character & 0x3ff);
	}

	return size + escape_unit(character, to + size);
}

/*
 * Escapes quotes, backslashes and all control and format characters. JSON would
 * allow most of them, but a terminal can execute those from U+007F to U+009F, and
 * others hide text or change its order.
 */
static size_t escape(uint32_t character, char *to)
{
	/* From U+0008. */
	static const char letters[] = "btn\0fr";

	if (character == '"' || character == '\\')
		to[1] = (char)character;
	else if (character >= '\b' && character <= '\r' && character != '\v')
		to[1] = letters[character - '\b'];
	else if (uev_charset_is_control(character))
		return escape_number(character, to);
	else
		return uev_charset_utf8(character, to);

	to[0] = '\\';
	return 2;
}

/* ASCII that JSON does not escape */
static const bool is_plain_json[UINT8_MAX + 1] = {
	[' ' ... '!'] = true,
	['#' ... '['] = true,
	[']' ... '~'] = true,
};

static bool is_plain_byte(uint8_t byte, bool is_json)
{
	return is_json ? is_plain_json[byte] : byte < 0x80;
}

/* ASCII without escapes. */
static bool is_plain(const struct text_reader *reader, bool is_json)
{
	return (reader->charset == UEV_CHARSET_UTF8 ||
		reader->charset == UEV_CHARSET_LATIN1) &&
	       is_plain_byte(*reader->at, is_json);
}

/* Skips characters that are plain in any output, eight at a time. */
static const uint8_t *skip_plain_words(const uint8_t *at, const uint8_t *end)
{
	uint64_t word;

	for (; end - at >= (ptrdiff_t)sizeof(word); at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		if (!uev_charset_are_printable(word) ||
		    UEV_HAS_BYTE(word, '"') || UEV_HAS_BYTE(word, '\\'))
			break;
	}

	return at;
}

/*
 * Appends characters that are the same in the output. The first one is, so a
 * character of ASCII is one byte.
 */
static int append_plain(struct uev_output *output, struct text_reader *reader,
			bool is_json)
{
	const uint8_t *begin = reader->at, *end = reader->end;
	const uint8_t *at = skip_plain_words(begin, end);

	while (at != end && is_plain_byte(*at, is_json))
		at++;
	reader->at = at;

	return uev_output_put(output, (const char *)begin,
			      (size_t)(at - begin));
}

/* Appends other characters, not always all of them. */
static int append_converted(struct uev_output *output,
			    struct text_reader *reader, bool is_json)
{
	char chunk[CHUNK];
	uint32_t character;
	size_t used = 0;

	while (used <= CHUNK - ESCAPE_MAX && reader->at != reader->end &&
	       !is_plain(reader, is_json)) {
		uev_charset_next(reader, &character);
		used += is_json ? escape(character, chunk + used)
				: uev_charset_utf8(character, chunk + used);
	}

	return uev_output_append(output, chunk, used);
}

static int append_text(struct uev_output *output, const uint8_t *bytes,
		       size_t size, enum uev_charset charset, bool is_json)
{
	struct text_reader reader = { bytes, bytes + size, charset };
	/* An empty text is NUL-terminated, too. */
	int ret = size ? 0 : uev_output_append(output, NULL, 0);

	while (!ret && reader.at != reader.end) {
		ret = is_plain(&reader, is_json)
			      ? append_plain(output, &reader, is_json)
			      : append_converted(output, &reader, is_json);
	}

	return ret;
}

static int append_bytes(struct uev_output *output, const uint8_t *bytes,
			size_t size)
{
	static const char digits[] = "0123456789abcdef";
	/* An empty text is NUL-terminated, too. */
	int ret = uev_output_append(output, NULL, 0);
	char text[3];
	size_t i;

	text[0] = ' ';
	for (i = 0; i < size && !ret; i++) {
		text[1] = digits[bytes[i] >> 4];
		text[2] = digits[bytes[i] & 15];
		/* No space before the first byte. */
		ret = uev_output_append(output, text + !i, sizeof(text) - !i);
	}

	return ret;
}

static int append_float(struct uev_output *output,
			const struct uev_decoded_value *value)
{
	char text[UEV_FLOAT_TEXT_MAX];
	size_t size =
		uev_float_text(value->f64, value->size == sizeof(float), text);

	return uev_output_append(output, text, size);
}

static int append_errno(struct uev_output *output, int64_t number)
{
	const char *name = NULL;

	if (number >= 0 && number <= INT32_MAX)
		name = uev_errno_name((int)number);

	return uev_output_printf(output, "%s(%" PRId64 ")",
				 name ? name : "ERRNO", number);
}

static int append_time(struct uev_output *output, int64_t seconds)
{
	char text[UEV_TIME_TEXT_MAX];

	if (!uev_time_text(seconds, text))
		return uev_output_printf(output, "TIME(%" PRId64 ")", seconds);

	return uev_output_append(output, text, strlen(text));
}

static int append_ip(struct uev_output *output, int family,
		     const uint8_t *bytes)
{
	char text[INET6_ADDRSTRLEN];

	/* Cannot fail: family and size are valid. */
	inet_ntop(family, bytes, text, sizeof(text));
	return uev_output_append(output, text, strlen(text));
}

/*
 * uev_print_uuid() - Appends 16 bytes in the format of a UUID
 *
 * Return: 0 or -ENOMEM.
 */
int uev_print_uuid(struct uev_output *output, const uint8_t *bytes)
{
	return uev_output_printf(
		output,
		"%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
		bytes[6], bytes[7], bytes[8], bytes[9], bytes[10], bytes[11],
		bytes[12], bytes[13], bytes[14], bytes[15]);
}

/*
 * uev_print_quoted() - Appends text with the escapes of a JSON string
 *
 * Return: 0 or -ENOMEM.
 */
int uev_print_quoted(struct uev_output *output, const char *bytes, size_t size,
		     enum uev_charset charset)
{
	return append_text(output, (const uint8_t *)bytes, size, charset, true);
}

static int append_value(const struct uev_decoded_value *value,
			struct uev_output *output, bool is_json)
{
	switch (value->type) {
	case UEV_DECODED_NULL:
		return uev_output_append_constant(output, "null");
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_PORT:
		return uev_output_append_unsigned(output, value->u64, 1);
	case UEV_DECODED_SIGNED:
	case UEV_DECODED_PID:
		return uev_output_append_signed(output, value->i64);
	case UEV_DECODED_HEX:
		return uev_output_printf(output, "0x%" PRIX64, value->u64);
	case UEV_DECODED_BOOL:
		return value->boolean
			       ? uev_output_append_constant(output, "true")
			       : uev_output_append_constant(output, "false");
	case UEV_DECODED_FLOAT:
		return append_float(output, value);
	case UEV_DECODED_ERRNO:
		return append_errno(output, value->i64);
	case UEV_DECODED_TIME:
		return append_time(output, value->i64);
	case UEV_DECODED_IPV4:
		return append_ip(output, AF_INET, value->bytes);
	case UEV_DECODED_IPV6:
		return append_ip(output, AF_INET6, value->bytes);
	case UEV_DECODED_UUID:
		return uev_print_uuid(output, value->bytes);
	case UEV_DECODED_TEXT:
		return append_text(output, value->bytes, value->size,
				   value->charset, is_json);
	default:
		return append_bytes(output, value->bytes, value->size);
	}
}

/* Values that JSON writes unquoted. */
static bool is_bare(const struct uev_decoded_value *value)
{
	switch (value->type) {
	case UEV_DECODED_NULL:
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_SIGNED:
	case UEV_DECODED_PID:
	case UEV_DECODED_PORT:
	case UEV_DECODED_BOOL:
		return true;
	case UEV_DECODED_FLOAT:
		return isfinite(value->f64);
	default:
		return false;
	}
}

/* Appends everything or nothing. */
static int cut_on_error(struct uev_output *output, size_t size, int ret)
{
	if (ret)
		uev_output_cut(output, size);
	return ret;
}

int uev_decoded_value_append_text(const struct uev_decoded_value *value,
				  struct uev_output *output)
{
	size_t size = output->size;

	return cut_on_error(output, size, append_value(value, output, false));
}

int uev_decoded_value_append_json(const struct uev_decoded_value *value,
				  struct uev_output *output)
{
	size_t size = output->size;
	bool bare = is_bare(value);
	int ret = 0;

	if (!bare)
		ret = uev_output_append_constant(output, "\"");
	if (!ret)
		ret = append_value(value, output, true);
	if (!ret && !bare)
		ret = uev_output_append_constant(output, "\"");

	return cut_on_error(output, size, ret);
}
