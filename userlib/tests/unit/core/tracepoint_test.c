// SPDX-License-Identifier: MIT
/* Tracepoints of C: descriptions for the kernel, and records. */
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/tracepoint-dynamic.h>
#include <userevents/tracepoint.h>

#include "util/common.h"
#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "lib/same_types.h"

enum color {
	RED,
	BLUE
};

static int evaluated;

static int evaluate(int value)
{
	evaluated++;

	return value;
}

/* Each line once; the tests check the results. */
static void trace_nothing(void)
{
	UEV_TRACE(nothing);
}

static void trace_one(int value)
{
	UEV_TRACE(one, value, evaluate(value));
}

static void trace_all_types(void)
{
	char c = -1;
	signed char sc = -2;
	unsigned char uc = 3;
	short s = -4;
	unsigned short us = 5;
	long l = -8;
	unsigned long ul = 9;
	long long ll = -10;
	unsigned long long ull = 11;
	const bool b = true;
	void *pointer = (void *)0x1234;
	const void *const const_pointer = (void *)0x5678;

	UEV_TRACE(all_types, b, b, c, c, sc, sc, uc, uc, s, s, us, us, i, -6, u,
		  7U, l, l, ul, ul, ll, ll, ull, ull, e, BLUE, p, pointer, cp,
		  const_pointer);
}

SAME_TYPES

static struct {
	unsigned int narrow : 3;
	int sign : 2;
	unsigned char byte : 5;
	unsigned int whole : 32;
} bits = { 5, -1, 17, 0xffffffff };

static void trace_bit_fields(void)
{
	UEV_TRACE(bit_fields, narrow, bits.narrow, sign, bits.sign, byte,
		  bits.byte, whole, bits.whole);
}

static void trace_strings(const char *string)
{
	char array[] = "array";
	char *pointer = array;
	struct uev_text text = { "text and more", 4 };
	struct uev_bytes bytes = { "\1\2\3", 3 };

	UEV_TRACE(strings, first, string, number, 5, array, array, literal,
		  "literal", pointer, pointer, text, text, bytes, bytes);
}

static void trace_size(size_t size)
{
	static char data[UEV_PAYLOAD_MAX + 10];
	struct uev_bytes bytes = { data, size };

	UEV_TRACE(size, bytes, bytes);
}

/* As many as there may be. */
static void trace_many(void)
{
	UEV_TRACE(many, a0, 0, a1, 1, a2, 2, a3, 3, a4, 4, a5, 5, a6, 6, a7, 7,
		  a8, 8, a9, 9, a10, 10, a11, 11, a12, 12, a13, 13, a14, 14,
		  a15, 15, a16, 16, a17, 17, a18, 18, a19, 19, a20, 20, a21, 21,
		  a22, 22, a23, 23, a24, 24, a25, 25, a26, 26, a27, 27, a28, 28,
		  a29, 29, a30, 30, a31, 31);
}

/* A line in an inline function, with one event per file. */
static inline void trace_inline(int value)
{
	if (value)
		UEV_TRACE(in_line, value, value);
	else
		UEV_TRACE(in_line, value, value);
}

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	/* They have waited since before main(). */
	ck_assert_int_eq(uev_set_path(NULL), 0);
	evaluated = 0;
}

TEST_FIXTURE(set_up, NULL);

static struct uev_stats all_stats(void)
{
	struct uev_stats stats;

	uev_process_stats(&stats, sizeof(stats));

	return stats;
}

TEST(commands)
{
	const char *l = sizeof(long) == 8 ? "64" : "32";
	char text[400];

	ck_assert_str_eq(fake_command("nothing"), "nothing");
	ck_assert_str_eq(fake_command("one"), "one s32 value");
	snprintf(text, sizeof(text),
		 "all_types s32 b; s32 c; s8 sc; u8 uc; s16 s; u16 us; s32 i; "
		 "u32 u; s%s l; u%s ul; s64 ll; u64 ull; s32 e; u%s p; u%s cp",
		 l, l, l, l);
	/* An enumeration has the compiler's integer type. */
	ck_assert_str_eq(fake_command("all_types"), text);
	ck_assert_str_eq(fake_command("strings"),
			 "strings __data_loc char[] first; s32 number; "
			 "__data_loc char[] array; __data_loc char[] literal; "
			 "__data_loc char[] pointer; __data_loc char[] text; "
			 "__data_loc u8[] bytes");
	ck_assert_ptr_nonnull(strstr(fake_command("many"), "; s32 a31"));
	ck_assert_uint_eq(all_stats().pending, 1);
	/* Two lines of the same name and fields are one event, and two words. */
	ck_assert_uint_eq(all_stats().registered, 12);
	ck_assert_uint_eq(fake_enablers(), 12);
}

