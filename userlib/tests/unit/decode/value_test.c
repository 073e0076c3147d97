// SPDX-License-Identifier: MIT
/* Values of every encoding and format, in both byte orders. */
#include <check.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/decode_help.h"
#include "lib/runner.h"

#define FFFD "\xef\xbf\xbd" /* the replacement character */

/*
 * struct pair_row - Bytes of an encoding, and their JSON in every format
 * @encoding: the encoding
 * @little: the payload of a little-endian event
 * @big: the same payload of a big-endian event
 * @json: by format; a missing one is as format 0, which always matches
 * @big_json: JSON of @big where it depends on the bytes
 */
static const struct pair_row {
	uint8_t encoding;
	const char *little, *big;
	const char *json[UEV_FORMAT_END];
	const char *big_json[UEV_FORMAT_END];
} pairs[] = {
	{
		.encoding = UEV_ENCODING_VALUE8,
		.little = "e9",
		.big = "e9",
		.json = {
			[UEV_FORMAT_DEFAULT] = "233",
			[UEV_FORMAT_SIGNED] = "-23",
			[UEV_FORMAT_HEX] = "\"0xE9\"",
			[UEV_FORMAT_HEX_BYTES] = "\"e9\"",
			[UEV_FORMAT_STRING8] = "\"\xc3\xa9\"",
		},
	},
	{
		.encoding = UEV_ENCODING_VALUE8,
		.little = "01",
		.big = "01",
		.json = {
			[UEV_FORMAT_DEFAULT] = "1",
			[UEV_FORMAT_HEX] = "\"0x1\"",
			[UEV_FORMAT_BOOLEAN] = "true",
			[UEV_FORMAT_HEX_BYTES] = "\"01\"",
			[UEV_FORMAT_STRING8] = "\"\\u0001\"",
		},
	},
	{
		.encoding = UEV_ENCODING_VALUE16,
		.little = "ac 80",
		.big = "80 ac",
		.json = {
			[UEV_FORMAT_DEFAULT] = "32940",
			[UEV_FORMAT_SIGNED] = "-32596",
			[UEV_FORMAT_HEX] = "\"0x80AC\"",
			[UEV_FORMAT_HEX_BYTES] = "\"ac 80\"",
			[UEV_FORMAT_STRING_UTF] = "\"\xe8\x82\xac\"",
			[UEV_FORMAT_PORT] = "44160",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"80 ac\"",
			[UEV_FORMAT_PORT] = "32940",
		},
	},
	{
		.encoding = UEV_ENCODING_VALUE16,
		.little = "00 00",
		.big = "00 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "0",
			[UEV_FORMAT_HEX] = "\"0x0\"",
			[UEV_FORMAT_BOOLEAN] = "false",
			[UEV_FORMAT_HEX_BYTES] = "\"00 00\"",
			[UEV_FORMAT_STRING_UTF] = "\"\\u0000\"",
		},
	},
	{
		.encoding = UEV_ENCODING_VALUE32,
		.little = "fe ff ff ff",
		.big = "ff ff ff fe",
		.json = {
			[UEV_FORMAT_DEFAULT] = "4294967294",
			[UEV_FORMAT_SIGNED] = "-2",
			[UEV_FORMAT_HEX] = "\"0xFFFFFFFE\"",
			[UEV_FORMAT_ERRNO] = "\"ERRNO(-2)\"",
			[UEV_FORMAT_PID] = "-2",
			[UEV_FORMAT_TIME] = "\"1969-12-31T23:59:58\"",
			[UEV_FORMAT_BOOLEAN] = "-2",
			[UEV_FORMAT_FLOAT] = "\"-nan\"",
			[UEV_FORMAT_HEX_BYTES] = "\"fe ff ff ff\"",
			[UEV_FORMAT_STRING_UTF] = "\"" FFFD "\"",
			[UEV_FORMAT_IP_ADDRESS] = "\"254.255.255.255\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] =
				"\"254.255.255.255\"",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"ff ff ff fe\"",
			[UEV_FORMAT_IP_ADDRESS] = "\"255.255.255.254\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] =
				"\"255.255.255.254\"",
		},
	},
	{
		.encoding = UEV_ENCODING_VALUE32,
		.little = "01 00 00 00",
		.big = "00 00 00 01",
		.json = {
			[UEV_FORMAT_DEFAULT] = "1",
			[UEV_FORMAT_HEX] = "\"0x1\"",
			[UEV_FORMAT_ERRNO] = "\"EPERM(1)\"",
			[UEV_FORMAT_TIME] = "\"1970-01-01T00:00:01\"",
			[UEV_FORMAT_BOOLEAN] = "true",
			[UEV_FORMAT_FLOAT] = "1e-45",
			[UEV_FORMAT_HEX_BYTES] = "\"01 00 00 00\"",
			[UEV_FORMAT_STRING_UTF] = "\"\\u0001\"",
			[UEV_FORMAT_IP_ADDRESS] = "\"1.0.0.0\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = "\"1.0.0.0\"",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"00 00 00 01\"",
			[UEV_FORMAT_IP_ADDRESS] = "\"0.0.0.1\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = "\"0.0.0.1\"",
		},
	},
	{
		.encoding = UEV_ENCODING_VALUE64,
		.little = "00 00 00 00 00 00 f8 bf",
		.big = "bf f8 00 00 00 00 00 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "13832806255468478464",
			[UEV_FORMAT_SIGNED] = "-4613937818241073152",
			[UEV_FORMAT_HEX] = "\"0xBFF8000000000000\"",
			[UEV_FORMAT_TIME] = "\"TIME(-4613937818241073152)\"",
			[UEV_FORMAT_FLOAT] = "-1.5",
			[UEV_FORMAT_HEX_BYTES] = "\"00 00 00 00 00 00 f8 bf\"",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"bf f8 00 00 00 00 00 00\"",
		},
	},
	{
		.encoding = UEV_ENCODING_VALUE128,
		.little = "20 01 0d b8 00 00 00 00 00 00 00 00 00 ab cd ef",
		.big = "20 01 0d b8 00 00 00 00 00 00 00 00 00 ab cd ef",
		.json = {
			[UEV_FORMAT_DEFAULT] =
				"\"20 01 0d b8 00 00 00 00 "
				"00 00 00 00 00 ab cd ef\"",
			[UEV_FORMAT_UUID] =
				"\"20010db8-0000-0000-0000-000000abcdef\"",
			[UEV_FORMAT_IP_ADDRESS] = "\"2001:db8::ab:cdef\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] =
				"\"2001:db8::ab:cdef\"",
		},
	},
	{
		.encoding = UEV_ENCODING_ZSTRING8,
		.little = "'h' c3 a9 00",
		.big = "'h' c3 a9 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"h\xc3\xa9\"",
			[UEV_FORMAT_HEX_BYTES] = "\"68 c3 a9\"",
			[UEV_FORMAT_STRING8] = "\"h\xc3\x83\xc2\xa9\"",
		},
	},
	{
		.encoding = UEV_ENCODING_ZSTRING16,
		.little = "ff fe 68 00 ac 20 00 00",
		.big = "fe ff 00 68 20 ac 00 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"\\ufeffh\xe2\x82\xac\"",
			[UEV_FORMAT_HEX_BYTES] = "\"ff fe 68 00 ac 20\"",
			[UEV_FORMAT_STRING_UTF_BOM] = "\"h\xe2\x82\xac\"",
			[UEV_FORMAT_STRING_XML] = "\"h\xe2\x82\xac\"",
			[UEV_FORMAT_STRING_JSON] = "\"h\xe2\x82\xac\"",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"fe ff 00 68 20 ac\"",
		},
	},
	{
		.encoding = UEV_ENCODING_ZSTRING32,
		.little = "00 f6 01 00 00 00 00 00",
		.big = "00 01 f6 00 00 00 00 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"\xf0\x9f\x98\x80\"",
			[UEV_FORMAT_HEX_BYTES] = "\"00 f6 01 00\"",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"00 01 f6 00\"",
		},
	},
	{
		.encoding = UEV_ENCODING_STRING16,
		.little = "03 00 68 00 3d d8 00 de",
		.big = "00 03 00 68 d8 3d de 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"h\xf0\x9f\x98\x80\"",
			[UEV_FORMAT_HEX_BYTES] = "\"68 00 3d d8 00 de\"",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"00 68 d8 3d de 00\"",
		},
	},
	{
		/* Four bytes are not a number, although they have a count. */
		.encoding = UEV_ENCODING_STRING16,
		.little = "02 00 61 00 62 00",
		.big = "00 02 00 61 00 62",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"ab\"",
			[UEV_FORMAT_HEX_BYTES] = "\"61 00 62 00\"",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"00 61 00 62\"",
		},
	},
	{
		.encoding = UEV_ENCODING_STRING32,
		.little = "01 00 41 00 00 00",
		.big = "00 01 00 00 00 41",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"A\"",
			[UEV_FORMAT_HEX_BYTES] = "\"41 00 00 00\"",
		},
		.big_json = {
			[UEV_FORMAT_HEX_BYTES] = "\"00 00 00 41\"",
		},
	},
	{
		.encoding = UEV_ENCODING_STRING32,
		.little = "00 00",
		.big = "00 00",
		.json = { [UEV_FORMAT_DEFAULT] = "\"\"" },
	},
	/* From here on any format fits, if it fits the number of bytes. */
	{
		.encoding = UEV_ENCODING_STRING8,
		.little = "00 00",
		.big = "00 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"\"",
			[UEV_FORMAT_UNSIGNED] = "null",
			[UEV_FORMAT_SIGNED] = "null",
			[UEV_FORMAT_HEX] = "null",
			[UEV_FORMAT_ERRNO] = "null",
			[UEV_FORMAT_PID] = "null",
			[UEV_FORMAT_TIME] = "null",
			[UEV_FORMAT_BOOLEAN] = "null",
			[UEV_FORMAT_FLOAT] = "null",
			[UEV_FORMAT_UUID] = "null",
			[UEV_FORMAT_PORT] = "null",
			[UEV_FORMAT_IP_ADDRESS] = "null",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = "null",
		},
	},
	{
		.encoding = UEV_ENCODING_STRING8,
		.little = "01 00 ff",
		.big = "00 01 ff",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"\xc3\xbf\"",
			[UEV_FORMAT_UNSIGNED] = "255",
			[UEV_FORMAT_SIGNED] = "-1",
			[UEV_FORMAT_HEX] = "\"0xFF\"",
			[UEV_FORMAT_BOOLEAN] = "255",
			[UEV_FORMAT_HEX_BYTES] = "\"ff\"",
		},
	},
	{
		.encoding = UEV_ENCODING_STRING8,
		.little = "03 00 'abc'",
		.big = "00 03 'abc'",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"abc\"",
			[UEV_FORMAT_HEX_BYTES] = "\"61 62 63\"",
		},
	},
	{
		.encoding = UEV_ENCODING_BINARY,
		.little = "00 00",
		.big = "00 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"\"",
			[UEV_FORMAT_UNSIGNED] = "null",
			[UEV_FORMAT_SIGNED] = "null",
			[UEV_FORMAT_HEX] = "null",
			[UEV_FORMAT_ERRNO] = "null",
			[UEV_FORMAT_PID] = "null",
			[UEV_FORMAT_TIME] = "null",
			[UEV_FORMAT_BOOLEAN] = "null",
			[UEV_FORMAT_FLOAT] = "null",
			[UEV_FORMAT_UUID] = "null",
			[UEV_FORMAT_PORT] = "null",
			[UEV_FORMAT_IP_ADDRESS] = "null",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = "null",
		},
	},
	{
		.encoding = UEV_ENCODING_BINARY,
		.little = "02 00 50 00",
		.big = "00 02 00 50",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"50 00\"",
			[UEV_FORMAT_UNSIGNED] = "80",
			[UEV_FORMAT_SIGNED] = "80",
			[UEV_FORMAT_HEX] = "\"0x50\"",
			[UEV_FORMAT_BOOLEAN] = "80",
			[UEV_FORMAT_STRING8] = "\"P\\u0000\"",
			[UEV_FORMAT_STRING_UTF] = "\"P\\u0000\"",
			[UEV_FORMAT_STRING_UTF_BOM] = "\"P\\u0000\"",
			[UEV_FORMAT_STRING_XML] = "\"P\\u0000\"",
			[UEV_FORMAT_STRING_JSON] = "\"P\\u0000\"",
			[UEV_FORMAT_PORT] = "20480",
		},
		.big_json = {
			[UEV_FORMAT_DEFAULT] = "\"00 50\"",
			[UEV_FORMAT_ERRNO] = "\"00 50\"",
			[UEV_FORMAT_PID] = "\"00 50\"",
			[UEV_FORMAT_TIME] = "\"00 50\"",
			[UEV_FORMAT_FLOAT] = "\"00 50\"",
			[UEV_FORMAT_HEX_BYTES] = "\"00 50\"",
			[UEV_FORMAT_STRING8] = "\"\\u0000P\"",
			[UEV_FORMAT_STRING_UTF] = "\"\\u0000P\"",
			[UEV_FORMAT_STRING_UTF_BOM] = "\"\\u0000P\"",
			[UEV_FORMAT_STRING_XML] = "\"\\u0000P\"",
			[UEV_FORMAT_STRING_JSON] = "\"\\u0000P\"",
			[UEV_FORMAT_UUID] = "\"00 50\"",
			[UEV_FORMAT_PORT] = "80",
			[UEV_FORMAT_IP_ADDRESS] = "\"00 50\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = "\"00 50\"",
		},
	},
	{
		.encoding = UEV_ENCODING_BINARY,
		.little = "04 00 00 00 00 41",
		.big = "00 04 41 00 00 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"00 00 00 41\"",
			[UEV_FORMAT_UNSIGNED] = "1090519040",
			[UEV_FORMAT_SIGNED] = "1090519040",
			[UEV_FORMAT_HEX] = "\"0x41000000\"",
			[UEV_FORMAT_ERRNO] = "\"ERRNO(1090519040)\"",
			[UEV_FORMAT_PID] = "1090519040",
			[UEV_FORMAT_TIME] = "\"2004-07-22T17:57:20\"",
			[UEV_FORMAT_BOOLEAN] = "1090519040",
			[UEV_FORMAT_FLOAT] = "8",
			[UEV_FORMAT_STRING8] = "\"\\u0000\\u0000\\u0000A\"",
			[UEV_FORMAT_STRING_UTF] = "\"\\u0000\\u0000\\u0000A\"",
			[UEV_FORMAT_STRING_UTF_BOM] =
				"\"\\u0000\\u0000\\u0000A\"",
			[UEV_FORMAT_STRING_XML] = "\"\\u0000\\u0000\\u0000A\"",
			[UEV_FORMAT_STRING_JSON] = "\"\\u0000\\u0000\\u0000A\"",
			[UEV_FORMAT_IP_ADDRESS] = "\"0.0.0.65\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = "\"0.0.0.65\"",
		},
		.big_json = {
			[UEV_FORMAT_DEFAULT] = "\"41 00 00 00\"",
			[UEV_FORMAT_HEX_BYTES] = "\"41 00 00 00\"",
			[UEV_FORMAT_STRING8] = "\"A\\u0000\\u0000\\u0000\"",
			[UEV_FORMAT_STRING_UTF] = "\"A\\u0000\\u0000\\u0000\"",
			[UEV_FORMAT_STRING_UTF_BOM] =
				"\"A\\u0000\\u0000\\u0000\"",
			[UEV_FORMAT_STRING_XML] = "\"A\\u0000\\u0000\\u0000\"",
			[UEV_FORMAT_STRING_JSON] = "\"A\\u0000\\u0000\\u0000\"",
			[UEV_FORMAT_UUID] = "\"41 00 00 00\"",
			[UEV_FORMAT_PORT] = "\"41 00 00 00\"",
			[UEV_FORMAT_IP_ADDRESS] = "\"65.0.0.0\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = "\"65.0.0.0\"",
		},
	},
	{
		.encoding = UEV_ENCODING_STRING8,
		.little = "08 00 00 00 00 00 00 00 00 40",
		.big = "00 08 40 00 00 00 00 00 00 00",
		.json = {
			[UEV_FORMAT_DEFAULT] = "\"\\u0000\\u0000\\u0000\\u0000"
					       "\\u0000\\u0000\\u0000@\"",
			[UEV_FORMAT_UNSIGNED] = "4611686018427387904",
			[UEV_FORMAT_SIGNED] = "4611686018427387904",
			[UEV_FORMAT_HEX] = "\"0x4000000000000000\"",
			[UEV_FORMAT_TIME] = "\"TIME(4611686018427387904)\"",
			[UEV_FORMAT_FLOAT] = "2",
			[UEV_FORMAT_HEX_BYTES] = "\"00 00 00 00 00 00 00 40\"",
		},
		.big_json = {
#define AT "\"@\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\\u0000\""
			[UEV_FORMAT_DEFAULT] = AT,
			[UEV_FORMAT_ERRNO] = AT,
			[UEV_FORMAT_PID] = AT,
			[UEV_FORMAT_BOOLEAN] = AT,
			[UEV_FORMAT_HEX_BYTES] = "\"40 00 00 00 00 00 00 00\"",
			[UEV_FORMAT_STRING8] = AT,
			[UEV_FORMAT_STRING_UTF] = AT,
			[UEV_FORMAT_STRING_UTF_BOM] = AT,
			[UEV_FORMAT_STRING_XML] = AT,
			[UEV_FORMAT_STRING_JSON] = AT,
			[UEV_FORMAT_UUID] = AT,
			[UEV_FORMAT_PORT] = AT,
			[UEV_FORMAT_IP_ADDRESS] = AT,
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] = AT,
#undef AT
		},
	},
	{
		.encoding = UEV_ENCODING_BINARY,
		.little = "10 00 00 00 00 00 00 00 00 00 00 00 ff ff 7f 00 00 01",
		.big = "00 10 00 00 00 00 00 00 00 00 00 00 ff ff 7f 00 00 01",
		.json = {
			[UEV_FORMAT_DEFAULT] =
				"\"00 00 00 00 00 00 00 00 "
				"00 00 ff ff 7f 00 00 01\"",
#define NULS "\\u0000\\u0000\\u0000\\u0000\\u0000"
#define LATIN1 "\"" NULS NULS "\xc3\xbf\xc3\xbf\\u007f\\u0000\\u0000\\u0001\""
			[UEV_FORMAT_STRING8] = LATIN1,
			[UEV_FORMAT_STRING_UTF] = LATIN1,
			[UEV_FORMAT_STRING_UTF_BOM] = LATIN1,
			[UEV_FORMAT_STRING_XML] = LATIN1,
			[UEV_FORMAT_STRING_JSON] = LATIN1,
#undef LATIN1
#undef NULS
			[UEV_FORMAT_UUID] =
				"\"00000000-0000-0000-0000-ffff7f000001\"",
			[UEV_FORMAT_IP_ADDRESS] = "\"::ffff:127.0.0.1\"",
			[UEV_FORMAT_IP_ADDRESS_OBSOLETE] =
				"\"::ffff:127.0.0.1\"",
		},
	},
};

