/* SPDX-License-Identifier: MIT */
/*
 * Every encoding of EventHeader with every matching format: the argument of a
 * program, the resulting bytes in each byte order, and the JSON of these. All
 * written by hand.
 *
 * These are macros, because arguments of the library's macros must be
 * constants. Each calls ROW() for its rows:
 *
 *	VECTOR_VALUES: ROW(encoding, format, type, value, ...)
 *	VECTOR_ZSTRINGS: ROW(encoding, format, units, ...)
 *	VECTOR_STRINGS: ROW(encoding, format, units, number of units, ...)
 *	VECTOR_BINARIES: ROW(format, bytes, number of bytes, ...)
 *
 * followed by the bytes of the field in the metadata without its name, its
 * payload in little-endian and in big-endian order, its JSON, and the JSON of
 * the big-endian one, or NULL if that is the same.
 */
#ifndef UEV_TESTS_VECTORS_H
#define UEV_TESTS_VECTORS_H

#include <stddef.h>
#include <stdint.h>

/*
 * struct vector_bytes - bytes, among which may be zeroes
 */
struct vector_bytes {
	const char *at;
	size_t size;
};

/*
 * struct vector - The part of a row that is not for macros
 * @name: "ENCODING FORMAT"
 * @meta: metadata after the field's name
 * @little: the payload
 * @big: the payload of a big-endian machine
 * @json: the value
 * @big_json: the value of @big, or NULL if it is the same
 */
struct vector {
	const char *name;
	struct vector_bytes meta;
	struct vector_bytes little;
	struct vector_bytes big;
	const char *json;
	const char *big_json;
};

/* All rows, in the order of the macros below. */
extern const struct vector vectors[];
extern const size_t vector_count;

/* Bytes of the longest event of a row. */
#define VECTOR_EVENT_MAX 64

size_t vector_event(const struct vector *vector, int is_big,
		    unsigned char *bytes);

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define VECTOR_IS_BIG 0
#define VECTOR_NATIVE(little, big) little
/* Bytes of one number, the lowest first, in the machine's order. */
#define BYTES_2(a, b) a b
#define BYTES_4(a, b, c, d) a b c d
#define BYTES_8(a, b, c, d, e, f, g, h) a b c d e f g h
#else
#define VECTOR_IS_BIG 1
#define VECTOR_NATIVE(little, big) big
#define BYTES_2(a, b) b a
#define BYTES_4(a, b, c, d) d c b a
#define BYTES_8(a, b, c, d, e, f, g, h) h g f e d c b a
#endif

/* The first bytes of 8, for types of the size of a pointer. */
#if __SIZEOF_POINTER__ == 8
#define VECTOR_IS_64 1
#define BYTES_WORD(a, b, c, d, e, f, g, h) BYTES_8(a, b, c, d, e, f, g, h)
#else
#define VECTOR_IS_64 0
#define BYTES_WORD(a, b, c, d, e, f, g, h) BYTES_4(a, b, c, d)
#endif

#define VALUE_128 \
	"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff"
#define JSON_128 "\"00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff\""
#define JSON_UUID "\"00112233-4455-6677-8899-aabbccddeeff\""
#define JSON_IPV6 "\"11:2233:4455:6677:8899:aabb:ccdd:eeff\""

#define VALUE_32 0x12345678
#define LITTLE_32 "\x78\x56\x34\x12"
#define BIG_32 "\x12\x34\x56\x78"
#define VALUE_64 0x0123456789abcdef
#define LITTLE_64 "\xef\xcd\xab\x89\x67\x45\x23\x01"
#define BIG_64 "\x01\x23\x45\x67\x89\xab\xcd\xef"

/* clang-format off */
#define VECTOR_VALUES(ROW) \
ROW(VALUE8, DEFAULT, uint8_t, 0xa5, "\x02", "\xa5", "\xa5", "165", NULL) \
ROW(VALUE8, UNSIGNED, uint8_t, 0xa5, "\x82\x01", "\xa5", "\xa5", "165", NULL) \
ROW(VALUE8, SIGNED, int8_t, -2, "\x82\x02", "\xfe", "\xfe", "-2", NULL) \
ROW(VALUE8, HEX, uint8_t, 0xa5, "\x82\x03", "\xa5", "\xa5", "\"0xA5\"", NULL) \
ROW(VALUE8, BOOLEAN, bool, true, "\x82\x07", "\x01", "\x01", "true", NULL) \
ROW(VALUE8, HEX_BYTES, uint8_t, 0xa5, "\x82\x09", "\xa5", "\xa5", "\"a5\"", \
    NULL) \
