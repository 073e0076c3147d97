// SPDX-License-Identifier: MIT
#include "decode/value.h"

#include <string.h>

#include "util/bytes.h"

static const struct uev_encoding_row encodings[UEV_ENCODING_END] = {
	[UEV_ENCODING_VALUE8] = { UEV_EXTENT_FIXED, 1, UEV_FORMAT_UNSIGNED,
				  false },
	[UEV_ENCODING_VALUE16] = { UEV_EXTENT_FIXED, 2, UEV_FORMAT_UNSIGNED,
				   false },
	[UEV_ENCODING_VALUE32] = { UEV_EXTENT_FIXED, 4, UEV_FORMAT_UNSIGNED,
				   false },
	[UEV_ENCODING_VALUE64] = { UEV_EXTENT_FIXED, 8, UEV_FORMAT_UNSIGNED,
				   false },
	[UEV_ENCODING_VALUE128] = { UEV_EXTENT_FIXED, 16, UEV_FORMAT_HEX_BYTES,
				    false },
	[UEV_ENCODING_ZSTRING8] = { UEV_EXTENT_ZERO, 1, UEV_FORMAT_STRING_UTF,
				    false },
	[UEV_ENCODING_ZSTRING16] = { UEV_EXTENT_ZERO, 2, UEV_FORMAT_STRING_UTF,
				     false },
	[UEV_ENCODING_ZSTRING32] = { UEV_EXTENT_ZERO, 4, UEV_FORMAT_STRING_UTF,
				     false },
	[UEV_ENCODING_STRING8] = { UEV_EXTENT_COUNTED, 1, UEV_FORMAT_STRING_UTF,
				   true },
	[UEV_ENCODING_STRING16] = { UEV_EXTENT_COUNTED, 2,
				    UEV_FORMAT_STRING_UTF, false },
	[UEV_ENCODING_STRING32] = { UEV_EXTENT_COUNTED, 4,
				    UEV_FORMAT_STRING_UTF, false },
	[UEV_ENCODING_BINARY] = { UEV_EXTENT_COUNTED, 1, UEV_FORMAT_HEX_BYTES,
				  true },
};

/*
 * struct format_row - Interpretation of bytes by a format
 * @type: of enum uev_decoded_type
 * @sizes: bitmap of supported sizes, which are powers of two
 * @is_text: supports strings, too
 */