/* Arguments are not evaluated while disabled, and once otherwise. */
TEST(disabled)
{
	trace_one(7);
	ck_assert_int_eq(evaluated, 0);
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), 0);
	fake_enable("one", true);
	trace_one(7);
	ck_assert_int_eq(evaluated, 1);
	ck_assert_uint_eq(fake_records(), 1);
	fake_enable("one", false);
	trace_one(7);
	ck_assert_int_eq(evaluated, 1);
	ck_assert_uint_eq(fake_calls(FAKE_WRITE), 1);
}

TEST(no_fields)
{
	fake_enable("nothing", true);
	trace_nothing();
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_uint_eq(fake_record()->size, 0);
}

TEST(numbers)
{
	struct {
		int32_t b;
		int32_t c;
		int8_t sc;
		uint8_t uc;
		int16_t s;
		uint16_t us;
		int32_t i;
		uint32_t u;
		long l;
		unsigned long ul;
		int64_t ll;
		uint64_t ull;
		uint32_t e;
		void *p;
		const void *cp;
	} __attribute__((__packed__)) expected = {
		1,
		(char)-1,
		-2,
		3,
		-4,
		5,
		-6,
		7,
		-8,
		9,
		-10,
		11,
		1,
		(void *)0x1234,
		(void *)0x5678,
	};

	fake_enable("all_types", true);
	trace_all_types();
	ck_assert_uint_eq(fake_record()->size, sizeof(expected));
	ck_assert_mem_eq(fake_record()->payload, &expected, sizeof(expected));
	/* A small record is written in one piece. */
	ck_assert_int_eq(fake_record()->pieces, 2);
}

/* Its types are those of tracepoint_cxx_test.cc. */
TEST(same_types_as_in_cxx)
{
	ck_assert_str_eq(fake_command("same_types"), SAME_TYPES_COMMAND);
	fake_enable("same_types", true);
	trace_same_types(1, 2);
	ck_assert_uint_eq(fake_record()->size, SAME_TYPES_SIZE);
	ck_assert_mem_eq(fake_record()->payload + SAME_TYPES_SIZE -
				 sizeof(SAME_TYPES_TEXTS),
			 SAME_TYPES_TEXTS, sizeof(SAME_TYPES_TEXTS));
}

/* clang has the declared type for those of smaller types than int. */
#ifdef __clang__
#define SMALL_BIT_FIELD "u8"
#else
#define SMALL_BIT_FIELD "s32"
#endif

TEST(bit_fields)
{
	uint32_t number;

	ck_assert_str_eq(fake_command("bit_fields"),
			 "bit_fields s32 narrow; s32 sign; " SMALL_BIT_FIELD
			 " byte; u32 whole");
	fake_enable("bit_fields", true);
	trace_bit_fields();
	memcpy(&number, fake_record()->payload, sizeof(number));
	ck_assert_uint_eq(number, 5);
	memcpy(&number, fake_record()->payload + fake_record()->size - 4,
	       sizeof(number));
	ck_assert_uint_eq(number, 0xffffffff);
}

static void trace_uuid(const unsigned char *id, long double number)
{
	UEV_TRACE(uuid, id, (struct uev_uuid){ id }, number, number);
}

/* As by UEV_TRACE() in another shared object. */
static struct uev_event other_conflict = UEV_EVENT_INIT("conflict s16 value");
UEV_TABLE_ENTRY(other_conflict_entry, &other_conflict);

static void trace_conflict(void)
{
	UEV_TRACE(conflict, value, 1);
}