ROW(VALUE8, STRING8, char, 'c', "\x82\x0a", "c", "c", "\"c\"", NULL) \
ROW(VALUE16, DEFAULT, uint16_t, 0xa5b6, "\x03", "\xb6\xa5", "\xa5\xb6", \
    "42422", NULL) \
ROW(VALUE16, UNSIGNED, uint16_t, 0xa5b6, "\x83\x01", "\xb6\xa5", "\xa5\xb6", \
    "42422", NULL) \
ROW(VALUE16, SIGNED, int16_t, -2, "\x83\x02", "\xfe\xff", "\xff\xfe", "-2", \
    NULL) \
ROW(VALUE16, HEX, uint16_t, 0xa5b6, "\x83\x03", "\xb6\xa5", "\xa5\xb6", \
    "\"0xA5B6\"", NULL) \
ROW(VALUE16, BOOLEAN, uint16_t, 1, "\x83\x07", "\x01\x00", "\x00\x01", \
    "true", NULL) \
ROW(VALUE16, HEX_BYTES, uint16_t, 0xa5b6, "\x83\x09", "\xb6\xa5", \
    "\xa5\xb6", "\"b6 a5\"", "\"a5 b6\"") \
ROW(VALUE16, STRING_UTF, uint16_t, 0x20ac, "\x83\x0b", "\xac\x20", \
    "\x20\xac", "\"\xe2\x82\xac\"", NULL) \
ROW(VALUE16, PORT, uint16_t, VECTOR_NATIVE(0x5000, 0x0050), "\x83\x10", \
    "\x00\x50", "\x00\x50", "80", NULL) \
ROW(VALUE32, DEFAULT, uint32_t, VALUE_32, "\x04", LITTLE_32, BIG_32, \
    "305419896", NULL) \
ROW(VALUE32, UNSIGNED, uint32_t, VALUE_32, "\x84\x01", LITTLE_32, BIG_32, \
    "305419896", NULL) \
ROW(VALUE32, SIGNED, int32_t, -2, "\x84\x02", "\xfe\xff\xff\xff", \
    "\xff\xff\xff\xfe", "-2", NULL) \
ROW(VALUE32, HEX, uint32_t, VALUE_32, "\x84\x03", LITTLE_32, BIG_32, \
    "\"0x12345678\"", NULL) \
ROW(VALUE32, ERRNO, int32_t, 2, "\x84\x04", "\x02\x00\x00\x00", \
    "\x00\x00\x00\x02", "\"ENOENT(2)\"", NULL) \
ROW(VALUE32, PID, int32_t, 4711, "\x84\x05", "\x67\x12\x00\x00", \
    "\x00\x00\x12\x67", "4711", NULL) \
ROW(VALUE32, TIME, int32_t, 1700000000, "\x84\x06", "\x00\xf1\x53\x65", \
    "\x65\x53\xf1\x00", "\"2023-11-14T22:13:20\"", NULL) \
ROW(VALUE32, BOOLEAN, int32_t, 1, "\x84\x07", "\x01\x00\x00\x00", \
    "\x00\x00\x00\x01", "true", NULL) \
ROW(VALUE32, FLOAT, float, 1.5F, "\x84\x08", "\x00\x00\xc0\x3f", \
    "\x3f\xc0\x00\x00", "1.5", NULL) \
ROW(VALUE32, HEX_BYTES, uint32_t, VALUE_32, "\x84\x09", LITTLE_32, BIG_32, \
    "\"78 56 34 12\"", "\"12 34 56 78\"") \
ROW(VALUE32, STRING_UTF, uint32_t, 0x1f600, "\x84\x0b", "\x00\xf6\x01\x00", \
    "\x00\x01\xf6\x00", "\"\xf0\x9f\x98\x80\"", NULL) \
ROW(VALUE32, IP_ADDRESS, uint32_t, VECTOR_NATIVE(0x0100007f, 0x7f000001), \
    "\x84\x11", "\x7f\x00\x00\x01", "\x7f\x00\x00\x01", "\"127.0.0.1\"", \
    NULL) \
ROW(VALUE64, DEFAULT, uint64_t, VALUE_64, "\x05", LITTLE_64, BIG_64, \
    "81985529216486895", NULL) \