/* An event with one field, of any encoding and format, in any byte order. */
static void check_pair(unsigned int encoding, unsigned int format,
		       const char *payload, bool big, const char *value)
{
	char event[256], json[256];

	snprintf(event, sizeof(event),
		 "0%d 00 00 00 00 00 00 05 %c 'E' 00 'f' 00 %02x %02x %c %s",
		 big ? 5 : 7, big ? '<' : '[', encoding | UEV_ENCODING_CHAIN,
		 format, big ? '>' : ']', payload);
	snprintf(json, sizeof(json), "{ \"n\": \"Prov:E\", \"f\": %s }", value);
	check_event(event, json);

	/* As an element of an array it is the same. */
	snprintf(event, sizeof(event),
		 "0%d 00 00 00 00 00 00 05 %c 'E' 00 'f' 00 %02x %02x %c %s %s",
		 big ? 4 : 6, big ? '<' : '[',
		 encoding | UEV_ENCODING_CHAIN | UEV_ENCODING_VARRAY, format,
		 big ? '>' : ']', big ? "00 01" : "01 00", payload);
	snprintf(json, sizeof(json), "{ \"n\": \"Prov:E\", \"f\": [ %s ] }",
		 value);
	check_event(event, json);
}

TEST_LOOP(formats_each_pair, COUNT(pairs))
{
	const struct pair_row *row = &pairs[_i];
	unsigned int format;

	for (format = 0; format <= UEV_FORMAT_VALUE; format++) {
		/* Unknown formats are ignored. */
		unsigned int known = format < UEV_FORMAT_END ? format : 0;
		const char *json = row->json[known], *big_json;

		json = json ? json : row->json[UEV_FORMAT_DEFAULT];
		big_json = row->big_json[known];
		check_pair(row->encoding, format, row->little, false, json);
		check_pair(row->encoding, format, row->big, true,
			   big_json ? big_json : json);
	}
}