/* The kernel has only one of two events with the same name. */
TEST(reports_conflicts)
{
	trace_conflict();
	ck_assert_int_eq(UEV_TRACE_STATUS(conflict), -EADDRINUSE);
	ck_assert_int_eq(UEV_TRACE_STATUS(one), 0);
	ck_assert_int_eq(UEV_TRACE_STATUS(on), -ENOTCONN);
	ck_assert_int_eq(UEV_TRACE_STATUS(does_not_exist), -ENOTCONN);
}

TEST_FIXTURE(NULL, NULL);

/* Without user_events the reason is another one. */
TEST(reports_missing_user_events)
{
	ck_assert_int_eq(UEV_TRACE_STATUS(one), -ENXIO);
}

/* Bytes of an entry in front of the payload. */
#define HEADER 8

/* Returns the text of a location, which counts from the start of the entry. */
static const char *text_at(size_t word, size_t *size)
{
	const uint8_t *payload = fake_record()->payload;
	uint32_t loc;

	memcpy(&loc, payload + word, sizeof(loc));
	*size = loc >> 16;
	ck_assert_uint_ge(loc & 0xffff, HEADER + word + 4);
	ck_assert_uint_le((loc & 0xffff) + *size, HEADER + fake_record()->size);

	return (const char *)payload + (loc & 0xffff) - HEADER;
}

static void ck_text(size_t word, const char *text)
{
	size_t size;

	ck_assert_str_eq(text_at(word, &size), text);
	ck_assert_uint_eq(size, strlen(text) + 1);
}

TEST_FIXTURE(set_up, NULL);

TEST_LOOP(strings, 3)
{
	static const char *const firsts[] = { "first", "", NULL };
	static const char *const written[] = { "first", "", "(null)" };
	uint32_t number;
	size_t size;

	fake_enable("strings", true);
	trace_strings(firsts[_i]);
	ck_text(0, written[_i]);
	memcpy(&number, fake_record()->payload + 4, 4);
	ck_assert_uint_eq(number, 5);
	ck_text(8, "array");
	ck_text(12, "literal");
	ck_text(16, "array");
	ck_text(20, "text");
	ck_assert_mem_eq(text_at(24, &size), "\1\2\3", 3);
	ck_assert_uint_eq(size, 3);
	/* No bytes remain. */
	ck_assert_uint_eq(fake_record()->size,
			  28 + strlen(written[_i]) + 1 + 6 + 8 + 6 + 5 + 3);
}

#define UUID "550e8400-e29b-41d4-a716-44665544000f"
static const unsigned char uuid[UEV_UUID_SIZE] =
	"\x55\x0e\x84\x00\xe2\x9b\x41\xd4\xa7\x16\x44\x66\x55\x44\x00\x0f";

/* Both are recorded as text. */
TEST(uuids_and_long_doubles)
{
	ck_assert_str_eq(fake_command("uuid"),
			 "uuid __data_loc char[] id; __data_loc char[] number");
	fake_enable("uuid", true);
	trace_uuid(uuid, -0.1L);
	ck_text(0, UUID);
	ck_text(4, "-0.1");
}

TEST(sizes)
{
	fake_enable("size", true);
	trace_size(0);
	ck_assert_uint_eq(fake_record()->size, 4);
	trace_size(UEV_PAYLOAD_MAX - 4);
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
	ck_assert_uint_eq(fake_records(), 2);
	trace_size(UEV_PAYLOAD_MAX - 3);
	trace_size(SIZE_MAX);
	trace_size(SIZE_MAX / 2 + 1);
	ck_assert_uint_eq(fake_records(), 2);
	ck_assert_uint_eq(all_stats().oversize, 3);
}

TEST(many_fields)
{
	uint32_t number;
	unsigned int i;

	fake_enable("many", true);
	trace_many();
	ck_assert_uint_eq(fake_record()->size, 4 * 32);
	for (i = 0; i < 32; i++) {
		memcpy(&number, fake_record()->payload + i * 4, 4);
		ck_assert_uint_eq(number, i);
	}
}

TEST(two_lines)
{
	fake_enable("in_line", true);
	trace_inline(1);
	trace_inline(0);
	ck_assert_uint_eq(fake_records(), 2);
}

