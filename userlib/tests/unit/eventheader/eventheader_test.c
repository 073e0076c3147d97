// SPDX-License-Identifier: MIT
/*
 * Bytes of EventHeader: each event is written by a macro and by a builder, and
 * compared with bytes written by hand. Compiled as C and as C++, for machines
 * of both byte orders and pointer sizes.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#ifdef __cplusplus
#include <string>
#include <vector>
#endif
#include <userevents/eventheader-dynamic.h>
#include <userevents/eventheader.h>

UEV_BEGIN_DECLS
#include "lib/fake_alloc.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "lib/vectors.h"
UEV_END_DECLS

/* Header flags of this machine, with a following block. */
#if VECTOR_IS_64
#define FLAGS VECTOR_NATIVE("\x07", "\x05")
#else
#define FLAGS VECTOR_NATIVE("\x06", "\x04")
#endif
/* A header with only a level of 5. */
#define HEADER FLAGS "\x00\x00\x00\x00\x00\x00\x05"
/* Metadata block of @size bytes. */
#define METADATA(size) BYTES_2(size, "\x00") BYTES_2("\x01", "\x00")
#define COUNT(count) BYTES_2(count, "\x00")

#define ACTIVITY \
	"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10"
#define RELATED \
	"\xf0\xe1\xd2\xc3\xb4\xa5\x96\x87\x78\x69\x5a\x4b\x3c\x2d\x1e\x0f"

UEV_PROVIDER(provider, "Prov");
UEV_PROVIDER(scalars_provider, "TestProviderC");
UEV_PROVIDER_GROUP(group_provider, "A_B", "perf1");

enum {
	KEYWORD = 1,
	KEYWORD_TOP = 3
};

static struct uev_dynamic_provider *run_time;
static struct uev_event_set *set;
static struct uev_builder *builder;

/* Records that others have written in this process. */
static unsigned int earlier;

static unsigned int records(void)
{
	return fake_records() - earlier;
}