TEST(covers_every_encoding)
{
	bool is_there[UEV_ENCODING_END] = {
		[UEV_ENCODING_INVALID] = true, [UEV_ENCODING_STRUCT] = true
	};
	size_t i;

	for (i = 0; i < COUNT(pairs); i++)
		is_there[pairs[i].encoding] = true;
	for (i = 0; i < COUNT(is_there); i++)
		ck_assert_msg(is_there[i], "encoding %zu", i);
}

/* ---- Texts ---- */

static const struct text_row {
	uint8_t text;
	const char *bytes;
	const char *json;
} texts[] = {
	{ UEV_CHARSET_UTF8, "22 5c 2f 08 0c 0a 0d 09 0b 1f 7f",
	  "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u000b\\u001f\\u007f\"" },
	/* Characters that change the order of others, or are not shown */
	{ UEV_CHARSET_UTF8,
	  "e2 80 ae e2 81 a6 d8 9c e2 80 8b e2 80 a8 ef bb bf c2 ad",
	  "\"\\u202e\\u2066\\u061c\\u200b\\u2028\\ufeff\\u00ad\"" },
	{ UEV_CHARSET_UTF8, "f0 9d 85 b3 f3 a0 81 81",
	  "\"\\ud834\\udd73\\udb40\\udc41\"" },
	/* Their neighbours, and a combining character */
	{ UEV_CHARSET_UTF8, "e2 80 8a e2 80 90 e2 80 a7 e2 80 af 'e' cc 81",
	  "\"\xe2\x80\x8a\xe2\x80\x90\xe2\x80\xa7\xe2\x80\xaf"
	  "e\xcc\x81\"" },
	/* The first and the last character of every length. */
	{ UEV_CHARSET_UTF8,
	  "c2 80 df bf e0 a0 80 ef bf bf f0 90 80 80 f4 8f bf bf",
	  "\"\\u0080\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80"
	  "\xf4\x8f\xbf\xbf\"" },
	{ UEV_CHARSET_UTF8, "ed 9f bf ee 80 80",
	  "\"\xed\x9f\xbf\xee\x80\x80\"" },
	{ UEV_CHARSET_UTF8, "e1 80 80 ec bf bf f1 80 80 80 f3 bf bf bf",
	  "\"\xe1\x80\x80\xec\xbf\xbf\xf1\x80\x80\x80\xf3\xbf\xbf\xbf\"" },
	/* Not UTF-8: too long, half of a pair, too high, cut off, alone. */
	{ UEV_CHARSET_UTF8, "c0 80", "\"\xc3\x80\\u0080\"" },
	{ UEV_CHARSET_UTF8, "c1 bf", "\"\xc3\x81\xc2\xbf\"" },
	{ UEV_CHARSET_UTF8, "e0 9f bf", "\"\xc3\xa0\\u009f\xc2\xbf\"" },
	{ UEV_CHARSET_UTF8, "f0 8f bf bf",
	  "\"\xc3\xb0\\u008f\xc2\xbf\xc2\xbf\"" },
	{ UEV_CHARSET_UTF8, "ed a0 80", "\"\xc3\xad\xc2\xa0\\u0080\"" },
	{ UEV_CHARSET_UTF8, "f4 90 80 80",
	  "\"\xc3\xb4\\u0090\\u0080\\u0080\"" },
	{ UEV_CHARSET_UTF8, "f5 80 80 80",
	  "\"\xc3\xb5\\u0080\\u0080\\u0080\"" },
	{ UEV_CHARSET_UTF8, "e2 82", "\"\xc3\xa2\\u0082\"" },
	{ UEV_CHARSET_UTF8, "f0 9f 98", "\"\xc3\xb0\\u009f\\u0098\"" },
	{ UEV_CHARSET_UTF8, "e2 82 41", "\"\xc3\xa2\\u0082\x41\"" },
	{ UEV_CHARSET_UTF8, "f0 9f 41 80", "\"\xc3\xb0\\u009f\x41\\u0080\"" },
	{ UEV_CHARSET_UTF8, "c3", "\"\xc3\x83\"" },
	{ UEV_CHARSET_UTF8, "c3 41", "\"\xc3\x83\x41\"" },
	{ UEV_CHARSET_UTF8, "80 fe ff", "\"\\u0080\xc3\xbe\xc3\xbf\"" },
	{ UEV_CHARSET_LATIN1, "80 9f a0 ff 41",
	  "\"\\u0080\\u009f\xc2\xa0\xc3\xbf\x41\"" },
	{ UEV_CHARSET_UTF16LE, "3d d8 00 de ff db ff df",
	  "\"\xf0\x9f\x98\x80\xf4\x8f\xbf\xbf\"" },
	{ UEV_CHARSET_UTF16BE, "d8 3d de 00 ff ff",
	  "\"\xf0\x9f\x98\x80\xef\xbf\xbf\"" },
	/* Halves of pairs: alone, the second one first, two first ones. */
	{ UEV_CHARSET_UTF16LE, "3d d8", "\"" FFFD "\"" },
	{ UEV_CHARSET_UTF16LE, "3d d8 41 00", "\"" FFFD "A\"" },
	{ UEV_CHARSET_UTF16LE, "00 de 3d d8 00 de",
	  "\"" FFFD "\xf0\x9f\x98\x80\"" },
	{ UEV_CHARSET_UTF16BE, "d8 3d d8 3d de 00",
	  "\"" FFFD "\xf0\x9f\x98\x80\"" },
	{ UEV_CHARSET_UTF16BE, "d7 ff e0 00", "\"\xed\x9f\xbf\xee\x80\x80\"" },
	{ UEV_CHARSET_UTF16LE, "41 00 42", "\"A" FFFD "\"" },
	{ UEV_CHARSET_UTF16LE, "3d d8 00", "\"" FFFD FFFD "\"" },
	{ UEV_CHARSET_UTF32LE,
	  "ff ff 10 00 00 00 11 00 00 d8 00 00 41 00 00 00",
	  "\"\xf4\x8f\xbf\xbf" FFFD FFFD "A\"" },
	{ UEV_CHARSET_UTF32BE, "00 00 df ff 00 00 e0 00 ff 00 00 41",
	  "\"" FFFD "\xee\x80\x80" FFFD "\"" },
	{ UEV_CHARSET_UTF32LE, "41 00 00 00 42 00 00", "\"A" FFFD "\"" },
	{ UEV_CHARSET_UTF32BE, "00 00 00 41 00", "\"A" FFFD "\"" },
};