TEST(rejects_invalid_values)
{
	static struct uev_event event = UEV_EVENT_INIT("bad");
	struct uev_value values[UEV_FIELDS_MAX + 1] = { { 0 } };
	struct uev_stats stats;
	int i;

	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("bad", true);
	ck_assert_int_eq(uev_tracepoint_write(&event, values, 1), -EINVAL);
	values[0].type = UEV_TYPE_UUID + 1;
	ck_assert_int_eq(uev_tracepoint_write(&event, values, 1), -EINVAL);
	values[0].type = UINT32_MAX;
	ck_assert_int_eq(uev_tracepoint_write(&event, values, 1), -EINVAL);
	for (i = 0; i <= UEV_FIELDS_MAX; i++)
		values[i] = uev_value_number(UEV_TYPE_U8, 1);
	ck_assert_int_eq(uev_tracepoint_write(&event, values,
					      UEV_FIELDS_MAX + 1),
			 -EINVAL);
	ck_assert_int_eq(uev_tracepoint_write(&event, NULL, 0), 0);
	ck_assert_uint_eq(fake_records(), 1);
	uev_event_stats(&event, &stats, sizeof(stats));
	ck_assert_uint_eq(stats.failed, 4);
	ck_assert_int_eq(uev_event_unregister(&event), 0);
}

/* The maximum number of texts, all without a terminator. */
TEST(many_texts)
{
	static struct uev_event event = UEV_EVENT_INIT("texts");
	struct uev_text text = { "ab", 2 };
	struct uev_value values[UEV_FIELDS_MAX];
	uint32_t location;
	size_t i;

	for (i = 0; i < UEV_FIELDS_MAX; i++)
		values[i] = uev_value_text(text);
	ck_assert_int_eq(uev_event_register(&event, 0), 0);
	fake_enable("texts", true);
	ck_assert_int_eq(uev_tracepoint_write(&event, values, UEV_FIELDS_MAX),
			 0);
	/* The program describes its fields, so locations are relative. */
	for (i = 0; i < UEV_FIELDS_MAX; i++) {
		memcpy(&location, fake_record()->payload + i * 4, 4);
		ck_assert_uint_eq(location >> 16, 3);
		ck_assert_str_eq((const char *)fake_record()->payload +
					 (i + 1) * 4 + (location & 0xffff),
				 "ab");
	}
	ck_assert_int_eq(uev_event_unregister(&event), 0);
}

/* --- At run time ---------------------------------------------------------- */

static const struct uev_field fields[] = {
	{ "s8", UEV_TYPE_S8, 0 },	{ "u8", UEV_TYPE_U8, 0 },
	{ "c", UEV_TYPE_CHAR, 0 },	{ "s16", UEV_TYPE_S16, 0 },
	{ "u16", UEV_TYPE_U16, 0 },	{ "s32", UEV_TYPE_S32, 0 },
	{ "u32", UEV_TYPE_U32, 0 },	{ "s64", UEV_TYPE_S64, 0 },
	{ "u64", UEV_TYPE_U64, 0 },	{ "text", UEV_TYPE_STRING, 0 },
	{ "bytes", UEV_TYPE_BYTES, 0 },
};
static const size_t count = ARRAY_SIZE(fields);

static struct uev_tracepoint *tracepoint;
static struct uev_record *record;

static void set_up_dynamic(void)
{
	set_up();
	ck_assert_int_eq(uev_tracepoint_new(&tracepoint, "dynamic", fields,
					    count, 0),
			 0);
	ck_assert_int_eq(uev_record_new(&record, tracepoint), 0);
	fake_enable("dynamic", true);
}

static void tear_down_dynamic(void)
{
	uev_record_free(record);
	ck_assert_int_eq(uev_tracepoint_free(tracepoint), 0);
}

TEST_FIXTURE(set_up_dynamic, tear_down_dynamic);

TEST(dynamic_command)
{
	ck_assert_str_eq(fake_command("dynamic"),
			 "dynamic s8 s8; u8 u8; char c; s16 s16; u16 u16; "
			 "s32 s32; u32 u32; s64 s64; u64 u64; "
			 "__data_loc char[] text; __data_loc u8[] bytes");
	ck_assert_int_eq(uev_tracepoint_field(tracepoint, "s8"), 0);
	ck_assert_int_eq(uev_tracepoint_field(tracepoint, "bytes"), 10);
	ck_assert_int_eq(uev_tracepoint_field(tracepoint, "none"), -ENOENT);
	ck_assert(uev_enabled(uev_tracepoint_event(tracepoint)));
}

