// SPDX-License-Identifier: MIT
/*
 * <userevents/TraceLoggingProvider.h>: each event has the same bytes as the one
 * of UEV_EVENTHEADER(), and the decoder reads it. Compiled as C and as C++.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#ifdef __cplusplus
#include <string>
#endif
#include <userevents/TraceLoggingProvider.h>
#include <userevents/decode.h>

UEV_BEGIN_DECLS
#include "lib/decode_help.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
UEV_END_DECLS

#define ID (0xd5b90669, 0x1aad, 0x5db8, 1, 2, 3, 4, 5, 6, 7, 8)

TRACELOGGING_DECLARE_PROVIDER(tlg);
TRACELOGGING_DEFINE_PROVIDER(tlg, "Tlg_Prov", ID);
TRACELOGGING_DEFINE_PROVIDER(grouped, "Tlg_Group", ID,
			     TraceLoggingOptionGroupName("g1"));
UEV_PROVIDER(same, "Tlg_Same");

static const uint8_t guid[16] = { 1, 2, 3, 4, 5, 6, 7, 8 };
static struct fake_record expected;

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	ck_assert_int_eq(TraceLoggingRegister(tlg), 0);
	fake_enable("Tlg_Prov_L5K0", true);
	fake_enable("Tlg_Same_L5K0", true);
}

static void tear_down(void)
{
	TraceLoggingUnregister(tlg);
}

TEST_FIXTURE(set_up, tear_down);

static void keep(int err)
{
	ck_assert_int_eq(err, 0);
	expected = *fake_record();
}

static void compare(int err, unsigned int before)
{
	const struct fake_record *record = fake_record();

	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(fake_records(), before + 1);
	ck_assert_uint_eq(record->size, expected.size);
	ck_assert_mem_eq(record->payload, expected.payload, expected.size);
}

#define CALL(macro, ...) macro(__VA_ARGS__)

/* SAME(): (TraceLogging fields), (fields of UEV_EVENTHEADER) */
#define SAME(fields, others)                                                   \
	do {                                                                   \
		unsigned int before_;                                          \
		int err_ = CALL(UEV_EVENTHEADER, same, 5, 0, "E",              \
				UEV_EH_OPEN_ others);                          \
		keep(err_);                                                    \
		before_ = fake_records();                                      \
		err_ = CALL(TraceLoggingWrite, tlg, "E", UEV_EH_OPEN_ fields); \
		compare(err_, before_);                                        \
	} while (0)

