// SPDX-License-Identifier: MIT
/*
 * Output of the library is decoded again: events of macros and of a builder,
 * and tracepoints of plain fields.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/eventheader-dynamic.h>
#include <userevents/eventheader.h>
#include <userevents/tracepoint.h>

#include "lib/decode_help.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"

UEV_PROVIDER_GROUP(provider, "My_Provider", "team");

static void set_up(void)
{
	/* Events of this program are there before this is, and wait for it. */
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
}

TEST_FIXTURE(set_up, NULL);

/* The last record, read as an event of the tracepoint it was written to. */
static void check_written(const char *json)
{
	const struct fake_record *record = fake_record();
	struct bytes bytes = { malloc(record->size), record->size };
	char *text;
	int ret;

	ck_assert_ptr_nonnull(bytes.at);
	memcpy(bytes.at, record->payload, bytes.size);
	text = record_json(NULL, record->name, &bytes, NULL, NULL, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, json);
	free(text);
	bytes_free(&bytes);
}

#define UUID_BYTES \
	"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10"

/* Both writers produce the same event. */
#define JSON                                                           \
	"{ \"n\": \"My_Provider:Event\", \"u8\": 200, \"i16\": -300, " \
	"\"hex\": \"0xBEEF\", \"f32\": 0.1, \"f64\": 1e-07, "          \
	"\"bool\": true, \"errno\": \"ENOENT(2)\", \"port\": 443, "    \
	"\"ip\": \"127.0.0.1\", \"uuid\": "                            \
	"\"01234567-89ab-cdef-fedc-ba9876543210\", "                   \
	"\"time\": \"2024-02-29T12:00:00\", \"text\": \"h\xc3\xa9\", " \
	"\"latin1\": \"h\xc3\xa9\", \"utf16\": \"\xe2\x82\xac\", "     \
	"\"array\": [ 1, 2, 3 ], \"struct\": { \"a\": 1, "             \
	"\"b\": { \"c\": \"x\" } }, \"bytes\": \"00 ff\", "            \
	"\"missing\": null, \"meta\": { \"id\": 7, \"version\": 2, "   \
	"\"level\": 4, \"keyword\": \"0x30\", \"opcode\": 1, "         \
	"\"activity\": \"01234567-89ab-cdef-fedc-ba9876543210\" } }"

static const uint16_t euro[] = { 0x20ac, 0 };
static const uint32_t numbers[] = { 1, 2, 3 };
static const char bytes[] = { 0, '\xff' };

TEST(event_of_a_macro)
{
	uint32_t address = htonl(0x7f000001);
	uint16_t port = htons(443);

	fake_enable("My_Provider_L4K30Gteam", true);
	ck_assert_int_eq(
		UEV_EVENTHEADER(
			provider, 4, 0x30, "Event", UEV_EH_ID(7, 2),
			UEV_EH_OPCODE(UEV_OPCODE_ACTIVITY_START),
			UEV_EH_ACTIVITY(UUID_BYTES, NULL), UEV_EH_U8("u8", 200),
			UEV_EH_I16("i16", -300), UEV_EH_HEX32("hex", 0xbeef),
			UEV_EH_F32("f32", 0.1F), UEV_EH_F64("f64", 1e-7),
			UEV_EH_BOOL8("bool", true), UEV_EH_ERRNO("errno", 2),
			UEV_EH_PORT("port", port), UEV_EH_IPV4("ip", address),
			UEV_EH_UUID("uuid", UUID_BYTES),
			UEV_EH_TIME64("time", 1709208000),
			UEV_EH_ZUTF8("text", "h\xc3\xa9"),
			UEV_EH_STR8("latin1", "h\xe9", 2),
			UEV_EH_ZUTF16("utf16", euro),
			UEV_EH_U32_ARRAY("array", numbers, 3),
			UEV_EH_STRUCT("struct", UEV_EH_U8("a", 1),
				      UEV_EH_STRUCT("b",
						    UEV_EH_ZUTF8("c", "x"))),
			UEV_EH_BINARY("bytes", bytes, sizeof(bytes)),
			UEV_EH_NULLABLE("missing", UUID, NULL, 0)),
		0);
	check_written(JSON);
}