TEST(dynamic_record)
{
	struct {
		int8_t s8;
		uint8_t u8;
		char c;
		int16_t s16;
		uint16_t u16;
		int32_t s32;
		uint32_t u32;
		int64_t s64;
		uint64_t u64;
	} __attribute__((__packed__)) expected = {
		-1, 2, 'c', -3, 4, -5, 6, -7, 8,
	};
	size_t word = sizeof(expected);
	size_t size;

	ck_assert_int_eq(uev_record_set_data(record, 10, "\1\2", 2), 0);
	ck_assert_int_eq(uev_record_set_string(record, 9, "text"), 0);
	ck_assert_int_eq(uev_record_set_unsigned(record, 8, 8), 0);
	ck_assert_int_eq(uev_record_set_signed(record, 7, -7), 0);
	ck_assert_int_eq(uev_record_set_signed(record, 6, 6), 0);
	ck_assert_int_eq(uev_record_set_signed(record, 5, -5), 0);
	ck_assert_int_eq(uev_record_set_unsigned(record, 4, 4), 0);
	ck_assert_int_eq(uev_record_set_signed(record, 3, -3), 0);
	ck_assert_int_eq(uev_record_set_unsigned(record, 2, 'c'), 0);
	ck_assert_int_eq(uev_record_set_unsigned(record, 1, 2), 0);
	ck_assert_int_eq(uev_record_set_signed(record, 0, -1), 0);
	ck_assert_int_eq(uev_record_write(record), 0);
	ck_assert_mem_eq(fake_record()->payload, &expected, sizeof(expected));
	ck_text(word, "text");
	ck_assert_mem_eq(text_at(word + 4, &size), "\1\2", 2);
	ck_assert_uint_eq(size, 2);

	/* Again, with a text without a terminator. */
	ck_assert_int_eq(uev_record_set_data(record, 9, "more text", 4), 0);
	ck_assert_int_eq(uev_record_write(record), 0);
	memset(&expected, 0, sizeof(expected));
	ck_assert_mem_eq(fake_record()->payload, &expected, sizeof(expected));
	ck_text(word, "more");
	text_at(word + 4, &size);
	ck_assert_uint_eq(size, 0);

	/* An empty text is terminated, too. */
	ck_assert_int_eq(uev_record_write(record), 0);
	ck_text(word, "");
}

/* As text, rounded to the type of the field; 0 if it is not set. */
TEST(dynamic_floats)
{
	static const struct uev_field fields[] = {
		{ "single", UEV_TYPE_F32, 0 },
		{ "number", UEV_TYPE_F64, 0 },
	};
	struct uev_tracepoint *floats;
	struct uev_record *values;

	ck_assert_int_eq(uev_tracepoint_new(&floats, "floats", fields, 2, 0),
			 0);
	ck_assert_int_eq(uev_record_new(&values, floats), 0);
	ck_assert_str_eq(fake_command("floats"),
			 "floats __data_loc char[] single; "
			 "__data_loc char[] number");
	fake_enable("floats", true);
	/* The C library reports the least numbers as out of range. */
	ck_assert_int_eq(uev_record_set_double(values, 1, DBL_TRUE_MIN), 0);
	errno = EXDEV;
	ck_assert_int_eq(uev_record_write(values), 0);
	ck_assert_int_eq(errno, EXDEV);
	ck_assert_int_eq(uev_record_set_double(values, 0, 1.0 / 3), 0);
	ck_assert_int_eq(uev_record_set_double(values, 1, -1.0 / 3), 0);
	ck_assert_int_eq(uev_record_write(values), 0);
	ck_text(0, "0.33333334");
	ck_text(4, "-0.3333333333333333");
	ck_assert_int_eq(uev_record_write(values), 0);
	ck_text(0, "0");
	ck_text(4, "0");

	ck_assert_int_eq(uev_record_set_unsigned(values, 0, 1), -EINVAL);
	ck_assert_int_eq(uev_record_set_string(values, 0, "1"), -EINVAL);
	ck_assert_int_eq(uev_record_set_data(values, 0, "1", 1), -EINVAL);
	ck_assert_int_eq(uev_record_set_double(values, 2, 1), -EINVAL);
	ck_assert_int_eq(uev_record_set_double(record, 0, 1), -EINVAL);
	ck_assert_int_eq(uev_record_set_double(record, 9, 1), -EINVAL);
	uev_record_free(values);
	ck_assert_int_eq(uev_tracepoint_free(floats), 0);
}