static void set_up(void)
{
	static bool is_reset;

	/* The events are there before this is, and wait for it. */
	if (!is_reset) {
		fake_reset(FAKE_BOTH);
		ck_assert_int_eq(uev_set_path(NULL), 0);
		is_reset = true;
	}
	earlier = fake_records();
	ck_assert_int_eq(uev_dynamic_provider_new(&run_time, "Prov", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(run_time, 5, 1, &set),
			 0);
	ck_assert_int_eq(uev_builder_new(&builder), 0);
	fake_enable("Prov_L5K1", true);
}

static void tear_down(void)
{
	uev_builder_free(builder);
	uev_dynamic_provider_free(run_time);
}

TEST_FIXTURE(set_up, tear_down);

/* Whether the last record has these bytes. */
static void expect(const char *bytes, size_t size)
{
	const struct fake_record *record = fake_record();

	ck_assert_uint_eq(record->size, size);
	ck_assert_mem_eq(record->payload, bytes, size);
}

#define EXPECT(bytes) expect(bytes, sizeof(bytes) - 1)

/*
 * Checks that the last record is event E with the one field f, with these bytes
 * after its name and this data.
 */
static void expect_field(const char *meta, size_t meta_size, const char *data,
			 size_t data_size)
{
	static const char front[] = HEADER METADATA("\x00") "\x45\x00\x66";
	const struct fake_record *record = fake_record();
	char bytes[256];
	size_t size = sizeof(front);

	memcpy(bytes, front, size);
	memcpy(bytes + size, meta, meta_size);
	size += meta_size;
	bytes[8 + VECTOR_IS_BIG] = (char)(size - 12);
	memcpy(bytes + size, data, data_size);
	size += data_size;
	ck_assert_uint_eq(record->size, size);
	ck_assert_mem_eq(record->payload, bytes, size);
}

#define FIELD(meta, data) \
	expect_field(meta, sizeof(meta) - 1, data, sizeof(data) - 1)

static void begin(void)
{
	ck_assert_int_eq(uev_builder_begin(builder, "E", 0), 0);
}

static void built(void)
{
	unsigned int before = records();

	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(records(), before + 1);
	ck_assert_int_le(fake_record()->pieces, 3);
}

/* Whether that went well, and wrote one record. */
static void wrote(int err, unsigned int before)
{
	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(records(), before + 1);
}

/* WROTE(): checks a macro, without its expansion in the message. */
#define WROTE(event)                              \
	do {                                      \
		unsigned int before_ = records(); \
		int err_ = (event);               \
		wrote(err_, before_);             \
	} while (0)

/* WRITE(): event E with some fields. */
#define WRITE(...) WROTE(UEV_EVENTHEADER(provider, 5, 1, "E", __VA_ARGS__))

/* --- Vectors of the reference --------------------------------------------- */

TEST(no_fields)
{
	WROTE(UEV_EVENTHEADER(provider, 5, 1, "E"));
	EXPECT(HEADER METADATA("\x02") "\x45\x00");
	begin();
	built();
	EXPECT(HEADER METADATA("\x02") "\x45\x00");
}

TEST(one_number)
{
	WRITE(UEV_EH_U32("f", 0xffffffff));
	EXPECT(HEADER METADATA("\x05") "\x45\x00\x66"
				       "\x00\x04\xff\xff\xff\xff");
	begin();
	uev_add_u32(builder, "f", 0xffffffff);
	built();
	EXPECT(HEADER METADATA("\x05") "\x45\x00\x66"
				       "\x00\x04\xff\xff\xff\xff");
}

TEST(arrays)
{
	static const uint16_t numbers[] = { 1, 2, 3 };

	WRITE(UEV_EH_U16_ARRAY("f", numbers, 2));
	FIELD("\x43", COUNT("\x02") COUNT("\x01") COUNT("\x02"));
	WRITE(UEV_EH_U16_CARRAY("f", numbers, 3));
	FIELD("\x23" COUNT("\x03"), COUNT("\x01") COUNT("\x02") COUNT("\x03"));
	begin();
	uev_add_u16_array(builder, "f", numbers, 2);
	built();
	FIELD("\x43", COUNT("\x02") COUNT("\x01") COUNT("\x02"));
	begin();
	uev_add_u16_carray(builder, "f", numbers, 3);
	built();
	FIELD("\x23" COUNT("\x03"), COUNT("\x01") COUNT("\x02") COUNT("\x03"));
}

TEST(empty_array)
{
	WRITE(UEV_EH_U16_ARRAY("f", NULL, 0));
	FIELD("\x43", "\x00\x00");
	begin();
	uev_add_u16_array(builder, "f", NULL, 0);
	built();
	FIELD("\x43", "\x00\x00");
}

TEST(tagged)
{
	WRITE(UEV_EH_TAGGED(0xbeef,
			    UEV_EH_VALUE("f", VALUE32, UNSIGNED, uint32_t, 7)));
	EXPECT(HEADER METADATA("\x08") "\x45\x00\x66"
				       "\x00\x84\x81" BYTES_2("\xef", "\xbe")
					       BYTES_4("\x07", "\x00", "\x00",
						       "\x00"));
	begin();
	uev_add(builder, "f", UEV_ENCODING_VALUE32, UEV_FORMAT_UNSIGNED, 0xbeef,
		BYTES_4("\x07", "\x00", "\x00", "\x00"), 1);
	built();
	EXPECT(HEADER METADATA("\x08") "\x45\x00\x66"
				       "\x00\x84\x81" BYTES_2("\xef", "\xbe")
					       BYTES_4("\x07", "\x00", "\x00",
						       "\x00"));
}

/* A tag requires both flag bits. */
TEST(tagged_without_format)
{
	static const uint8_t bytes[] = { 1, 2 };

	WRITE(UEV_EH_TAGGED(0x1234, UEV_EH_U8("f", 7)));
	FIELD("\x82\x80" BYTES_2("\x34", "\x12"), "\x07");
	WRITE(UEV_EH_TAGGED(0x1234, UEV_EH_U8_CARRAY("f", bytes, 2)));
	FIELD("\xa2\x80" BYTES_2("\x34", "\x12") COUNT("\x02"), "\x01\x02");
	begin();
	uev_add(builder, "f", UEV_ENCODING_VALUE8, 0, 0x1234, "\x07", 1);
	built();
	FIELD("\x82\x80" BYTES_2("\x34", "\x12"), "\x07");
	begin();
	uev_add(builder, "f", UEV_ENCODING_VALUE8 | UEV_ENCODING_CARRAY, 0,
		0x1234, bytes, 2);
	built();
	FIELD("\xa2\x80" BYTES_2("\x34", "\x12") COUNT("\x02"), "\x01\x02");
}

#define STRUCT_BYTES                               \
	HEADER METADATA("\x0c") "\x45\x00\x73\x00" \
				"\x81\x02\x61\x00\x02\x62\x00\x07\x01\x78\x00"

TEST(structs)
{
	size_t bookmark;

	WROTE(UEV_EVENTHEADER(provider, 5, 1, "E",
			      UEV_EH_STRUCT("s", UEV_EH_U8("a", 1),
					    UEV_EH_ZUTF8("b", "x"))));
	expect(STRUCT_BYTES, sizeof(STRUCT_BYTES) - 1);
	begin();
	uev_add_struct(builder, "s", 2, 0, NULL);
	uev_add_u8(builder, "a", 1);
	uev_add_zutf8(builder, "b", "x");
	built();
	EXPECT(STRUCT_BYTES);
	begin();
	uev_add_struct(builder, "s", 0, 0, &bookmark);
	uev_add_u8(builder, "a", 1);
	uev_add_zutf8(builder, "b", "x");
	uev_set_members(builder, bookmark, 2);
	built();
	EXPECT(STRUCT_BYTES);
	begin();
	uev_begin_struct(builder, "s", 0);
	uev_add_u8(builder, "a", 1);
	uev_add_zutf8(builder, "b", "x");
	uev_end_struct(builder);
	built();
	EXPECT(STRUCT_BYTES);
}

/* A struct is one member, however many it has itself. */
TEST(nested_structs)
{
	size_t outer, inner;

	WROTE(UEV_EVENTHEADER(
		provider, 5, 1, "E",
		UEV_EH_TAGGED(0x0102,
			      UEV_EH_STRUCT("s", UEV_EH_U8("a", 1),
					    UEV_EH_STRUCT("t", UEV_EH_U8("b", 2),
							  UEV_EH_U8("c", 3),
							  UEV_EH_U8("d", 4)),
					    UEV_EH_U8("e", 5)))));
#define NESTED                                                                             \
	HEADER METADATA(                                                                   \
		"\x1b") "\x45\x00\x73\x00"                                                 \
			"\x81\x83" BYTES_2(                                                \
				"\x02",                                                    \
				"\x01") "\x61\x00\x02\x74\x00\x81\x03\x62\x00\x02\x63\x00" \
					"\x02\x64\x00\x02\x65\x00\x02\x01\x02\x03\x04\x05"
	EXPECT(NESTED);
	begin();
	uev_begin_struct(builder, "s", 0x0102);
	uev_add_u8(builder, "a", 1);
	uev_begin_struct(builder, "t", 0);
	uev_add_u8(builder, "b", 2);
	uev_add_u8(builder, "c", 3);
	uev_add_u8(builder, "d", 4);
	uev_end_struct(builder);
	uev_add_u8(builder, "e", 5);
	uev_end_struct(builder);
	built();
	EXPECT(NESTED);
	begin();
	uev_add_struct(builder, "s", 0, 0x0102, &outer);
	uev_add_u8(builder, "a", 1);
	uev_add_struct(builder, "t", 0, 0, &inner);
	uev_set_members(builder, outer, 3);
	uev_add_u8(builder, "b", 2);
	uev_add_u8(builder, "c", 3);
	uev_add_u8(builder, "d", 4);
	uev_set_members(builder, inner, 3);
	uev_add_u8(builder, "e", 5);
	built();
	EXPECT(NESTED);
}

TEST(struct_array)
{
	static const struct __attribute__((__packed__)) element {
		uint8_t a;
	} elements[] = { { 5 }, { 6 } };

#define STRUCTS                                               \
	HEADER METADATA("\x09") "\x45\x00\x73\x00"            \
				"\xc1\x01\x61\x00\x02" COUNT( \
					"\x02") "\x05\x06"
	WRITE(UEV_EH_STRUCT_ARRAY("s", elements, 2,
				  UEV_EH_MEMBER("a", VALUE8, DEFAULT)));
	expect(STRUCTS, sizeof(STRUCTS) - 1);
	begin();
	uev_add_struct_array(builder, "s", 1, 0, 2);
	uev_add_meta(builder, "a", UEV_ENCODING_VALUE8, UEV_FORMAT_DEFAULT, 0,
		     0);
	uev_add_data(builder, elements, sizeof(elements));
	built();
	EXPECT(STRUCTS);
}

/* Two members of each element, and fields before and after. */
TEST(struct_array_among_others)
{
	static const struct __attribute__((__packed__)) element {
		uint16_t a;
		int8_t b;
	} elements[] = { { 1, -1 }, { 2, -2 } };

	WROTE(UEV_EVENTHEADER(
		provider, 5, 1, "E", UEV_EH_U8("x", 9),
		UEV_EH_STRUCT_ARRAY("s", elements, 2,
				    UEV_EH_MEMBER("a", VALUE16, DEFAULT),
				    UEV_EH_MEMBER("b", VALUE8, SIGNED)),
		UEV_EH_U8("y", 8)));
	ck_assert_uint_eq(fake_record()->size, 41);
	ck_assert_mem_eq(
		fake_record()->payload + 14,
		"x\0\2s\0\xc1\2\x61\0\3\x62\0\x82\2y\0\2\x09" COUNT("\2")
			COUNT("\1") "\xff" COUNT("\2") "\xfe\x08",
		27);
}

TEST(nullable)
{
	WRITE(UEV_EH_NULLABLE("f", UUID, NULL, 0));
	EXPECT(HEADER METADATA("\x06") "\x45\x00\x66"
				       "\x00\x8d\x0f\x00\x00");
	WRITE(UEV_EH_NULLABLE("f", BOOLEAN, "\x01", 1));
	FIELD("\x8d\x07", COUNT("\x01") "\x01");
	begin();
	uev_add_nullable(builder, "f", UEV_FORMAT_UUID, NULL, 16);
	built();
	EXPECT(HEADER METADATA("\x06") "\x45\x00\x66"
				       "\x00\x8d\x0f\x00\x00");
	begin();
	uev_add_null(builder, "f", UEV_FORMAT_UUID);
	built();
	FIELD("\x8d\x0f", "\x00\x00");
	begin();
	uev_add_nullable(builder, "f", UEV_FORMAT_BOOLEAN, "\x01", 1);
	built();
	FIELD("\x8d\x07", COUNT("\x01") "\x01");
}

TEST(boolean_of_8_bits)
{
#define BOOLEAN_8                          \
	HEADER METADATA(                   \
		"\x12") "\x45\x76\x65\x6e" \
			"\x74\x43\x47\x00\x65\x6e\x61\x62\x6c\x65\x64\x00\x82\x07\x01"
	WROTE(UEV_EVENTHEADER(provider, 5, 1, "EventCG",
			      UEV_EH_BOOL8("enabled", 1)));
	EXPECT(BOOLEAN_8);
	uev_builder_begin(builder, "EventCG", 0);
	uev_add_bool8(builder, "enabled", true);
	built();
	EXPECT(BOOLEAN_8);
}

#define WITH_ACTIVITY                                \
	HEADER COUNT("\x10") BYTES_2("\x02", "\x80") \
		ACTIVITY METADATA("\x0b") "Transfer10\x00"
#define WITH_RELATED                                 \
	HEADER COUNT("\x20") BYTES_2("\x02", "\x80") \
		ACTIVITY RELATED METADATA("\x0b") "Transfer11\x00"

TEST(activities)
{
	WROTE(UEV_EVENTHEADER(provider, 5, 1, "Transfer10",
			      UEV_EH_ACTIVITY(ACTIVITY, NULL)));
	EXPECT(WITH_ACTIVITY);
	WROTE(UEV_EVENTHEADER(provider, 5, 1, "Transfer11",
			      UEV_EH_ACTIVITY(ACTIVITY, RELATED)));
	EXPECT(WITH_RELATED);
	uev_builder_begin(builder, "Transfer10", 0);
	ck_assert_int_eq(uev_builder_write(builder, set, ACTIVITY, NULL), 0);
	EXPECT(WITH_ACTIVITY);
	uev_builder_begin(builder, "Transfer11", 0);
	ck_assert_int_eq(uev_builder_write(builder, set, ACTIVITY, RELATED), 0);
	EXPECT(WITH_RELATED);
}

TEST(no_activity)
{
	const void *none = NULL;
	struct uev_stats stats;

	WRITE(UEV_EH_U8("f", 1), UEV_EH_ACTIVITY(none, NULL));
	FIELD("\x02", "\x01");
	ck_assert_int_eq(UEV_EVENTHEADER(provider, 5, 1, "E",
					 UEV_EH_ACTIVITY(NULL, RELATED)),
			 -EINVAL);
	begin();
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, RELATED),
			 -EINVAL);
	ck_assert_uint_eq(records(), 1);
	uev_process_stats(&stats, sizeof(stats));
	ck_assert_uint_eq(stats.failed, 2);
}