ROW(VALUE64, UNSIGNED, uint64_t, VALUE_64, "\x85\x01", LITTLE_64, BIG_64, \
    "81985529216486895", NULL) \
ROW(VALUE64, SIGNED, int64_t, -2, "\x85\x02", \
    "\xfe\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xfe", \
    "-2", NULL) \
ROW(VALUE64, HEX, uint64_t, VALUE_64, "\x85\x03", LITTLE_64, BIG_64, \
    "\"0x123456789ABCDEF\"", NULL) \
ROW(VALUE64, TIME, int64_t, -2, "\x85\x06", \
    "\xfe\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\xff\xff\xff\xfe", \
    "\"1969-12-31T23:59:58\"", NULL) \
ROW(VALUE64, FLOAT, double, -2, "\x85\x08", \
    "\x00\x00\x00\x00\x00\x00\x00\xc0", "\xc0\x00\x00\x00\x00\x00\x00\x00", \
    "-2", NULL) \
ROW(VALUE64, HEX_BYTES, uint64_t, VALUE_64, "\x85\x09", LITTLE_64, BIG_64, \
    "\"ef cd ab 89 67 45 23 01\"", "\"01 23 45 67 89 ab cd ef\"") \
ROW(VALUE128, DEFAULT, struct uev_value128, uev_eh_load_(VALUE_128), "\x06", \
    VALUE_128, VALUE_128, JSON_128, NULL) \
ROW(VALUE128, HEX_BYTES, struct uev_value128, uev_eh_load_(VALUE_128), \
    "\x86\x09", VALUE_128, VALUE_128, JSON_128, NULL) \
ROW(VALUE128, UUID, struct uev_value128, uev_eh_load_(VALUE_128), \
    "\x86\x0f", VALUE_128, VALUE_128, JSON_UUID, NULL) \
ROW(VALUE128, IP_ADDRESS, struct uev_value128, uev_eh_load_(VALUE_128), \
    "\x86\x11", VALUE_128, VALUE_128, JSON_IPV6, NULL)

#define VECTOR_ZSTRINGS(ROW) \
ROW(ZSTRING8, DEFAULT, "ab", "\x07", "ab\0", "ab\0", "\"ab\"", NULL) \
ROW(ZSTRING8, HEX_BYTES, "ab", "\x87\x09", "ab\0", "ab\0", "\"61 62\"", NULL) \
ROW(ZSTRING8, STRING8, "\xe9", "\x87\x0a", "\xe9\0", "\xe9\0", \
    "\"\xc3\xa9\"", NULL) \
ROW(ZSTRING8, STRING_UTF, "\xc3\xa9", "\x87\x0b", "\xc3\xa9\0", \
    "\xc3\xa9\0", "\"\xc3\xa9\"", NULL) \
ROW(ZSTRING8, STRING_UTF_BOM, "\xef\xbb\xbf" "b", "\x87\x0c", \
    "\xef\xbb\xbf" "b\0", "\xef\xbb\xbf" "b\0", "\"b\"", NULL) \
ROW(ZSTRING8, STRING_XML, "ab", "\x87\x0d", "ab\0", "ab\0", "\"ab\"", NULL) \
ROW(ZSTRING8, STRING_JSON, "", "\x87\x0e", "\0", "\0", "\"\"", NULL) \
ROW(ZSTRING16, DEFAULT, u"a€", "\x08", "a\0\xac\x20\0\0", \
    "\0a\x20\xac\0\0", "\"a€\"", NULL) \
ROW(ZSTRING16, HEX_BYTES, u"a", "\x88\x09", "a\0\0\0", "\0a\0\0", \
    "\"61 00\"", "\"00 61\"") \
ROW(ZSTRING16, STRING8, u"a", "\x88\x0a", "a\0\0\0", "\0a\0\0", "\"a\"", \
    NULL) \
ROW(ZSTRING16, STRING_UTF, u"a", "\x88\x0b", "a\0\0\0", "\0a\0\0", "\"a\"", \
    NULL) \
ROW(ZSTRING16, STRING_UTF_BOM, u"\ufeffa", "\x88\x0c", \
    "\xff\xfe" "a\0\0\0", "\xfe\xff\0a\0\0", "\"a\"", NULL) \