TEST(dynamic_uuids)
{
	static const struct uev_field field = { "id", UEV_TYPE_UUID, 0 };
	struct uev_tracepoint *uuids;
	struct uev_record *values;

	ck_assert_int_eq(uev_tracepoint_new(&uuids, "uuids", &field, 1, 0), 0);
	ck_assert_int_eq(uev_record_new(&values, uuids), 0);
	fake_enable("uuids", true);
	ck_assert_int_eq(uev_record_set_data(values, 0, uuid, sizeof(uuid)), 0);
	ck_assert_int_eq(uev_record_write(values), 0);
	ck_text(0, UUID);
	/* If it is not set. */
	ck_assert_int_eq(uev_record_write(values), 0);
	ck_text(0, "00000000-0000-0000-0000-000000000000");
	ck_assert_int_eq(uev_record_set_data(values, 0, uuid, 15), -EINVAL);
	ck_assert_int_eq(uev_record_set_string(values, 0, UUID), -EINVAL);
	ck_assert_int_eq(uev_record_set_unsigned(values, 0, 1), -EINVAL);
	ck_assert_int_eq(uev_record_set_double(values, 0, 1), -EINVAL);
	uev_record_free(values);
	ck_assert_int_eq(uev_tracepoint_free(uuids), 0);
}

TEST_LOOP(ranges, 9)
{
	static const struct {
		size_t field;
		int64_t min;
		uint64_t max;
	} rows[] = {
		{ 0, INT8_MIN, INT8_MAX },  { 1, 0, UINT8_MAX },
		{ 2, INT8_MIN, UINT8_MAX }, { 3, INT16_MIN, INT16_MAX },
		{ 4, 0, UINT16_MAX },	    { 5, INT32_MIN, INT32_MAX },
		{ 6, 0, UINT32_MAX },	    { 7, INT64_MIN, INT64_MAX },
		{ 8, 0, UINT64_MAX },
	};
	size_t field = rows[_i].field;

	ck_assert_int_eq(uev_record_set_signed(record, field, rows[_i].min), 0);
	ck_assert_int_eq(uev_record_set_unsigned(record, field, rows[_i].max),
			 0);
	ck_assert_int_eq(uev_record_write(record), 0);
	if (rows[_i].min > INT64_MIN) {
		ck_assert_int_eq(uev_record_set_signed(record, field,
						       rows[_i].min - 1),
				 -ERANGE);
		ck_assert_int_eq(uev_record_write(record), -ERANGE);
	}
	if (rows[_i].max < UINT64_MAX) {
		ck_assert_int_eq(uev_record_set_unsigned(record, field,
							 rows[_i].max + 1),
				 -ERANGE);
		ck_assert_int_eq(uev_record_write(record), -ERANGE);
	}
	ck_assert_uint_eq(fake_records(), 1);
}

/* The first error is kept until the record is written, and then forgotten. */
TEST(errors_of_records)
{
	struct uev_stats stats;

	ck_assert_int_eq(uev_record_set_signed(record, 0, 1000), -ERANGE);
	ck_assert_int_eq(uev_record_set_signed(record, 11, 1), -EINVAL);
	ck_assert_int_eq(uev_record_set_unsigned(record, 11, 1), -EINVAL);
	ck_assert_int_eq(uev_record_set_signed(record, 9, -1), -EINVAL);
	ck_assert_int_eq(uev_record_set_unsigned(record, 10, 1), -EINVAL);
	ck_assert_int_eq(uev_record_set_string(record, 0, ""), -EINVAL);
	ck_assert_int_eq(uev_record_set_string(record, 10, ""), -EINVAL);
	ck_assert_int_eq(uev_record_set_string(record, 11, ""), -EINVAL);
	ck_assert_int_eq(uev_record_set_data(record, 8, "", 0), -EINVAL);
	ck_assert_int_eq(uev_record_write(record), -ERANGE);
	uev_event_stats(uev_tracepoint_event(tracepoint), &stats,
			sizeof(stats));
	ck_assert_uint_eq(stats.failed, 1);
	ck_assert_uint_eq(fake_records(), 0);
	ck_assert_int_eq(uev_record_write(record), 0);
	ck_assert_uint_eq(fake_records(), 1);
}