/* An activity and numbers: still an event of numbers. */
TEST(activity_and_fields)
{
	WRITE(UEV_EH_U8("f", 1), UEV_EH_ACTIVITY(ACTIVITY, RELATED));
	EXPECT(HEADER COUNT("\x20") BYTES_2("\x02", "\x80")
		       ACTIVITY RELATED METADATA(
			       "\x05") "\x45\x00\x66\x00\x02\x01");
	begin();
	uev_add_u8(builder, "f", 1);
	ck_assert_int_eq(uev_builder_write(builder, set, ACTIVITY, RELATED), 0);
	EXPECT(HEADER COUNT("\x20") BYTES_2("\x02", "\x80")
		       ACTIVITY RELATED METADATA(
			       "\x05") "\x45\x00\x66\x00\x02\x01");
}

/*
 * All members of the header, and a struct that announces more members than it
 * has.
 */
TEST(fewer_members_than_announced)
{
	struct uev_dynamic_provider *other;
	struct uev_event_set *other_set;

#define EARLY_END                                                                                            \
	FLAGS "\x0b" BYTES_2("\xe8", "\x03")                                                                 \
		BYTES_2("\x34", "\x12") "\x03\x04" METADATA("\x27") "CScalars3\0Struct20\0\x81\x94" BYTES_2( \
			"\xef",                                                                              \
			"\xbe") "hi\0\x87\x8a" COUNT("\x12") "ch10\0\xc2\x8a" COUNT("\x10") "hi\0" COUNT("\x03") "How"
	fake_enable("TestProviderC_L4K85", true);
	WROTE(UEV_EVENTHEADER(
		scalars_provider, UEV_LEVEL_INFORMATION, 0x85, "CScalars3",
		UEV_EH_ID(1000, 11), UEV_EH_EVENT_TAG(0x1234),
		UEV_EH_OPCODE(UEV_OPCODE_COLLECTION_START),
		UEV_EH_TAGGED(0xbeef, UEV_EH_STRUCT_OF("Struct20", 20)),
		UEV_EH_TAGGED(0x12, UEV_EH_ZSTR8("hi", "hi")),
		UEV_EH_TAGGED(0x10, UEV_EH_CHAR8_ARRAY("ch10", "How", 3))));
	ck_assert_uint_eq(fake_record()->size, sizeof(EARLY_END) - 1);
	ck_assert_mem_eq(fake_record()->payload, EARLY_END,
			 sizeof(EARLY_END) - 1);

	ck_assert_int_eq(uev_dynamic_provider_new(&other, "TestProviderC", ""),
			 0);
	ck_assert_int_eq(
		uev_dynamic_provider_event_set(other, 4, 0x85, &other_set), 0);
	ck_assert(uev_enabled(&other_set->event));
	uev_builder_begin(builder, "CScalars3", 0x1234);
	uev_builder_id(builder, 1000, 11);
	uev_builder_opcode(builder, 3);
	uev_add_struct(builder, "Struct20", 20, 0xbeef, NULL);
	uev_add(builder, "hi", UEV_ENCODING_ZSTRING8, UEV_FORMAT_STRING8, 0x12,
		"hi", UEV_ZERO_ENDED);
	uev_add(builder, "ch10", UEV_ENCODING_VALUE8 | UEV_ENCODING_VARRAY,
		UEV_FORMAT_STRING8, 0x10, "How", 3);
	ck_assert_int_eq(uev_builder_write(builder, other_set, NULL, NULL), 0);
	EXPECT(EARLY_END);
	uev_dynamic_provider_free(other);
}