TEST_LOOP(text_is_always_valid, COUNT(texts))
{
	const struct text_row *row = &texts[_i];
	struct bytes bytes = bytes_of(row->bytes);
	struct uev_decoded_value value = {
		.type = UEV_DECODED_TEXT,
		.charset = row->text,
		.bytes = bytes.at,
		.size = bytes.size,
	};
	struct uev_output json = UEV_OUTPUT_INIT;

	ck_assert_int_eq(uev_decoded_value_append_json(&value, &json), 0);
	ck_assert_str_eq(json.text, row->json);
	json.size = 0;
	uev_output_append(&json, "{\"a\":", 5);
	ck_assert_int_eq(uev_decoded_value_append_json(&value, &json), 0);
	uev_output_append(&json, "}", 1);
	check_json(json.text);

	uev_output_release(&json);
	bytes_free(&bytes);
}

TEST(formats_long_text)
{
	struct uev_decoded_value value = { .type = UEV_DECODED_TEXT,
					   .charset = UEV_CHARSET_LATIN1 };
	struct uev_output text = UEV_OUTPUT_INIT;
	uint8_t bytes[5000];
	size_t size;

	memset(bytes, 0xe9, sizeof(bytes));
	value.bytes = bytes;
	for (size = 0; size < sizeof(bytes); size += 61) {
		value.size = size;
		text.size = 0;
		ck_assert_int_eq(uev_decoded_value_append_text(&value, &text),
				 0);
		ck_assert_uint_eq(text.size, 2 * size);
		ck_assert_uint_eq(strlen(text.text), 2 * size);
		/* An odd size, so that characters cross any boundary. */
		text.size = 0;
		bytes[0] = '\1';
		ck_assert_int_eq(uev_decoded_value_append_json(&value, &text),
				 0);
		ck_assert_uint_eq(text.size, size ? 2 * size + 6 : 2);
		bytes[0] = 0xe9;
	}
	uev_output_release(&text);
}