static const struct format_row {
	uint8_t type;
	uint8_t sizes;
	bool is_text;
} formats[UEV_FORMAT_END] = {
	[UEV_FORMAT_UNSIGNED] = { UEV_DECODED_UNSIGNED, 1 | 2 | 4 | 8, false },
	[UEV_FORMAT_SIGNED] = { UEV_DECODED_SIGNED, 1 | 2 | 4 | 8, false },
	[UEV_FORMAT_HEX] = { UEV_DECODED_HEX, 1 | 2 | 4 | 8, false },
	[UEV_FORMAT_ERRNO] = { UEV_DECODED_ERRNO, 4, false },
	[UEV_FORMAT_PID] = { UEV_DECODED_PID, 4, false },
	[UEV_FORMAT_TIME] = { UEV_DECODED_TIME, 4 | 8, false },
	[UEV_FORMAT_BOOLEAN] = { UEV_DECODED_BOOL, 1 | 2 | 4, false },
	[UEV_FORMAT_FLOAT] = { UEV_DECODED_FLOAT, 4 | 8, false },
	[UEV_FORMAT_HEX_BYTES] = { UEV_DECODED_BYTES, 1 | 2 | 4 | 8 | 16,
				   true },
	[UEV_FORMAT_STRING8] = { UEV_DECODED_TEXT, 1, true },
	[UEV_FORMAT_STRING_UTF] = { UEV_DECODED_TEXT, 2 | 4, true },
	[UEV_FORMAT_STRING_UTF_BOM] = { UEV_DECODED_TEXT, 0, true },
	[UEV_FORMAT_STRING_XML] = { UEV_DECODED_TEXT, 0, true },
	[UEV_FORMAT_STRING_JSON] = { UEV_DECODED_TEXT, 0, true },
	[UEV_FORMAT_UUID] = { UEV_DECODED_UUID, 16, false },
	[UEV_FORMAT_PORT] = { UEV_DECODED_PORT, 2, false },
	[UEV_FORMAT_IP_ADDRESS] = { UEV_DECODED_IPV4, 4 | 16, false },
	[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = { UEV_DECODED_IPV4, 4 | 16, false },
};

/*
 * Byte-order marks and their encodings. The first match counts, because one
 * mark is a prefix of another.
 */
static const struct mark {
	uint8_t charset;
	uint8_t size;
	char bytes[4];
} marks[] = {
	{ UEV_CHARSET_UTF8, 3, { '\xef', '\xbb', '\xbf' } },
	{ UEV_CHARSET_UTF32LE, 4, { '\xff', '\xfe', 0, 0 } },
	{ UEV_CHARSET_UTF32BE, 4, { 0, 0, '\xfe', '\xff' } },
	{ UEV_CHARSET_UTF16LE, 2, { '\xff', '\xfe' } },
	{ UEV_CHARSET_UTF16BE, 2, { '\xfe', '\xff' } },
};

/*
 * uev_encoding_row() - Gets the properties of an encoding
 * @encoding: of enum uev_encoding, without flags
 *
 * Return: its row, whose extent is none if it has no values.
 */
const struct uev_encoding_row *uev_encoding_row(uint8_t encoding)
{
	return &encodings[encoding < UEV_ENCODING_END ? encoding
						      : UEV_ENCODING_INVALID];
}

/*
 * uev_decoded_number() - Reads an unsigned number
 * @bytes: its bytes
 * @size: 1, 2, 4 or 8; others have no bytes that are read
 * @big: big-endian
 *
 * Return: the number, or 0.
 */
uint64_t uev_decoded_number(const uint8_t *bytes, size_t size, bool big)
{
	switch (size) {
	case 8:
		return uev_get64(bytes, big);
	case 4:
		return uev_get32(bytes, big);
	case 2:
		return uev_get16(bytes, big);
	case 1:
		return *bytes;
	default:
		return 0;
	}
}

static int64_t sign_extend(uint64_t number, size_t size)
{
	unsigned int unused = 64 - 8 * (unsigned int)size;

	return (int64_t)(number << unused) >> unused;
}

static double read_float(uint64_t number, size_t size)
{
	uint32_t half = (uint32_t)number;
	double value;
	float single;

	if (size == sizeof(single)) {
		memcpy(&single, &half, sizeof(single));
		return (double)single;
	}

	memcpy(&value, &number, sizeof(value));
	return value;
}

/* Any other number than 0 and 1 is shown as a number. */
static void init_bool(struct uev_decoded_value *value, uint64_t number)
{
	if (number <= 1) {
		value->boolean = number;
	} else if (value->size == 4) {
		value->type = UEV_DECODED_SIGNED;
		value->i64 = sign_extend(number, value->size);
	} else {
		value->type = UEV_DECODED_UNSIGNED;
		value->u64 = number;
	}
}

static uint8_t charset_of_unit(size_t unit, bool big)
{
	switch (unit) {
	case 2:
		return big ? UEV_CHARSET_UTF16BE : UEV_CHARSET_UTF16LE;
	case 4:
		return big ? UEV_CHARSET_UTF32BE : UEV_CHARSET_UTF32LE;
	default:
		return UEV_CHARSET_UTF8;
	}
}

static void skip_byte_order_mark(struct uev_decoded_value *value)
{
	size_t i;

	for (i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		if (value->size < marks[i].size ||
		    memcmp(value->bytes, marks[i].bytes, marks[i].size))
			continue;

		value->charset = marks[i].charset;
		value->bytes += marks[i].size;
		value->size -= marks[i].size;
		return;
	}
}

static void init_text(struct uev_decoded_value *value, uint8_t format,
		      size_t unit, bool big)
{
	value->charset = charset_of_unit(unit, big);

	if (format == UEV_FORMAT_STRING8 && unit == 1)
		value->charset = UEV_CHARSET_LATIN1;
	if (format == UEV_FORMAT_STRING_UTF_BOM ||
	    format == UEV_FORMAT_STRING_XML || format == UEV_FORMAT_STRING_JSON)
		skip_byte_order_mark(value);
}

static void init_number(struct uev_decoded_value *value, bool big)
{
	/* A longer value is shown as bytes. */
	size_t size = value->size <= 8 ? value->size : 0;
	uint64_t number = uev_decoded_number(value->bytes, size, big);

	switch (value->type) {
	case UEV_DECODED_UNSIGNED:
	case UEV_DECODED_HEX:
		value->u64 = number;
		break;
	case UEV_DECODED_SIGNED:
	case UEV_DECODED_ERRNO:
	case UEV_DECODED_PID:
	case UEV_DECODED_TIME:
		value->i64 = sign_extend(number, size);
		break;
	case UEV_DECODED_BOOL:
		init_bool(value, number);
		break;
	case UEV_DECODED_FLOAT:
		value->f64 = read_float(number, size);
		break;
	case UEV_DECODED_PORT:
		value->u64 = uev_decoded_number(value->bytes, size, true);
		break;
	case UEV_DECODED_IPV4:
		if (value->size == 16)
			value->type = UEV_DECODED_IPV6;
		break;
	default:
		break;
	}
}

/* Tests whether a format supports an encoding. */
static bool format_applies(uint8_t format, const struct uev_encoding_row *row,
			   size_t size)
{
	if (format >= UEV_FORMAT_END)
		return false;
	if (row->extent != UEV_EXTENT_FIXED && formats[format].is_text)
		return true;
	if (row->extent != UEV_EXTENT_FIXED && !row->is_nullable)
		return false;

	/* Every supported size is a power of two. */
	return size <= 16 && !(size & (size - 1)) &&
	       (formats[format].sizes & size);
}

/*
 * uev_decoded_init() - Makes a value of bytes
 * @value: the value to set
 * @encoding: of enum uev_encoding, one that has values
 * @format: of enum uev_format, or any other number
 * @bytes: the value, without its delimiter
 * @size: number of bytes
 * @big: they are in big-endian byte order
 */
void uev_decoded_init(struct uev_decoded_value *value, uint8_t encoding,
		      uint8_t format, const uint8_t *bytes, size_t size,
		      bool big)
{
	const struct uev_encoding_row *row = uev_encoding_row(encoding);

	*value = (struct uev_decoded_value){ .bytes = bytes, .size = size };

	if (!format_applies(format, row, size)) {
		/* The format does not support this size. */
		if (row->is_nullable && !size && format < UEV_FORMAT_END &&
		    formats[format].sizes)
			return;
		format = row->format;
	}

	value->type = formats[format].type;
	if (value->type == UEV_DECODED_TEXT)
		init_text(value, format, row->unit, big);
	else if (value->type != UEV_DECODED_BYTES)
		init_number(value, big);
}