static void build(struct uev_builder *builder)
{
	struct uev_value128 uuid;

	memcpy(&uuid, UUID_BYTES, sizeof(uuid));
	uev_builder_begin(builder, "Event", 0);
	uev_builder_id(builder, 7, 2);
	uev_builder_opcode(builder, UEV_OPCODE_ACTIVITY_START);
	uev_add_u8(builder, "u8", 200);
	uev_add_i16(builder, "i16", -300);
	uev_add_hex32(builder, "hex", 0xbeef);
	uev_add_f32(builder, "f32", 0.1F);
	uev_add_f64(builder, "f64", 1e-7);
	uev_add_bool8(builder, "bool", true);
	uev_add_errno(builder, "errno", 2);
	uev_add_port(builder, "port", htons(443));
	uev_add_ipv4(builder, "ip", htonl(0x7f000001));
	uev_add_uuid(builder, "uuid", uuid);
	uev_add_time64(builder, "time", 1709208000);
	uev_add_zutf8(builder, "text", "h\xc3\xa9");
	uev_add_str8(builder, "latin1", "h\xe9", 2);
	uev_add_zutf16(builder, "utf16", euro);
	uev_add_u32_array(builder, "array", numbers, 3);
	uev_begin_struct(builder, "struct", 0);
	uev_add_u8(builder, "a", 1);
	uev_begin_struct(builder, "b", 0);
	uev_add_zutf8(builder, "c", "x");
	uev_end_struct(builder);
	uev_end_struct(builder);
	uev_add_binary(builder, "bytes", bytes, sizeof(bytes));
	uev_add_null(builder, "missing", UEV_FORMAT_UUID);
}

TEST(event_of_a_builder)
{
	struct uev_dynamic_provider *run_time;
	struct uev_builder *builder;
	struct uev_event_set *set;

	ck_assert_int_eq(
		uev_dynamic_provider_new(&run_time, "My_Provider", "team"), 0);
	ck_assert_int_eq(
		uev_dynamic_provider_event_set(run_time, 4, 0x30, &set), 0);
	ck_assert_int_eq(uev_builder_new(&builder), 0);
	fake_enable("My_Provider_L4K30Gteam", true);
	build(builder);
	ck_assert_int_eq(uev_builder_write(builder, set, UUID_BYTES, NULL), 0);
	check_written(JSON);
	uev_builder_free(builder);
	uev_dynamic_provider_free(run_time);
}

/* Elements of a constant array of structs, which other readers misread. */
TEST(constant_array_of_structs)
{
	struct uev_dynamic_provider *run_time;
	struct uev_builder *builder;
	struct uev_event_set *set;

	ck_assert_int_eq(uev_dynamic_provider_new(&run_time, "P", NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_event_set(run_time, 5, 1, &set),
			 0);
	ck_assert_int_eq(uev_builder_new(&builder), 0);
	fake_enable("P_L5K1", true);
	uev_builder_begin(builder, "E", 0xbeef);
	uev_add_struct_array(builder, "s;unit=ms", 2, 0x12, 2);
	uev_add_meta(builder, "a", UEV_ENCODING_VALUE8, 0, 0, 0);
	uev_add_meta(builder, "b", UEV_ENCODING_ZSTRING8, 0, 0, 0);
	uev_add_data(builder, "\1x\0\2y", 6);
	ck_assert_int_eq(uev_builder_write(builder, set, NULL, NULL), 0);
	check_written("{ \"n\": \"P:E\", \"s;unit=ms;tag=0x12\": [ "
		      "{ \"a\": 1, \"b\": \"x\" }, { \"a\": 2, \"b\": \"y\" } "
		      "], \"meta\": { \"level\": 5, \"keyword\": \"0x1\", "
		      "\"tag\": \"0xBEEF\" } }");
	uev_builder_free(builder);
	uev_dynamic_provider_free(run_time);
}

/* As the kernel prints it for the event that the macro below registers. */
#define FORMAT                                                              \
	"name: plain\nID: 1\nformat:\n"                                     \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"        \
	"\tfield:s32 number;\toffset:8;\tsize:4;\tsigned:1;\n"              \
	"\tfield:__data_loc char[] text;\toffset:12;\tsize:4;\tsigned:0;\n" \
	"\tfield:u64 size;\toffset:16;\tsize:8;\tsigned:0;\n"

TEST(tracepoint_of_plain_fields)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_schema *schema = schema_of("user_events", FORMAT);
	const struct fake_record *record;
	struct bytes whole = bytes_of("00 00 00 00 00 00 00 00");
	unsigned int before = fake_records();
	char *text;
	int ret;

	fake_enable("plain", true);
	UEV_TRACE(plain, number, -5, text, "hello", size, (uint64_t)77);
	ck_assert_uint_eq(fake_records(), before + 1);
	record = fake_record();
	whole.at = realloc(whole.at, 8 + record->size);
	ck_assert_ptr_nonnull(whole.at);
	memcpy(whole.at + 8, record->payload, record->size);
	whole.size += record->size;

	options.flags = UEV_JSON_COMPACT;
	text = record_json(schema, NULL, &whole, &options, NULL, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, "{\"n\":\"user_events:plain\",\"number\":-5,"
			       "\"text\":\"hello\",\"size\":77}");
	free(text);
	bytes_free(&whole);
	uev_schema_free(schema);
}