static const struct mark_row {
	const char *bytes;
	const char *json;
} mark_rows[] = {
	{ "ef bb bf 'a' c3 a9", "\"a\xc3\xa9\"" },
	{ "ff fe 'a' 00 ac 20", "\"a\xe2\x82\xac\"" },
	{ "fe ff 00 'a' 20 ac", "\"a\xe2\x82\xac\"" },
	{ "ff fe 00 00 'a' 00 00 00", "\"a\"" },
	{ "00 00 fe ff 00 00 00 'a'", "\"a\"" },
	{ "ff fe", "\"\"" },
	{ "ef bb", "\"\xc3\xaf\xc2\xbb\"" },
	{ "'a' ef bb bf", "\"a\\ufeff\"" },
};

/* On bytes, a mark says which text they are. */
TEST_LOOP(byte_order_mark_selects_the_encoding, COUNT(mark_rows))
{
	const struct mark_row *row = &mark_rows[_i];
	struct bytes bytes = bytes_of(row->bytes);
	char payload[64];

	snprintf(payload, sizeof(payload), "%02zx 00 %s", bytes.size,
		 row->bytes);
	check_pair(UEV_ENCODING_STRING8, UEV_FORMAT_STRING_UTF_BOM, payload,
		   false, row->json);
	check_pair(UEV_ENCODING_STRING8, UEV_FORMAT_STRING_XML, payload, false,
		   row->json);
	check_pair(UEV_ENCODING_BINARY, UEV_FORMAT_STRING_JSON, payload, false,
		   row->json);
	bytes_free(&bytes);
}