ROW(ZSTRING16, STRING_XML, u"a", "\x88\x0d", "a\0\0\0", "\0a\0\0", "\"a\"", \
    NULL) \
ROW(ZSTRING16, STRING_JSON, u"", "\x88\x0e", "\0\0", "\0\0", "\"\"", NULL) \
ROW(ZSTRING32, DEFAULT, U"a€", "\x09", "a\0\0\0\xac\x20\0\0\0\0\0\0", \
    "\0\0\0a\0\0\x20\xac\0\0\0\0", "\"a€\"", NULL) \
ROW(ZSTRING32, HEX_BYTES, U"a", "\x89\x09", "a\0\0\0\0\0\0\0", \
    "\0\0\0a\0\0\0\0", "\"61 00 00 00\"", "\"00 00 00 61\"") \
ROW(ZSTRING32, STRING8, U"a", "\x89\x0a", "a\0\0\0\0\0\0\0", \
    "\0\0\0a\0\0\0\0", "\"a\"", NULL) \
ROW(ZSTRING32, STRING_UTF, U"a", "\x89\x0b", "a\0\0\0\0\0\0\0", \
    "\0\0\0a\0\0\0\0", "\"a\"", NULL) \
ROW(ZSTRING32, STRING_UTF_BOM, U"\ufeffa", "\x89\x0c", \
    "\xff\xfe\0\0a\0\0\0\0\0\0\0", "\0\0\xfe\xff\0\0\0a\0\0\0\0", "\"a\"", \
    NULL) \
ROW(ZSTRING32, STRING_XML, U"a", "\x89\x0d", "a\0\0\0\0\0\0\0", \
    "\0\0\0a\0\0\0\0", "\"a\"", NULL) \
ROW(ZSTRING32, STRING_JSON, U"", "\x89\x0e", "\0\0\0\0", "\0\0\0\0", \
    "\"\"", NULL)

/* Bytes in every format, because a value can be missing. */
#define VECTOR_BYTES(ROW, code, ...) \
ROW(__VA_ARGS__, UNSIGNED, "\1\2", 2, code "\x01", "\2\0\1\2", "\0\2\1\2", \
    "513", "258") \
ROW(__VA_ARGS__, SIGNED, "\xff\xfe", 2, code "\x02", "\2\0\xff\xfe", \
    "\0\2\xff\xfe", "-257", "-2") \
ROW(__VA_ARGS__, HEX, "\1\2", 2, code "\x03", "\2\0\1\2", "\0\2\1\2", \
    "\"0x201\"", "\"0x102\"") \
ROW(__VA_ARGS__, ERRNO, "\2\0\0\0", 4, code "\x04", "\4\0\2\0\0\0", \
    "\0\4\2\0\0\0", "\"ENOENT(2)\"", "\"ERRNO(33554432)\"") \
ROW(__VA_ARGS__, PID, "\2\0\0\0", 4, code "\x05", "\4\0\2\0\0\0", \
    "\0\4\2\0\0\0", "2", "33554432") \
ROW(__VA_ARGS__, TIME, "\2\0\0\0", 4, code "\x06", "\4\0\2\0\0\0", \
    "\0\4\2\0\0\0", "\"1970-01-01T00:00:02\"", "\"1971-01-24T08:40:32\"") \
ROW(__VA_ARGS__, BOOLEAN, "\1", 1, code "\x07", "\1\0\1", "\0\1\1", "true", \
    NULL) \
ROW(__VA_ARGS__, FLOAT, "\x40\0\0\x40", 4, code "\x08", \
    "\4\0\x40\0\0\x40", "\0\4\x40\0\0\x40", "2.0000153", NULL) \
ROW(__VA_ARGS__, HEX_BYTES, "ab", 2, code "\x09", "\2\0ab", "\0\2ab", \
    "\"61 62\"", NULL) \
ROW(__VA_ARGS__, STRING8, "\xe9", 1, code "\x0a", "\1\0\xe9", "\0\1\xe9", \
    "\"\xc3\xa9\"", NULL) \
ROW(__VA_ARGS__, STRING_UTF, "ab", 2, code "\x0b", "\2\0ab", "\0\2ab", \
    "\"ab\"", NULL) \
ROW(__VA_ARGS__, STRING_UTF_BOM, "\xef\xbb\xbf" "b", 4, code "\x0c", \
    "\4\0\xef\xbb\xbf" "b", "\0\4\xef\xbb\xbf" "b", "\"b\"", NULL) \