TEST(constant_characters)
{
	WROTE(UEV_EVENTHEADER(provider, 5, 1, "E",
			      UEV_EH_CHAR8_CARRAY("f", "abcd", 4)));
	FIELD("\xa2\x0a" COUNT("\x04"), "abcd");
	begin();
	uev_add_char8_carray(builder, "f", "abcd", 4);
	built();
	FIELD("\xa2\x0a" COUNT("\x04"), "abcd");
}

TEST(uuid_array)
{
	static const char two[] = VALUE_128 ACTIVITY;
	struct uev_value128 values[2];

	memcpy(values, two, sizeof(values));
	WRITE(UEV_EH_UUID_ARRAY("f", values, 2));
	FIELD("\xc6\x0f", COUNT("\x02") VALUE_128 ACTIVITY);
	begin();
	uev_add_uuid_array(builder, "f", values, 2);
	built();
	FIELD("\xc6\x0f", COUNT("\x02") VALUE_128 ACTIVITY);
}

TEST(string_array)
{
	static const struct uev_string strings[] = {
		{ "ab", 2 },
		{ "c", UEV_ZERO_ENDED },
		{ NULL, 0 },
	};

	begin();
	uev_add_utf8_array(builder, "f", strings, 3);
	built();
	FIELD("\x4a", COUNT("\3") COUNT("\2") "ab" COUNT("\1") "c\0\0");
	begin();
	uev_add(builder, "f", UEV_ENCODING_ZSTRING8 | UEV_ENCODING_CARRAY,
		UEV_FORMAT_STRING_JSON, 0, strings, 3);
	built();
	FIELD("\xa7\x0e" COUNT("\x03"), "ab\0c\0\0");
}

/* --- Every encoding with every format that fits --------------------------- */

/* Whether the last record is the field of a row of vectors.h. */
#define PAIR_FIELD(meta, little, big)                                    \
	expect_field(meta, sizeof(meta) - 1, VECTOR_NATIVE(little, big), \
		     sizeof(VECTOR_NATIVE(little, big)) - 1)