TEST(keeps_a_mark_in_other_formats)
{
	check_pair(UEV_ENCODING_STRING8, UEV_FORMAT_STRING_UTF,
		   "04 00 ef bb bf 'a'", false,
		   "\"\\ufeff"
		   "a\"");
	check_pair(UEV_ENCODING_STRING8, UEV_FORMAT_STRING8,
		   "04 00 ef bb bf 'a'", false,
		   "\"\xc3\xaf\xc2\xbb\xc2\xbf"
		   "a\"");
	/* And one may say that units are of the other byte order. */
	check_pair(UEV_ENCODING_STRING16, UEV_FORMAT_STRING_UTF_BOM,
		   "02 00 fe ff 20 ac", false, "\"\xe2\x82\xac\"");
}

/* ---- Numbers and times ---- */

static const struct float_row {
	uint64_t bits;
	const char *json;
} doubles[] = {
	{ 0x3fb999999999999a, "0.1" },
	{ 0x4415af1d78b58c40, "1e+20" },
	{ 0x3e7ad7f29abcaf48, "1e-07" },
	{ 0x419d6f3454000000, "123456789" },
	{ 0x430c6bf526340000, "1e+15" },
	{ 0x8000000000000000, "-0" },
	{ 0x0000000000000000, "0" },
	{ 0x3ff0000000000000, "1" },
	{ 0xc0c3880000000000, "-10000" },
	{ 0x40f86a0000000000, "1e+05" },
	{ 0x3f50624dd2f1a9fc, "0.001" },
	{ 0x3f1a36e2eb1c432d, "1e-04" },
	{ 0x3f202e4b6ce5dc68, "0.00012345" },
	{ 0x400921fb54442d18, "3.141592653589793" },
	{ 0x3fd3333333333334, "0.30000000000000004" },
	{ 0x7fefffffffffffff, "1.7976931348623157e+308" },
	{ 0x0010000000000000, "2.2250738585072014e-308" },
	{ 0x0000000000000001, "5e-324" },
	{ 0x43b0000000000000, "1152921504606846976" },
	{ 0x444b1ae4d6e2ef50, "1e+21" },
	/* Where those below lie closer together than those above. */
	{ 0x3d00000000000000, "7.105427357601002e-15" },
	{ 0x4340000000000000, "9007199254740992" },
	{ 0x7ff0000000000000, "\"inf\"" },
	{ 0xfff0000000000000, "\"-inf\"" },
	{ 0x7ff8000000000000, "\"nan\"" },
	{ 0xfff8000000000001, "\"-nan\"" },
}, singles[] = {
	{ 0x3dcccccd, "0.1" },
	{ 0x60ad78ec, "1e+20" },
	{ 0x40490fdb, "3.1415927" },
	{ 0x7f7fffff, "3.4028235e+38" },
	{ 0x00800000, "1.1754944e-38" },
	{ 0x00000001, "1e-45" },
	{ 0x4b800000, "16777216" },
	{ 0xbf800000, "-1" },
	{ 0x80000000, "-0" },
	{ 0x7f800000, "\"inf\"" },
	{ 0xff800000, "\"-inf\"" },
	{ 0x7fc00000, "\"nan\"" },
	{ 0xffc00000, "\"-nan\"" },
};

static void check_big(uint8_t encoding, uint8_t format, uint64_t bits,
		      const char *json)
{
	int digits = encoding == UEV_ENCODING_VALUE32 ? 8 : 16;
	char payload[32];

	snprintf(payload, sizeof(payload), "%0*llx", digits,
		 (unsigned long long)bits);
	check_pair(encoding, format, payload, true, json);
}

TEST_LOOP(double_has_shortest_digits, COUNT(doubles))
{
	check_big(UEV_ENCODING_VALUE64, UEV_FORMAT_FLOAT, doubles[_i].bits,
		  doubles[_i].json);
}

TEST_LOOP(single_has_shortest_digits, COUNT(singles))
{
	check_big(UEV_ENCODING_VALUE32, UEV_FORMAT_FLOAT, singles[_i].bits,
		  singles[_i].json);
}

/* JSON has a decimal point in any locale. */
TEST(ignores_the_locale)
{
	static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8",
					       "C.UTF-8", "C" };
	size_t i;

	for (i = 0; i < COUNT(locales); i++)
		if (setlocale(LC_ALL, locales[i]))
			check_big(UEV_ENCODING_VALUE64, UEV_FORMAT_FLOAT,
				  0x3ff8000000000000, "1.5");
	/* The last one is always there. */
	ck_assert_str_eq(setlocale(LC_ALL, NULL), "C");
}

static const struct time_row {
	int64_t seconds;
	const char *json;
} times[] = {
	{ 0, "\"1970-01-01T00:00:00\"" },
	{ -1, "\"1969-12-31T23:59:59\"" },
	{ 951782399, "\"2000-02-28T23:59:59\"" },
	{ 951782400, "\"2000-02-29T00:00:00\"" },
	{ 951868800, "\"2000-03-01T00:00:00\"" },
	{ 1709208000, "\"2024-02-29T12:00:00\"" },
	{ 1709294400, "\"2024-03-01T12:00:00\"" },
	{ 4107542399, "\"2100-02-28T23:59:59\"" },
	{ 4107542400, "\"2100-03-01T00:00:00\"" },
	{ 978307199, "\"2000-12-31T23:59:59\"" },
	{ 978307200, "\"2001-01-01T00:00:00\"" },
	{ INT32_MIN, "\"1901-12-13T20:45:52\"" },
	{ 253402300799, "\"9999-12-31T23:59:59\"" },
	{ 253402300800, "\"10000-01-01T00:00:00\"" },
	{ -62167219200, "\"0000-01-01T00:00:00\"" },
	{ -62167219201, "\"-0001-12-31T23:59:59\"" },
	{ -62135596800, "\"0001-01-01T00:00:00\"" },
	{ 67768036191676799, "\"2147485547-12-31T23:59:59\"" },
	{ 67768036191676800, "\"TIME(67768036191676800)\"" },
	{ -67768040609740800, "\"-2147481748-01-01T00:00:00\"" },
	{ -67768040609740801, "\"TIME(-67768040609740801)\"" },
	{ INT64_MAX, "\"TIME(9223372036854775807)\"" },
	{ INT64_MIN, "\"TIME(-9223372036854775808)\"" },
};