ROW(__VA_ARGS__, STRING_XML, "ab", 2, code "\x0d", "\2\0ab", "\0\2ab", \
    "\"ab\"", NULL) \
ROW(__VA_ARGS__, STRING_JSON, "", 0, code "\x0e", "\0\0", "\0\0", "\"\"", \
    NULL) \
ROW(__VA_ARGS__, UUID, VALUE_128, 16, code "\x0f", "\x10\0" VALUE_128, \
    "\0\x10" VALUE_128, JSON_UUID, NULL) \
ROW(__VA_ARGS__, PORT, "\0\x50", 2, code "\x10", "\2\0\0\x50", \
    "\0\2\0\x50", "80", NULL) \
ROW(__VA_ARGS__, IP_ADDRESS, "\x7f\0\0\1", 4, code "\x11", \
    "\4\0\x7f\0\0\1", "\0\4\x7f\0\0\1", "\"127.0.0.1\"", NULL)

#define VECTOR_STRINGS(ROW) \
ROW(STRING8, DEFAULT, "ab", 2, "\x0a", "\2\0ab", "\0\2ab", "\"ab\"", NULL) \
VECTOR_BYTES(ROW, "\x8a", STRING8) \
ROW(STRING16, DEFAULT, u"a€", 2, "\x0b", "\2\0a\0\xac\x20", \
    "\0\2\0a\x20\xac", "\"a€\"", NULL) \
ROW(STRING16, HEX_BYTES, u"a", 1, "\x8b\x09", "\1\0a\0", "\0\1\0a", \
    "\"61 00\"", "\"00 61\"") \
ROW(STRING16, STRING8, u"a", 1, "\x8b\x0a", "\1\0a\0", "\0\1\0a", "\"a\"", \
    NULL) \
ROW(STRING16, STRING_UTF, u"a", 1, "\x8b\x0b", "\1\0a\0", "\0\1\0a", \
    "\"a\"", NULL) \
ROW(STRING16, STRING_UTF_BOM, u"\ufeffa", 2, "\x8b\x0c", \
    "\2\0\xff\xfe" "a\0", "\0\2\xfe\xff\0a", "\"a\"", NULL) \
ROW(STRING16, STRING_XML, u"a", 1, "\x8b\x0d", "\1\0a\0", "\0\1\0a", \
    "\"a\"", NULL) \
ROW(STRING16, STRING_JSON, u"", 0, "\x8b\x0e", "\0\0", "\0\0", "\"\"", NULL) \
ROW(STRING32, DEFAULT, U"a€", 2, "\x0c", "\2\0a\0\0\0\xac\x20\0\0", \
    "\0\2\0\0\0a\0\0\x20\xac", "\"a€\"", NULL) \
ROW(STRING32, HEX_BYTES, U"a", 1, "\x8c\x09", "\1\0a\0\0\0", \
    "\0\1\0\0\0a", "\"61 00 00 00\"", "\"00 00 00 61\"") \
ROW(STRING32, STRING8, U"a", 1, "\x8c\x0a", "\1\0a\0\0\0", "\0\1\0\0\0a", \
    "\"a\"", NULL) \
ROW(STRING32, STRING_UTF, U"a", 1, "\x8c\x0b", "\1\0a\0\0\0", \
    "\0\1\0\0\0a", "\"a\"", NULL) \
ROW(STRING32, STRING_UTF_BOM, U"\ufeffa", 2, "\x8c\x0c", \
    "\2\0\xff\xfe\0\0a\0\0\0", "\0\2\0\0\xfe\xff\0\0\0a", "\"a\"", NULL) \
ROW(STRING32, STRING_XML, U"a", 1, "\x8c\x0d", "\1\0a\0\0\0", \
    "\0\1\0\0\0a", "\"a\"", NULL) \
ROW(STRING32, STRING_JSON, U"", 0, "\x8c\x0e", "\0\0", "\0\0", "\"\"", NULL)

#define VECTOR_BINARY_ROW(ROW, ...) ROW(__VA_ARGS__)
#define VECTOR_BINARIES(ROW) \
ROW(DEFAULT, "\1\2", 2, "\x0d", "\2\0\1\2", "\0\2\1\2", "\"01 02\"", NULL) \
VECTOR_BYTES(VECTOR_BINARY_ROW, "\x8d", ROW)
/* clang-format on */

#endif