TEST(rejects_invalid_tracepoints)
{
	struct uev_field many[UEV_FIELDS_MAX + 1];
	struct uev_field one = { .name = "a", .type = UEV_TYPE_U8 };
	struct uev_tracepoint *none = tracepoint;
	char long_name[600];
	size_t i;

	ck_assert_int_eq(uev_tracepoint_new(&none, NULL, &one, 1, 0), -EINVAL);
	ck_assert_ptr_null(none);
	ck_assert_int_eq(uev_tracepoint_new(&none, "a b", &one, 1, 0), -EINVAL);
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", NULL, 1, 0), -EINVAL);
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", &one, 1, 16), -EINVAL);
	one.type = 0;
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", &one, 1, 0), -EINVAL);
	one.type = UEV_TYPE_UUID + 1;
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", &one, 1, 0), -EINVAL);
	one.type = UEV_TYPE_U8;
	one.reserved = 1;
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", &one, 1, 0), -EINVAL);
	one.reserved = 0;
	one.name = NULL;
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", &one, 1, 0), -EINVAL);
	one.name = "a;u8 b";
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", &one, 1, 0), -EINVAL);
	memset(long_name, 'x', sizeof(long_name));
	long_name[sizeof(long_name) - 1] = '\0';
	one.name = long_name;
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", &one, 1, 0), -E2BIG);
	for (i = 0; i <= UEV_FIELDS_MAX; i++)
		many[i] = fields[0];
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", many,
					    UEV_FIELDS_MAX + 1, 0),
			 -EINVAL);
	ck_assert_int_eq(uev_tracepoint_new(&none, "n", many, 2, 0), -EINVAL);
	/* The event exists with other fields. */
	ck_assert_int_eq(uev_tracepoint_new(&none, "dynamic", NULL, 0, 0),
			 -EADDRINUSE);
	ck_assert_ptr_null(none);
	ck_assert_int_eq(uev_tracepoint_free(NULL), 0);
	uev_record_free(NULL);
}

TEST(no_memory)
{
	struct uev_tracepoint *other;
	struct uev_record *none = record;
	unsigned int i = 0;
	int err;

	do {
		fake_alloc_fail(i++);
		err = uev_tracepoint_new(&other, "other", fields, count, 0);
		ck_assert_int_eq(err, fake_alloc_end() ? -ENOMEM : 0);
		ck_assert(fake_alloc_kept_errno());
		ck_assert_int_eq(!other, err != 0);
	} while (err);
	ck_assert_uint_ge(i, 3);
	ck_assert_int_eq(uev_tracepoint_free(other), 0);

	fake_alloc_fail(0);
	ck_assert_int_eq(uev_record_new(&none, tracepoint), -ENOMEM);
	ck_assert(fake_alloc_end());
	ck_assert(fake_alloc_kept_errno());
	ck_assert_ptr_null(none);

	/* Writing needs none. */
	fake_alloc_fail(0);
	uev_record_set_string(record, 9, "text");
	err = uev_record_write(record);
	ck_assert(!fake_alloc_end());
	ck_assert_int_eq(err, 0);
}

TEST(keeps_a_tracepoint_in_use)
{
	struct uev_tracepoint *other;

	ck_assert_int_eq(uev_tracepoint_new(&other, "other", NULL, 0, 0), 0);
	fake_fail(FAKE_IOCTL, 0, 1, -ENOMEM);
	ck_assert_int_eq(uev_tracepoint_free(other), -ENOMEM);
	ck_assert_int_eq(uev_event_status(uev_tracepoint_event(other)), 0);
	ck_assert_int_eq(uev_tracepoint_free(other), 0);
}