TEST_LOOP(time_is_a_date, COUNT(times))
{
	check_big(UEV_ENCODING_VALUE64, UEV_FORMAT_TIME,
		  (uint64_t)times[_i].seconds, times[_i].json);
}

static const struct errno_row {
	int32_t number;
	const char *json;
} errnos[] = {
	{ 0, "\"ERRNO(0)\"" },
	{ 1, "\"EPERM(1)\"" },
	{ 2, "\"ENOENT(2)\"" },
	{ 11, "\"EAGAIN(11)\"" },
	{ 35, "\"EDEADLK(35)\"" },
	{ 41, "\"ERRNO(41)\"" },
	{ 58, "\"ERRNO(58)\"" },
	{ 95, "\"EOPNOTSUPP(95)\"" },
	{ 133, "\"EHWPOISON(133)\"" },
	{ 134, "\"ERRNO(134)\"" },
	{ -1, "\"ERRNO(-1)\"" },
	{ INT32_MIN, "\"ERRNO(-2147483648)\"" },
	{ INT32_MAX, "\"ERRNO(2147483647)\"" },
};

TEST_LOOP(error_has_a_name, COUNT(errnos))
{
	check_big(UEV_ENCODING_VALUE32, UEV_FORMAT_ERRNO,
		  (uint32_t)errnos[_i].number, errnos[_i].json);
}

TEST(errors_between_1_and_133_have_names)
{
	int number;

	for (number = 1; number <= 133; number++) {
		const char *name = uev_errno_name(number);

		if (number == 41 || number == 58)
			ck_assert_ptr_null(name);
		else
			ck_assert_msg(name && *name == 'E', "%d", number);
	}
	ck_assert_ptr_null(uev_errno_name(0));
	ck_assert_ptr_null(uev_errno_name(134));
	ck_assert_ptr_null(uev_errno_name(-1));
}

/* ---- Typed values ---- */

/* The value of an event's only field. */
static struct uev_decoded_value value_of(struct uev_decoder *decoder,
					 const struct bytes *event)
{
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT,
						       event->at, event->size),
			 0);
	ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_VALUE);

	return uev_decoder_item(decoder)->value;
}

static const struct typed_row {
	const char *field;
	uint8_t type;
	int64_t number;
} typed[] = {
	{ "02 ] ff", UEV_DECODED_UNSIGNED, 255 },
	{ "82 02 ] ff", UEV_DECODED_SIGNED, -1 },
	{ "83 03 ] 34 12", UEV_DECODED_HEX, 0x1234 },
	{ "84 04 ] 02 00 00 00", UEV_DECODED_ERRNO, 2 },
	{ "84 05 ] ff ff ff ff", UEV_DECODED_PID, -1 },
	{ "84 06 ] ff ff ff ff", UEV_DECODED_TIME, -1 },
	{ "85 06 ] ff ff ff ff 01 00 00 00", UEV_DECODED_TIME, 0x1ffffffff },
	{ "83 10 ] 00 50", UEV_DECODED_PORT, 80 },
	{ "82 07 ] 02", UEV_DECODED_UNSIGNED, 2 },
	{ "84 07 ] ff ff ff ff", UEV_DECODED_SIGNED, -1 },
	{ "8d 02 ] 02 00 fe ff", UEV_DECODED_SIGNED, -2 },
};