/* TYPE(): value, fixed array and array */
#define TYPE(name, type, encoding, format, number)                          \
	do {                                                                \
		const type v = (type)(number);                              \
		SAME((TraceLogging##name(v)),                               \
		     (UEV_EH_VALUE("v", encoding, format, type, v)));       \
		SAME((TraceLogging##name(v, "n", "description", 7)),        \
		     (UEV_EH_TAGGED(7, UEV_EH_VALUE("n", encoding, format,  \
						    type, v))));            \
		SAME((TraceLogging##name##FixedArray(&v, 1, "a")),          \
		     (UEV_EH_CARRAY("a", encoding, format, type, &v, 1)));  \
		SAME((TraceLogging##name##Array(&v, before_ ? 1 : 0, "a")), \
		     (UEV_EH_ARRAY("a", encoding, format, type, &v, 1)));   \
	} while (0)

TEST(integers)
{
	TYPE(Int8, int8_t, VALUE8, SIGNED, -100);
	TYPE(UInt8, uint8_t, VALUE8, DEFAULT, 200);
	TYPE(Int16, int16_t, VALUE16, SIGNED, -30000);
	TYPE(UInt16, uint16_t, VALUE16, DEFAULT, 60000);
	TYPE(Int32, int32_t, VALUE32, SIGNED, -2000000000);
	TYPE(UInt32, uint32_t, VALUE32, DEFAULT, 4000000000);
	TYPE(Int64, int64_t, VALUE64, SIGNED, INT64_MIN);
	TYPE(UInt64, uint64_t, VALUE64, DEFAULT, UINT64_MAX);
	TYPE(IntPtr, intptr_t, SIZE, SIGNED, -1234);
	TYPE(UIntPtr, uintptr_t, SIZE, DEFAULT, 4321);
	TYPE(Long, long, LONG, SIGNED, -5);
	TYPE(ULong, unsigned long, LONG, DEFAULT, 5);
}

TEST(hexadecimal)
{
	TYPE(HexInt8, int8_t, VALUE8, HEX, -100);
	TYPE(HexUInt8, uint8_t, VALUE8, HEX, 200);
	TYPE(HexInt16, int16_t, VALUE16, HEX, -30000);
	TYPE(HexUInt16, uint16_t, VALUE16, HEX, 60000);
	TYPE(HexInt32, int32_t, VALUE32, HEX, -2000000000);
	TYPE(HexUInt32, uint32_t, VALUE32, HEX, 4000000000);
	TYPE(HexInt64, int64_t, VALUE64, HEX, INT64_MIN);
	TYPE(HexUInt64, uint64_t, VALUE64, HEX, UINT64_MAX);
	TYPE(HexIntPtr, intptr_t, SIZE, HEX, -1234);
	TYPE(HexUIntPtr, uintptr_t, SIZE, HEX, 4321);
	TYPE(HexLong, long, LONG, HEX, -5);
	TYPE(HexULong, unsigned long, LONG, HEX, 5);
}

TEST(other_values)
{
	TYPE(Float32, float, VALUE32, FLOAT, 3.5);
	TYPE(Float64, double, VALUE64, FLOAT, -6.28);
	TYPE(Boolean, uint8_t, VALUE8, BOOLEAN, 255);
	TYPE(Bool, int32_t, VALUE32, BOOLEAN, 1);
	TYPE(Char, char, VALUE8, STRING8, 'A');
	TYPE(Char16, UEV_TLG_CHAR16_, VALUE16, STRING_UTF, u'A');
	TYPE(Char32, UEV_TLG_CHAR32_, VALUE32, STRING_UTF, U'A');
#if __SIZEOF_WCHAR_T__ == 4
	TYPE(WChar, wchar_t, VALUE32, STRING_UTF, L'B');
#endif
	TYPE(Pid, int32_t, VALUE32, PID, 4711);
	TYPE(Port, uint16_t, VALUE16, PORT, 80);
	TYPE(Errno, int32_t, VALUE32, ERRNO, 2);
	TYPE(Time32, int32_t, VALUE32, TIME, 1);
	TYPE(Time64, int64_t, VALUE64, TIME, -1);
}

TEST(pointers_and_bytes)
{
	const void *const pointer = guid;
	void *others[] = { (void *)(uintptr_t)guid };
	const char text[] = "binary";

	SAME((TraceLoggingPointer(pointer), TraceLoggingPointer(NULL, "n"),
	      TraceLoggingPointerFixedArray(&pointer, 1, "a"),
	      TraceLoggingPointerArray(&pointer, 1, "b")),
	     (UEV_EH_POINTER("pointer", pointer), UEV_EH_POINTER("n", NULL),
	      UEV_EH_POINTER_CARRAY("a", &pointer, 1),
	      UEV_EH_POINTER_ARRAY("b", &pointer, 1)));
	SAME((TraceLoggingPointerFixedArray(others, 1, "a"),
	      TraceLoggingPointerArray(others, 1, "b")),
	     (UEV_EH_POINTER_CARRAY("a", &pointer, 1),
	      UEV_EH_POINTER_ARRAY("b", &pointer, 1)));
	SAME((TraceLoggingGuid(guid), TraceLoggingIPv6Address(guid, "ip"),
	      TraceLoggingIPv4Address(0x0100007f, "v4", "", 1)),
	     (UEV_EH_UUID("guid", guid), UEV_EH_IPV6("ip", guid),
	      UEV_EH_TAGGED(1, UEV_EH_IPV4("v4", 0x0100007f))));
	SAME((TraceLoggingBinary(text, 3), TraceLoggingBinary(NULL, 0, "none"),
	      TraceLoggingBinaryEx(text, 2, event_field_format_hex_int, "hex")),
	     (UEV_EH_STRING("text", STRING8, HEX_BYTES, text, 3),
	      UEV_EH_STRING("none", STRING8, HEX_BYTES, "", 0),
	      UEV_EH_STRING("hex", STRING8, HEX, text, 2)));
}

TEST(strings)
{
	const char text[10] = "How\xe4reU8?";
	const UEV_TLG_CHAR16_ text16[10] = { 'H', 'i', 0x20ac };
	const UEV_TLG_CHAR32_ text32[10] = { 'H', 'i', 0x1f600 };
	const wchar_t wide[] = L"Goodbye";

	SAME((TraceLoggingString(text), TraceLoggingString(NULL, "n")),
	     (UEV_EH_ZSTR8("text", text), UEV_EH_ZSTR8("n", "")));
	SAME((TraceLoggingUtf8String("x", "a"),
	      TraceLoggingUtf8String(NULL, "n")),
	     (UEV_EH_ZUTF8("a", "x"), UEV_EH_ZUTF8("n", "")));
	SAME((TraceLoggingString16(text16), TraceLoggingString32(text32)),
	     (UEV_EH_ZUTF16("text16", text16),
	      UEV_EH_ZUTF32("text32", text32)));
	SAME((TraceLoggingCountedString(text, 5),
	      TraceLoggingCountedUtf8String(text, 1, "u", "", 2),
	      TraceLoggingCountedString16(text16, 3),
	      TraceLoggingCountedString32(NULL, 0, "n")),
	     (UEV_EH_STR8("text", text, 5),
	      UEV_EH_TAGGED(2, UEV_EH_UTF8("u", text, 1)),
	      UEV_EH_UTF16("text16", text16, 3), UEV_EH_UTF32("n", U"", 0)));
#if __SIZEOF_WCHAR_T__ == 4
	SAME((TraceLoggingWideString(wide),
	      TraceLoggingCountedWideString(wide, 4, "w")),
	     (UEV_EH_ZUTF32("wide", wide), UEV_EH_UTF32("w", wide, 4)));
#endif
}

/* The caller packs the same bytes. */
TEST(packed)
{
	static const struct __attribute__((__packed__)) {
		uint16_t count;
		uint8_t elements[2][2];
	} data = { 2, { { 1, 2 }, { 3, 4 } } };
	const uint32_t number = 7;

	SAME((TraceLoggingPackedField(&number, 4, event_field_encoding_value32,
				      "n"),
	      TraceLoggingPackedFieldEx(&number, 4,
					event_field_encoding_value32,
					event_field_format_pid, "p"),
	      TraceLoggingPackedStructArray(2, "s"),
	      TraceLoggingPackedData(&data, sizeof(data)),
	      TraceLoggingPackedMetadata(event_field_encoding_value8, "a"),
	      TraceLoggingPackedMetadataEx(event_field_encoding_value8,
					   event_field_format_hex_int, "b")),
	     (UEV_EH_U32("n", number), UEV_EH_PID("p", 7),
	      UEV_EH_STRUCT_ARRAY("s", data.elements, 2,
				  UEV_EH_MEMBER("a", VALUE8, DEFAULT),
				  UEV_EH_MEMBER("b", VALUE8, HEX))));
}

/* Options: the last applies, keywords are combined. */
TEST(options)
{
	int err;

	fake_enable("Tlg_Prov_L4K85", true);
	fake_enable("Tlg_Same_L4K85", true);
	err = UEV_EVENTHEADER(same, 4, 0x85, "E", UEV_EH_ID(1000, 11),
			      UEV_EH_EVENT_TAG(0x1234),
			      UEV_EH_OPCODE(UEV_OPCODE_COLLECTION_START),
			      UEV_EH_TAGGED(0xbeef, UEV_EH_STRUCT_OF("s", 20)),
			      UEV_EH_TAGGED(0x12, UEV_EH_ZSTR8("hi", "hi")));
	keep(err);
	err = TraceLoggingWrite(
		tlg, "E", TraceLoggingIdVersion(5, 0), TraceLoggingLevel(2),
		TraceLoggingIdVersion(1000, 11), TraceLoggingKeyword(0x80),
		TraceLoggingOpcode(2),
		TraceLoggingLevel(event_level_information),
		TraceLoggingKeyword(0x05), TraceLoggingEventTag(0x1234),
		TraceLoggingOpcode(event_opcode_collection_start),
		TraceLoggingDescription("Hello"),
		TraceLoggingStruct(20, "s", "Desc", 0xbeef),
		TraceLoggingString("hi", "hi", "Descr", 0x12));
	compare(err, 1);
	ck_assert_str_eq(fake_record()->name, "Tlg_Prov_L4K85");
	/* The last one is 0. */
	err = TraceLoggingWrite(tlg, "E", TraceLoggingOpcode(2),
				TraceLoggingOpcode(0));
	ck_assert_int_eq(err, 0);
	ck_assert_int_eq(fake_record()->payload[6], 0);
}

TEST(activities)
{
	int err = UEV_EVENTHEADER(same, 5, 0, "E", UEV_EH_ACTIVITY(guid, guid),
				  UEV_EH_U8("n", 1));

	keep(err);
	err = TraceLoggingWriteActivity(tlg, "E", guid, guid,
					TraceLoggingUInt8(1, "n"));
	compare(err, 1);
	err = UEV_EVENTHEADER(same, 5, 0, "E");
	keep(err);
	err = TraceLoggingWriteActivity(tlg, "E", NULL, NULL);
	compare(err, 3);
	err = TraceLoggingWriteActivity(tlg, "E", NULL, guid);
	ck_assert_int_eq(err, EINVAL);
}

/* Events are disabled until the provider is registered. */
TEST(registers)
{
	bool enabled = TraceLoggingProviderEnabled(grouped, 5, 1);

	ck_assert(!enabled);
	ck_assert_ptr_null(fake_command("Tlg_Group_L5K1Gg1"));
	ck_assert_int_eq(TraceLoggingRegister(grouped), 0);
	fake_enable("Tlg_Group_L5K1Gg1", true);
	enabled = TraceLoggingProviderEnabled(grouped, 5, 1);
	ck_assert(enabled);
	TraceLoggingWrite(grouped, "E", TraceLoggingKeyword(1));
	ck_assert_uint_eq(fake_records(), 1);
	TraceLoggingUnregister(grouped);
	TraceLoggingUnregister(grouped);
	TraceLoggingWrite(grouped, "E", TraceLoggingKeyword(1));
	ck_assert_uint_eq(fake_records(), 1);
	fake_fail(FAKE_IOCTL, 0, 1, -EACCES);
	ck_assert_int_eq(TraceLoggingRegister(grouped), EACCES);
	TraceLoggingUnregister(grouped);
	ck_assert_str_eq(TraceLoggingProviderName(grouped), "Tlg_Group");
	ck_assert_str_eq(TraceLoggingProviderOptions(grouped), "Gg1");
	ck_assert_str_eq(TraceLoggingProviderOptions(tlg), "");
}

TEST(decoded)
{
	struct uev_decoder *decoder = new_decoder();
	const struct fake_record *record = fake_record();
	const int number = -5;
	struct uev_output json;

	memset(&json, 0, sizeof(json));

	TraceLoggingWrite(tlg, "Read", TraceLoggingInt32(number),
			  TraceLoggingStruct(2, "where"),
			  TraceLoggingUtf8String("sda", "device"),
			  TraceLoggingHexUInt64(0x1234, "sector"),
			  TraceLoggingGuid(guid));
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, record->name,
						       record->payload,
						       record->size),
			 0);
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, NULL, &json),
			 0);
	ck_assert_int_eq(uev_output_append(&json, "", 1), 0);
	ck_assert_str_eq(json.text,
			 "{ \"n\": \"Tlg_Prov:Read\", \"number\": -5, "
			 "\"where\": { \"device\": \"sda\", \"sector\": "
			 "\"0x1234\" }, \"guid\": "
			 "\"01020304-0506-0708-0000-000000000000\", \"meta\": "
			 "{ \"level\": 5 } }");
	uev_output_release(&json);
	uev_decoder_free(decoder);
}

#ifdef __cplusplus
/* TraceLoggingValue() always has a format; UEV_EH_AUTO() has no strings. */
TEST(deduced)
{
	const char *none = nullptr;

	SAME((TraceLoggingValue(true, "a"), TraceLoggingValue('c', "b"),
	      TraceLoggingValue(-1, "c"), TraceLoggingValue(1ULL, "d", "", 3),
	      TraceLoggingValue(1.5F, "e"),
	      TraceLoggingValue(static_cast<const void *>(guid), "f")),
	     (UEV_EH_AUTO("a", true), UEV_EH_AUTO("b", 'c'),
	      UEV_EH_AUTO("c", -1), UEV_EH_TAGGED(3, UEV_EH_AUTO("d", 1ULL)),
	      UEV_EH_AUTO("e", 1.5F), UEV_EH_POINTER("f", guid)));
	SAME((TraceLoggingValue("text"), TraceLoggingValue(none),
	      TraceLoggingValue(std::string(1000, 'x').c_str(), "s")),
	     (UEV_EH_ZSTR8("\"text\"", "text"), UEV_EH_ZSTR8("none", ""),
	      UEV_EH_ZSTR8("s", std::string(1000, 'x').c_str())));
}
#endif