/* PAIR(): a value by its type, from a macro and from a builder. */
#define PAIR(encoding, format, type, value, meta, little, big, json, big_json) \
	do {                                                                   \
		const type value_ = (value);                                   \
		WRITE(UEV_EH_VALUE("f", encoding, format, type, (value)));     \
		PAIR_FIELD(meta, little, big);                                 \
		ck_assert_int_le(fake_record()->pieces, 3);                    \
		begin();                                                       \
		uev_add(builder, "f", UEV_ENCODING_##encoding,                 \
			UEV_FORMAT_##format, 0, &value_, 1);                   \
		built();                                                       \
		PAIR_FIELD(meta, little, big);                                 \
	} while (0);

TEST(values)
{
	ck_assert_ptr_nonnull(builder);
	VECTOR_VALUES(PAIR)
}

/* PAIR_ZERO(): the same for a zero-terminated string. */
#define PAIR_ZERO(encoding, format, units, meta, little, big, json, big_json) \
	do {                                                                  \
		WRITE(UEV_EH_ZSTRING("f", encoding, format, units));          \
		PAIR_FIELD(meta, little, big);                                \
		begin();                                                      \
		uev_add(builder, "f", UEV_ENCODING_##encoding,                \
			UEV_FORMAT_##format, 0, units, UEV_ZERO_ENDED);       \
		built();                                                      \
		PAIR_FIELD(meta, little, big);                                \
	} while (0);

TEST(zstrings)
{
	ck_assert_ptr_nonnull(builder);
	VECTOR_ZSTRINGS(PAIR_ZERO)
}

/* PAIR_COUNT(): and of one with its length. */
#define PAIR_COUNT(encoding, format, units, count, meta, little, big, json, \
		   big_json)                                                \
	do {                                                                \
		WRITE(UEV_EH_STRING("f", encoding, format, units, count));  \
		PAIR_FIELD(meta, little, big);                              \
		begin();                                                    \
		uev_add(builder, "f", UEV_ENCODING_##encoding,              \
			UEV_FORMAT_##format, 0, units, count);              \
		built();                                                    \
		PAIR_FIELD(meta, little, big);                              \
	} while (0);

TEST(strings)
{
	ck_assert_ptr_nonnull(builder);
	VECTOR_STRINGS(PAIR_COUNT)
}

/* PAIR_BINARY(): and of bytes. */
#define PAIR_BINARY(format, bytes, size, meta, little, big, json, big_json) \
	do {                                                                \
		WRITE(UEV_EH_NULLABLE("f", format, bytes, size));           \
		PAIR_FIELD(meta, little, big);                              \
		begin();                                                    \
		uev_add_nullable(builder, "f", UEV_FORMAT_##format, bytes,  \
				 size);                                     \
		built();                                                    \
		PAIR_FIELD(meta, little, big);                              \
	} while (0);

TEST(binaries)
{
	ck_assert_ptr_nonnull(builder);
	VECTOR_BINARIES(PAIR_BINARY)
}

/* --- Macros and functions of one type ------------------------------------- */

/*
 * Whether the last record has a field of this encoding and format, 0 for none
 * that is written, and of constant length if @elements is not 0.
 */
static void expect_type(unsigned int encoding, unsigned int format,
			unsigned int elements, const char *data, size_t size)
{
	char meta[4];
	size_t used = 0;

	meta[used++] = (char)(format ? encoding | 0x80 : encoding);
	if (format)
		meta[used++] = (char)format;
	if (elements) {
		meta[used + !VECTOR_IS_BIG] = 0;
		meta[used + VECTOR_IS_BIG] = (char)elements;
		used += 2;
	}
	expect_field(meta, used, data, size);
}

/* The same for an array of two. */
static void expect_two(unsigned int encoding, unsigned int format,
		       unsigned int elements, const char *data, size_t size)
{
	char bytes[64] = COUNT("\2");
	size_t used = elements ? 0 : 2;

	memcpy(bytes + used, data, size);
	memcpy(bytes + used + size, data, size);
	expect_type(encoding, format, elements, bytes, used + 2 * size);
}

/* TYPE(): value, array and constant array, by macro and by function. */
#define TYPE(upper, lower, type, value, encoding, format, bytes)          \
	do {                                                              \
		static const type values_[] = { (value), (value) };       \
		WRITE(UEV_EH_##upper("f", value));                        \
		EXPECT_TYPE(encoding, format, 0, bytes);                  \
		begin();                                                  \
		uev_add_##lower(builder, "f", value);                     \
		built();                                                  \
		EXPECT_TYPE(encoding, format, 0, bytes);                  \
		ARRAYS(upper, uev_add_##lower, values_, encoding, format, \
		       bytes);                                            \
	} while (0)

#define ARRAYS(upper, function, values, encoding, format, bytes) \
	do {                                                     \
		WRITE(UEV_EH_##upper##_ARRAY("f", values, 2));   \
		EXPECT_TWO((encoding) | 0x40, format, 0, bytes); \
		begin();                                         \
		function##_array(builder, "f", values, 2);       \
		built();                                         \
		EXPECT_TWO((encoding) | 0x40, format, 0, bytes); \
		WRITE(UEV_EH_##upper##_CARRAY("f", values, 2));  \
		EXPECT_TWO((encoding) | 0x20, format, 2, bytes); \
		begin();                                         \
		function##_carray(builder, "f", values, 2);      \
		built();                                         \
		EXPECT_TWO((encoding) | 0x20, format, 2, bytes); \
	} while (0)

#define EXPECT_TYPE(encoding, format, elements, bytes) \
	expect_type(encoding, format, elements, bytes, sizeof(bytes) - 1)
#define EXPECT_TWO(encoding, format, elements, bytes) \
	expect_two(encoding, format, elements, bytes, sizeof(bytes) - 1)

TEST(types_of_8_bits)
{
	TYPE(U8, u8, uint8_t, 200, 2, 0, "\xc8");
	TYPE(I8, i8, int8_t, -3, 2, 2, "\xfd");
	TYPE(HEX8, hex8, uint8_t, 200, 2, 3, "\xc8");
	TYPE(BOOL8, bool8, bool, true, 2, 7, "\x01");
	TYPE(CHAR8, char8, char, 'x', 2, 10, "x");
}

#define MINUS_3_16 BYTES_2("\xfd", "\xff")
#define COUNTING_16 BYTES_2("\x34", "\x12")

TEST(types_of_16_bits)
{
	TYPE(U16, u16, uint16_t, 0x1234, 3, 0, COUNTING_16);
	TYPE(I16, i16, int16_t, -3, 3, 2, MINUS_3_16);
	TYPE(HEX16, hex16, uint16_t, 0x1234, 3, 3, COUNTING_16);
	TYPE(BOOL16, bool16, uint16_t, 1, 3, 7, COUNT("\x01"));
	TYPE(CHAR16, char16, uint16_t, 0x20ac, 3, 11, BYTES_2("\xac", "\x20"));
	TYPE(PORT, port, uint16_t, VECTOR_NATIVE(0x5000, 0x0050), 3, 16,
	     "\x00\x50");
}

#define SMALL_32(number) BYTES_4(number, "\x00", "\x00", "\x00")
#define MINUS_3_32 BYTES_4("\xfd", "\xff", "\xff", "\xff")
#define COUNTING_32 VECTOR_NATIVE(LITTLE_32, BIG_32)

TEST(types_of_32_bits)
{
	TYPE(U32, u32, uint32_t, VALUE_32, 4, 0, COUNTING_32);
	TYPE(I32, i32, int32_t, -3, 4, 2, MINUS_3_32);
	TYPE(HEX32, hex32, uint32_t, VALUE_32, 4, 3, COUNTING_32);
	TYPE(F32, f32, float, 1.5F, 4, 8,
	     BYTES_4("\x00", "\x00", "\xc0", "\x3f"));
	TYPE(BOOL32, bool32, int32_t, 1, 4, 7, SMALL_32("\x01"));
	TYPE(CHAR32, char32, uint32_t, 0x1f600, 4, 11,
	     BYTES_4("\x00", "\xf6", "\x01", "\x00"));
	TYPE(ERRNO, errno, int32_t, ENOENT, 4, 4, SMALL_32("\x02"));
	TYPE(PID, pid, int32_t, 4711, 4, 5,
	     BYTES_4("\x67", "\x12", "\x00", "\x00"));
	TYPE(TIME32, time32, int32_t, 1, 4, 6, SMALL_32("\x01"));
	TYPE(IPV4, ipv4, uint32_t, VECTOR_NATIVE(0x0100007f, 0x7f000001), 4, 17,
	     "\x7f\x00\x00\x01");
}

#define COUNTING VECTOR_NATIVE(LITTLE_64, BIG_64)
#define MINUS_3 \
	BYTES_8("\xfd", "\xff", "\xff", "\xff", "\xff", "\xff", "\xff", "\xff")

TEST(types_of_64_bits)
{
	TYPE(U64, u64, uint64_t, VALUE_64, 5, 0, COUNTING);
	TYPE(I64, i64, int64_t, -3, 5, 2, MINUS_3);
	TYPE(HEX64, hex64, uint64_t, VALUE_64, 5, 3, COUNTING);
	TYPE(F64, f64, double, -2, 5, 8,
	     BYTES_8("\x00", "\x00", "\x00", "\x00", "\x00", "\x00", "\x00",
		     "\xc0"));
	TYPE(TIME64, time64, int64_t, -3, 5, 6, MINUS_3);
}

/* As long as a pointer, which longs are, too. */
#define WORD (VECTOR_IS_64 ? 5 : 4)
#define VALUE_WORD ((uintptr_t)VALUE_64)
#define COUNTING_WORD                                                      \
	BYTES_WORD("\xef", "\xcd", "\xab", "\x89", "\x67", "\x45", "\x23", \
		   "\x01")
#define MINUS_3_WORD                                                       \
	BYTES_WORD("\xfd", "\xff", "\xff", "\xff", "\xff", "\xff", "\xff", \
		   "\xff")

TEST(types_of_words)
{
	static void *pointers[] = { (void *)VALUE_WORD, (void *)VALUE_WORD };

	TYPE(SIZE, size, size_t, VALUE_WORD, WORD, 0, COUNTING_WORD);
	TYPE(SSIZE, ssize, intptr_t, -3, WORD, 2, MINUS_3_WORD);
	TYPE(LONG, long, long, -3, WORD, 2, MINUS_3_WORD);
	TYPE(ULONG, ulong, unsigned long, VALUE_WORD, WORD, 0, COUNTING_WORD);
	TYPE(HEXLONG, hexlong, unsigned long, VALUE_WORD, WORD, 3,
	     COUNTING_WORD);
	TYPE(POINTER, pointer, void *const, (void *)VALUE_WORD, WORD, 3,
	     COUNTING_WORD);
	ARRAYS(POINTER, uev_add_pointer, pointers, WORD, 3, COUNTING_WORD);
	WRITE(UEV_EH_POINTER_ARRAY("f", NULL, 0));
	EXPECT_TYPE(WORD | 0x40, 3, 0, "\0\0");
}

/* TYPE_128(): by pointer from a macro, by value from a function. */
#define TYPE_128(upper, lower, format)                                         \
	do {                                                                   \
		const struct uev_value128 value_ = uev_eh_load_(VALUE_128);    \
		const struct uev_value128 values_[] = { value_, value_ };      \
		WRITE(UEV_EH_##upper("f", VALUE_128));                         \
		EXPECT_TYPE(6, format, 0, VALUE_128);                          \
		begin();                                                       \
		uev_add_##lower(builder, "f", value_);                         \
		built();                                                       \
		EXPECT_TYPE(6, format, 0, VALUE_128);                          \
		ARRAYS(upper, uev_add_##lower, values_, 6, format, VALUE_128); \
	} while (0)

TEST(types_of_128_bits)
{
	TYPE_128(U128, u128, 0);
	TYPE_128(UUID, uuid, 15);
	TYPE_128(IPV6, ipv6, 17);
}

/* TEXT(): with a zero and with a length. */
#define TEXT(upper, lower, units, zero_code, code, format, bytes, zero) \
	do {                                                            \
		WRITE(UEV_EH_Z##upper("f", units));                     \
		EXPECT_TYPE(zero_code, format, 0, bytes zero);          \
		begin();                                                \
		uev_add_z##lower(builder, "f", units);                  \
		built();                                                \
		EXPECT_TYPE(zero_code, format, 0, bytes zero);          \
		WRITE(UEV_EH_##upper("f", units, 2));                   \
		EXPECT_TYPE(code, format, 0, COUNT("\2") bytes);        \
		begin();                                                \
		uev_add_##lower(builder, "f", units, 2);                \
		built();                                                \
		EXPECT_TYPE(code, format, 0, COUNT("\2") bytes);        \
	} while (0)

TEST(types_of_text)
{
	TEXT(UTF8, utf8, "ab", 7, 10, 0, "ab", "\0");
	TEXT(UTF16, utf16, u"ab", 8, 11, 0, COUNT("a") COUNT("b"), "\0\0");
	TEXT(UTF32, utf32, U"ab", 9, 12, 0, SMALL_32("a") SMALL_32("b"),
	     "\0\0\0\0");
	TEXT(STR8, str8, "ab", 7, 10, 10, "ab", "\0");
	TEXT(XML, xml, "ab", 7, 10, 13, "ab", "\0");
	TEXT(JSON, json, "ab", 7, 10, 14, "ab", "\0");
}

TEST(bytes)
{
	WRITE(UEV_EH_BINARY("f", "\1\2\3", 3));
	FIELD("\x0d", COUNT("\3") "\1\2\3");
	begin();
	uev_add_binary(builder, "f", "\1\2\3", 3);
	built();
	FIELD("\x0d", COUNT("\3") "\1\2\3");
}

/* A string that is missing is an empty one. */
TEST(missing_text)
{
	const char *none = NULL;
	const uint16_t *none16 = NULL;

	WRITE(UEV_EH_ZUTF8("f", none));
	FIELD("\x07", "\0");
	WRITE(UEV_EH_ZUTF16("f", none16));
	FIELD("\x08", "\0\0");
	begin();
	uev_add_zutf8(builder, "f", none);
	built();
	FIELD("\x07", "\0");
	begin();
	uev_add_zutf16(builder, "f", none16);
	built();
	FIELD("\x08", "\0\0");
}

#define AUTO(type, value, meta, bytes)           \
	do {                                     \
		const type value_ = (value);     \
		WRITE(UEV_EH_AUTO("f", value_)); \
		FIELD(meta, bytes);              \
	} while (0)

#if VECTOR_IS_64
#define DEDUCED_WORD "\x85"
#else
#define DEDUCED_WORD "\x84"
#endif

TEST(deduced)
{
	AUTO(bool, true, "\x82\x07", "\x01");
	AUTO(char, 'c', "\x82\x0a", "c");
	AUTO(signed char, -1, "\x82\x02", "\xff");
	AUTO(unsigned char, 7, "\x82\x01", "\x07");
	AUTO(short, -1, "\x83\x02", "\xff\xff");
	AUTO(unsigned short, 7, "\x83\x01", COUNT("\x07"));
	AUTO(int, -1, "\x84\x02", "\xff\xff\xff\xff");
	AUTO(unsigned int, 7, "\x84\x01", SMALL_32("\x07"));
	AUTO(long, -3, DEDUCED_WORD "\x02", MINUS_3_WORD);
	AUTO(unsigned long, 7, DEDUCED_WORD "\x01",
	     BYTES_WORD("\x07", "\0", "\0", "\0", "\0", "\0", "\0", "\0"));
	AUTO(long long, -3, "\x85\x02", MINUS_3);
	AUTO(unsigned long long, 7, "\x85\x01",
	     BYTES_8("\x07", "\0", "\0", "\0", "\0", "\0", "\0", "\0"));
	AUTO(float, 1.5F, "\x84\x08", BYTES_4("\0", "\0", "\xc0", "\x3f"));
	AUTO(double, -2, "\x85\x08",
	     BYTES_8("\0", "\0", "\0", "\0", "\0", "\0", "\0", "\xc0"));
	AUTO(void *, NULL, DEDUCED_WORD "\x03",
	     BYTES_WORD("\0", "\0", "\0", "\0", "\0", "\0", "\0", "\0"));
	/* Also with a volatile type, of which the record is a copy */
	AUTO(volatile bool, true, "\x82\x07", "\x01");
	AUTO(volatile short, -1, "\x83\x02", "\xff\xff");
	AUTO(volatile long long, -3, "\x85\x02", MINUS_3);
	AUTO(volatile double, -2, "\x85\x08",
	     BYTES_8("\0", "\0", "\0", "\0", "\0", "\0", "\0", "\xc0"));
#ifdef __cplusplus
	AUTO(char16_t, u'a', "\x83\x0b", COUNT("a"));
	AUTO(char32_t, U'a', "\x84\x0b", SMALL_32("a"));
#ifdef __cplusplus
	enum class small : signed char {
		one = -1
	};
	enum class large : unsigned long long {
		seven = 7
	};
	AUTO(small, small::one, "\x82\x02", "\xff");
	AUTO(volatile small, small::one, "\x82\x02", "\xff");
	AUTO(large, large::seven, "\x85\x01",
	     BYTES_8("\x07", "\0", "\0", "\0", "\0", "\0", "\0", "\0"));
#endif
#endif
}

#define AUTO_POINTER(type, value)                                             \
	do {                                                                  \
		type pointer_ = (value);                                      \
		const void *written_ = (const void *)(uintptr_t)pointer_;     \
		WRITE(UEV_EH_AUTO("f", pointer_));                            \
		expect_field(DEDUCED_WORD "\x03", 2, (const char *)&written_, \
			     sizeof(written_));                               \
	} while (0)

typedef void (*function)(void);

/* The value of a pointer to any type, also of one to characters */
TEST(deduced_pointers)
{
	static const char text[] = "text";
	static struct unknown *unknown;
	static int number;

	AUTO_POINTER(int *, &number);
	AUTO_POINTER(const int *const, &number);
	AUTO_POINTER(const volatile int *, &number);
	AUTO_POINTER(const char *, text);
	AUTO_POINTER(int *volatile, &number);
	AUTO_POINTER(struct unknown **, &unknown);
	AUTO_POINTER(function, set_up);
}

/*
 * --- Other properties of macros --------------------------------------------
 */

#define TEN_FIELDS                                                          \
	UEV_EH_U64("a", 1), UEV_EH_U64("a", 1), UEV_EH_U64("a", 1),         \
		UEV_EH_U64("a", 1), UEV_EH_U64("a", 1), UEV_EH_U64("a", 1), \
		UEV_EH_U64("a", 1), UEV_EH_U64("a", 1), UEV_EH_U64("a", 1), \
		UEV_EH_U64("a", 1)
#define SIXTY_FIELDS \
	TEN_FIELDS, TEN_FIELDS, TEN_FIELDS, TEN_FIELDS, TEN_FIELDS, TEN_FIELDS

/*
 * The pieces that UEV_EVENTHEADER(3) names, and the index in front of them. The
 * records are so large that the library does not copy several pieces to one.
 */
TEST(pieces)
{
	static const uint8_t activity[UEV_ACTIVITY_SIZE] = { 0 };

	WRITE(SIXTY_FIELDS);
	ck_assert_int_eq(fake_record()->pieces, 2);
	WRITE(UEV_EH_ACTIVITY(activity, NULL), SIXTY_FIELDS);
	ck_assert_int_eq(fake_record()->pieces, 3);
	WRITE(SIXTY_FIELDS, TEN_FIELDS, TEN_FIELDS, TEN_FIELDS);
	ck_assert_int_eq(fake_record()->pieces, 3);
}

/* Parts that stay where they are come between those that are copied. */
TEST(order)
{
	static const uint16_t numbers[] = { 0x0102, 0x0304 };

	WRITE(UEV_EH_U8("a", 1), UEV_EH_ZUTF8("b", "x"), UEV_EH_U8("c", 2),
	      UEV_EH_U8("d", 3), UEV_EH_UTF8("e", "yz", 2),
	      UEV_EH_U16_ARRAY("f", numbers, 2),
	      UEV_EH_U16_CARRAY("g", numbers, 2), UEV_EH_U8("h", 4),
	      UEV_EH_UTF8("i", "", 0));
	ck_assert_uint_eq(fake_record()->size, 14 + 8 * 3 + 5 + 22);
	ck_assert_mem_eq(fake_record()->payload + 14 + 8 * 3 + 5,
			 "\1x\0\2\3" COUNT("\2") "yz" COUNT("\2")
				 BYTES_2("\2", "\1") BYTES_2("\4", "\3")
					 BYTES_2("\2", "\1")
						 BYTES_2("\4", "\3") "\4\0\0",
			 22);
}

static unsigned int evaluations;

static uint8_t evaluate(uint8_t value)
{
	evaluations++;
	return value;
}

static const char *evaluate_text(const char *text)
{
	evaluations++;
	return text;
}

/* Arguments are evaluated once, or not at all while disabled. */
static int write_evaluated(void)
{
	return UEV_EVENTHEADER(provider, 5, 1, "E", UEV_EH_U8("a", evaluate(1)),
			       UEV_EH_ZUTF8("b", evaluate_text("x")),
			       UEV_EH_UTF8("c", evaluate_text("yz"),
					   evaluate(2)),
			       UEV_EH_ACTIVITY(evaluate_text(ACTIVITY),
					       evaluate_text(RELATED)));
}

TEST(evaluated_once)
{
	evaluations = 0;
	WROTE(write_evaluated());
	ck_assert_uint_eq(evaluations, 6);
}

TEST(disabled)
{
	evaluations = 0;
	fake_enable("Prov_L5K1", false);
	ck_assert(!UEV_EVENTHEADER_ENABLED(provider, 5, 1));
	ck_assert_int_eq(write_evaluated(), 0);
	begin();
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	ck_assert_uint_eq(evaluations, 0);
	ck_assert_uint_eq(records(), 0);
	fake_enable("Prov_L5K1", true);
	ck_assert(UEV_EVENTHEADER_ENABLED(provider, 5, 1));
}

#ifdef __cplusplus
/* Temporary objects of the arguments exist until the event is written. */
TEST(temporaries)
{
	const std::string text(1000, 'x');
	using words = std::vector<uint16_t>;

	WRITE(UEV_EH_ZUTF8("f", std::string(text).c_str()));
	ck_assert_mem_eq(fake_record()->payload + 17, text.c_str(), 1001);
	WRITE(UEV_EH_UTF8("f", std::string(text).data(), 1000));
	ck_assert_mem_eq(fake_record()->payload + 19, text.data(), 1000);
	WRITE(UEV_EH_U16_ARRAY("f", words(500, 0x7878).data(), 500));
	ck_assert_mem_eq(fake_record()->payload + 19, text.data(), 1000);
	WRITE(UEV_EH_U16_CARRAY("f", words(500, 0x7878).data(), 500));
	ck_assert_mem_eq(fake_record()->payload + 19, text.data(), 1000);
	WRITE(UEV_EH_BINARY("f", std::string(text).data(), 1000));
	ck_assert_mem_eq(fake_record()->payload + 19, text.data(), 1000);
	WRITE(UEV_EH_ACTIVITY(std::string(text).data(),
			      std::string(text).data()));
	ck_assert_mem_eq(fake_record()->payload + 12, text.data(), 32);
}
#endif

/* Independent of the spelling of level and keyword, and of the function. */
TEST(one_set)
{
	const struct uev_event *event = UEV_EVENTHEADER_SET(provider, 5, 1);

	ck_assert_ptr_eq(event, UEV_EVENTHEADER_SET(provider, UEV_LEVEL_VERBOSE,
						    KEYWORD));
	ck_assert_ptr_eq(event, UEV_EVENTHEADER_SET(provider, 2 + 3, 1ULL));
	ck_assert_ptr_ne(event, UEV_EVENTHEADER_SET(provider, 4, KEYWORD_TOP));
	ck_assert_ptr_ne(event,
			 UEV_EVENTHEADER_SET(provider, 5, 0x8000000100000001));
	ck_assert_ptr_ne(event, UEV_EVENTHEADER_SET(provider, 5, 0x1000001));
	ck_assert_ptr_ne(event, UEV_EVENTHEADER_SET(group_provider, 5, 1));
}

/* The names that the sets above are registered by, each once. */
TEST(commands)
{
	ck_assert_int_eq(UEV_PROVIDER_STATUS(provider), 0);
	ck_assert_str_eq(fake_command("Prov_L5K1"),
			 "Prov_L5K1 u8 eventheader_flags; u8 version; u16 id; "
			 "u16 tag; u8 opcode; u8 level");
	ck_assert_ptr_nonnull(fake_command("Prov_L4K3"));
	ck_assert_ptr_nonnull(fake_command("Prov_L5K8000000100000001"));
	ck_assert_ptr_nonnull(fake_command("Prov_L5K1000001"));
	ck_assert_ptr_nonnull(fake_command("A_B_L5K1Gperf1"));
	ck_assert_ptr_nonnull(fake_command("A_B_LffKffffffffffffffffGperf1"));
	ck_assert_ptr_nonnull(fake_command("A_B_L1K0Gperf1"));
	ck_assert_ptr_nonnull(fake_command("TestProviderC_L4K85"));
	/* Those eight, and that of the builder. */
	ck_assert_uint_eq(fake_enablers(), 9);
	ck_assert(!UEV_EVENTHEADER_ENABLED(group_provider, 255, UINT64_MAX));
	ck_assert(!UEV_EVENTHEADER_ENABLED(group_provider, 1, 0));
}

/* A provider can go and come again, as with a shared library. */
TEST(unloaded)
{
	struct uev_event *event = UEV_EVENTHEADER_SET(provider, 5, 1);

	uev_eh_provider_unload(&provider);
	ck_assert_int_eq(uev_event_status(event), -ENOTCONN);
	ck_assert_int_eq(UEV_EVENTHEADER(provider, 5, 1, "E"), 0);
	ck_assert_uint_eq(records(), 0);
	ck_assert_int_eq(uev_eh_provider_load(&provider), 0);
	ck_assert_int_eq(uev_event_status(event), 0);
	WROTE(UEV_EVENTHEADER(provider, 5, 1, "E"));
	/* A registered provider is not registered again. */
	ck_assert_int_eq(uev_eh_provider_load(&provider), 0);
}

/*
 * An event that the kernel rejects does not affect the others. It has no other
 * name than its own, which readers would not know.
 */
TEST(some_rejected)
{
	uev_eh_provider_unload(&provider);
	/* The list of all, and then the first event alone */
	fake_fail(FAKE_IOCTL, 0, 2, -EADDRINUSE);
	ck_assert_int_eq(uev_eh_provider_load(&provider), 0);
	ck_assert_int_eq(UEV_PROVIDER_STATUS(provider), -EADDRINUSE);
	/* Nine, without the one. */
	ck_assert_uint_eq(fake_enablers(), 8);
	/* That one is only pending. */
	fake_pass(1000);
	ck_assert_int_eq(uev_register_pending(), 0);
	ck_assert_int_eq(UEV_PROVIDER_STATUS(provider), 0);
	ck_assert_uint_eq(fake_enablers(), 9);
}

/* The library detects what the compiler has missed. */
TEST(bad_provider)
{
	struct uev_eh_provider bad = {
		sizeof(struct uev_event),   0, "a.b", "", NULL, NULL, NULL,
		{ NULL, NULL, NULL, NULL },
	};

	ck_assert_int_eq(uev_eh_provider_load(&bad), -EINVAL);
	ck_assert_int_eq(UEV_PROVIDER_STATUS(bad), -EINVAL);
	uev_eh_provider_unload(&bad);
	bad.name = "a";
	ck_assert_int_eq(uev_eh_provider_load(&bad), 0);
}

TEST(no_memory)
{
	int err;

	uev_eh_provider_unload(&provider);
	fake_alloc_fail(0);
	err = uev_eh_provider_load(&provider);
	ck_assert(fake_alloc_end());
	ck_assert(fake_alloc_kept_errno());
	ck_assert_int_eq(err, -ENOMEM);
	ck_assert_int_eq(uev_eh_provider_load(&provider), 0);
}

/* An event that is too large is counted and not written. */
TEST(too_large)
{
	static char text[70000];
	struct uev_event *event = UEV_EVENTHEADER_SET(provider, 5, 1);
	struct uev_stats stats;

	ck_assert_int_eq(UEV_EVENTHEADER(provider, 5, 1, "E",
					 UEV_EH_UTF8("f", text, 8184)),
			 -E2BIG);
	ck_assert_int_eq(UEV_EVENTHEADER(provider, 5, 1, "E",
					 UEV_EH_UTF8("f", text, 65536)),
			 -E2BIG);
	ck_assert_int_eq(UEV_EVENTHEADER(provider, 5, 1, "E",
					 UEV_EH_U64_ARRAY("f", NULL, SIZE_MAX)),
			 -E2BIG);
	ck_assert_int_eq(
		UEV_EVENTHEADER(provider, 5, 1, "E",
				UEV_EH_U64_ARRAY("f", NULL, SIZE_MAX / 8 + 2)),
		-E2BIG);
	ck_assert_uint_eq(records(), 0);
	ck_assert_int_eq(uev_event_stats(event, &stats, sizeof(stats)), 0);
	ck_assert_uint_eq(stats.oversize, 4);
	/* 8 + 4 + 5 bytes of metadata and 2 of length are before the text. */
	WRITE(UEV_EH_UTF8("f", text, UEV_PAYLOAD_MAX - 19));
	ck_assert_uint_eq(fake_record()->size, UEV_PAYLOAD_MAX);
}

/* As many as there may be. */
TEST(many_fields)
{
#define TEN                                                    \
	(UEV_EH_U8("", 0), UEV_EH_U8("", 1), UEV_EH_U8("", 2), \
	 UEV_EH_U8("", 3), UEV_EH_U8("", 4), UEV_EH_U8("", 5), \
	 UEV_EH_U8("", 6), UEV_EH_U8("", 7), UEV_EH_U8("", 8), \
	 UEV_EH_U8("", 9))
	WRITE(UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN,
	      UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN,
	      UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN, UEV_EH_OPEN_ TEN,
	      UEV_EH_U8("", 0), UEV_EH_U8("", 1), UEV_EH_U8("", 2),
	      UEV_EH_U8("", 3), UEV_EH_U8("", 4), UEV_EH_U8("", 5),
	      UEV_EH_U8("", 6), UEV_EH_U8("", 7), UEV_EH_U8("", 8));
	ck_assert_uint_eq(fake_record()->size, 14 + 99 * 3);
	ck_assert_int_eq(fake_record()->payload[14 + 99 * 3 - 1], 8);
}

/* Attributes are part of a name. */
TEST(attributes)
{
	WROTE(UEV_EVENTHEADER(provider, 5, 1, "E;a=1;b=x;;y",
			      UEV_EH_U8("f;unit=ms", 1)));
	ck_assert_mem_eq(fake_record()->payload + 12,
			 "E;a=1;b=x;;y\0f;unit=ms\0\x02\x01", 25);
	uev_builder_begin(builder, "E;a=1;b=x;;y", 0);
	uev_add_u8(builder, "f;unit=ms", 1);
	built();
	ck_assert_mem_eq(fake_record()->payload + 12,
			 "E;a=1;b=x;;y\0f;unit=ms\0\x02\x01", 25);
}