TEST_LOOP(formats_numbers, COUNT(typed))
{
	struct uev_decoder *decoder = new_decoder();
	struct bytes event = bytes_of("07 00 00 00 00 00 00 05 ");
	struct uev_decoded_value value;
	char text[64];

	snprintf(text, sizeof(text), "[ 'E' 00 'f' 00 %s", typed[_i].field);
	bytes_append(&event, text);
	value = value_of(decoder, &event);
	ck_assert_int_eq(value.type, typed[_i].type);
	ck_assert_int_eq(value.i64, typed[_i].number);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

TEST(formats_other_values)
{
	struct uev_decoder *decoder = new_decoder();
	struct bytes event;
	struct uev_decoded_value value;

	event = bytes_of("07 00 00 00 00 00 00 05 [ 'E' 00 'f' 00 82 07 ] 01");
	value = value_of(decoder, &event);
	ck_assert_int_eq(value.type, UEV_DECODED_BOOL);
	ck_assert(value.boolean);
	ck_assert_ptr_eq(value.bytes, event.at + event.size - 1);
	ck_assert_uint_eq(value.size, 1);
	bytes_free(&event);

	event = bytes_of("07 00 00 00 00 00 00 05 [ 'E' 00 'f' 00 84 08 ]"
			 "00 00 20 40");
	value = value_of(decoder, &event);
	ck_assert_int_eq(value.type, UEV_DECODED_FLOAT);
	ck_assert_double_eq(value.f64, 2.5);
	ck_assert_uint_eq(value.size, 4);
	bytes_free(&event);

	event = bytes_of("07 00 00 00 00 00 00 05 [ 'E' 00 'f' 00 8b 0c ]"
			 "02 00 ff fe 'a' 00");
	value = value_of(decoder, &event);
	ck_assert_int_eq(value.type, UEV_DECODED_TEXT);
	ck_assert_int_eq(value.charset, UEV_CHARSET_UTF16LE);
	ck_assert_ptr_eq(value.bytes, event.at + event.size - 2);
	ck_assert_uint_eq(value.size, 2);
	bytes_free(&event);

	event = bytes_of("07 00 00 00 00 00 00 05 [ 'E' 00 'f' 00 07 ]"
			 "'abc' 00");
	value = value_of(decoder, &event);
	ck_assert_int_eq(value.type, UEV_DECODED_TEXT);
	ck_assert_int_eq(value.charset, UEV_CHARSET_UTF8);
	ck_assert_ptr_eq(value.bytes, event.at + event.size - 4);
	ck_assert_uint_eq(value.size, 3);
	bytes_free(&event);

	event = bytes_of("05 00 00 00 00 00 00 05 < 'E' 00 'f' 00 0c >"
			 "00 01 00 00 00 'a'");
	value = value_of(decoder, &event);
	ck_assert_int_eq(value.charset, UEV_CHARSET_UTF32BE);
	bytes_free(&event);

	event = bytes_of("07 00 00 00 00 00 00 05 [ 'E' 00 'f' 00 8d 0f ]"
			 "00 00");
	value = value_of(decoder, &event);
	ck_assert_int_eq(value.type, UEV_DECODED_NULL);
	ck_assert_uint_eq(value.size, 0);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

TEST(text_has_no_quotes_and_escapes)
{
	static const uint8_t bytes[16] = { '"', '\n', 0, 0xe9, 'a' };
	static const struct {
		struct uev_decoded_value value;
		const char *text;
	} rows[] = {
		{ { .type = UEV_DECODED_TEXT,
		    .charset = UEV_CHARSET_LATIN1,
		    .bytes = bytes,
		    .size = 2 },
		  "\"\n" },
		{ { .type = UEV_DECODED_TEXT,
		    .charset = UEV_CHARSET_UTF8,
		    .bytes = bytes + 3,
		    .size = 2 },
		  "\xc3\xa9"
		  "a" },
		{ { .type = UEV_DECODED_HEX, .u64 = 31 }, "0x1F" },
		{ { .type = UEV_DECODED_NULL }, "null" },
		{ { .type = UEV_DECODED_BOOL, .boolean = false }, "false" },
		{ { .type = UEV_DECODED_ERRNO, .i64 = 13 }, "EACCES(13)" },
		{ { .type = UEV_DECODED_ERRNO, .i64 = (1LL << 32) + 2 },
		  "ERRNO(4294967298)" },
		{ { .type = UEV_DECODED_BYTES, .bytes = bytes, .size = 2 },
		  "22 0a" },
		{ { .type = UEV_DECODED_BYTES, .bytes = bytes }, "" },
		{ { .type = UEV_DECODED_IPV4, .bytes = bytes }, "34.10.0.233" },
		{ { .type = UEV_DECODED_TIME, .i64 = 59 },
		  "1970-01-01T00:00:59" },
		{ { .type = UEV_DECODED_PORT, .u64 = 443 }, "443" },
		{ { .type = UEV_DECODED_FLOAT, .f64 = -0.5, .size = 8 },
		  "-0.5" },
	};
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		text.size = 0;
		ck_assert_int_eq(uev_decoded_value_append_text(&rows[i].value,
							       &text),
				 0);
		ck_assert_str_eq(text.text, rows[i].text);
		ck_assert_uint_eq(text.size, strlen(rows[i].text));
	}
	/* A NUL is a character like others. */
	text.size = 0;
	ck_assert_int_eq(uev_decoded_value_append_text(
				 &(struct uev_decoded_value){
					 .type = UEV_DECODED_TEXT,
					 .charset = UEV_CHARSET_UTF8,
					 .bytes = bytes,
					 .size = 3 },
				 &text),
			 0);
	ck_assert_uint_eq(text.size, 3);
	ck_assert_mem_eq(text.text, "\"\n\0", 4);
	uev_output_release(&text);
}

/* ---- The text that grows ---- */

TEST(output_grows_and_is_reused)
{
	struct uev_output string = UEV_OUTPUT_INIT;
	size_t i;

	ck_assert_int_eq(uev_output_append(&string, NULL, 0), 0);
	ck_assert_str_eq(string.text, "");
	for (i = 1; i <= 1000; i++) {
		ck_assert_int_eq(uev_output_append(&string, "ab", i % 3), 0);
		ck_assert_uint_eq(strlen(string.text), string.size);
		ck_assert_uint_lt(string.size, string.room);
	}
	ck_assert_uint_eq(string.size, 999 + 1);
	uev_output_release(&string);
	ck_assert_ptr_null(string.text);
	ck_assert_uint_eq(string.size, 0);
	ck_assert_uint_eq(string.room, 0);
	ck_assert_int_eq(uev_output_append(&string, "again", 5), 0);
	ck_assert_str_eq(string.text, "again");
	uev_output_release(&string);
}

TEST(out_of_memory_leaves_output_unchanged)
{
	static const struct uev_decoded_value values[] = {
		{ .type = UEV_DECODED_NULL },
		{ .type = UEV_DECODED_BOOL },
		{ .type = UEV_DECODED_UNSIGNED, .u64 = 12 },
		{ .type = UEV_DECODED_FLOAT, .size = 8 },
		{ .type = UEV_DECODED_TIME },
		{ .type = UEV_DECODED_ERRNO },
		{ .type = UEV_DECODED_UUID,
		  .bytes = (const uint8_t *)"0123456789abcdef" },
		{ .type = UEV_DECODED_IPV6,
		  .bytes = (const uint8_t *)"0123456789abcdef" },
		{ .type = UEV_DECODED_BYTES,
		  .bytes = (const uint8_t *)"01",
		  .size = 2 },
		{ .type = UEV_DECODED_TEXT,
		  .bytes = (const uint8_t *)"01",
		  .size = 2 },
	};
	/* A text of which there can be no more. */
	struct uev_output string = { .size = SIZE_MAX / 2 };
	size_t i, size = string.size;

	ck_assert_int_eq(uev_output_append(&string, "ab", 2), -ENOMEM);
	ck_assert_uint_eq(string.size, size);
	for (i = 0; i < COUNT(values); i++) {
		ck_assert_int_eq(uev_decoded_value_append_text(&values[i],
							       &string),
				 -ENOMEM);
		ck_assert_int_eq(uev_decoded_value_append_json(&values[i],
							       &string),
				 -ENOMEM);
		ck_assert_uint_eq(string.size, size);
		ck_assert_ptr_null(string.text);
	}
}
