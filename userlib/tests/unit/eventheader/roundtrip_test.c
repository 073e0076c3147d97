// SPDX-License-Identifier: MIT
/*
 * Output of macros and builders of EventHeader, read by the decoder: chosen and
 * random events.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <userevents/decode.h>
#include <userevents/eventheader-dynamic.h>
#include <userevents/eventheader.h>

#include "lib/decode_help.h"
#include "lib/fake_sys.h"
#include "lib/runner.h"
#include "lib/vectors.h"

UEV_PROVIDER_GROUP(disk, "My_Disk", "g");

static struct uev_dynamic_provider *provider;
static struct uev_builder *builder;
static struct uev_decoder *decoder;
static struct uev_event_set *set;
static struct uev_output json;

static void set_up(void)
{
	fake_reset(FAKE_ENABLER);
	ck_assert_int_eq(uev_set_path(NULL), 0);
	ck_assert_int_eq(uev_dynamic_provider_new(&provider, "My_Disk", "g"),
			 0);
	ck_assert_int_eq(
		uev_dynamic_provider_event_set(provider, 4, 0x2a, &set), 0);
	ck_assert_int_eq(uev_builder_new(&builder), 0);
	decoder = new_decoder();
	fake_enable("My_Disk_L4K2aGg", true);
}

static void tear_down(void)
{
	uev_output_release(&json);
	uev_decoder_free(decoder);
	uev_builder_free(builder);
	uev_dynamic_provider_free(provider);
}

TEST_FIXTURE(set_up, tear_down);

/* The last record as NUL-terminated JSON. */
static const char *read_record(void)
{
	const struct fake_record *record = fake_record();

	json.size = 0;
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, record->name,
						       record->payload,
						       record->size),
			 0);
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, NULL, &json),
			 0);
	ck_assert_int_eq(uev_output_append(&json, "", 1), 0);
	return json.text;
}

#define ACTIVITY \
	"\x01\x23\x45\x67\x89\xab\xcd\xef\xfe\xdc\xba\x98\x76\x54\x32\x10"

/* 127.0.0.1, in the order of the network. */
#define ADDRESS VECTOR_NATIVE(0x0100007f, 0x7f000001)

#define EXPECTED                                                                 \
	"{ \"n\": \"My_Disk:Done\", \"sector\": \"0x1234\", \"device\": \"sda\"" \
	", \"time;unit=us\": { \"queued\": 10, \"parts\": [ 1, 2 ] }, "          \
	"\"result\": \"EIO(5)\", \"owner\": null, \"from;tag=0x7\": "            \
	"\"127.0.0.1\", \"meta\": { \"id\": 9, \"version\": 1, \"level\": 4, "   \
	"\"keyword\": \"0x2A\", \"opcode\": 2, \"tag\": \"0x3\", "               \
	"\"activity\": \"01234567-89ab-cdef-fedc-ba9876543210\" } }"

static const uint16_t parts[] = { 1, 2 };

TEST(from_a_macro)
{
	int err = UEV_EVENTHEADER(
		disk, UEV_LEVEL_INFORMATION, 0x2a, "Done", UEV_EH_ID(9, 1),
		UEV_EH_OPCODE(UEV_OPCODE_ACTIVITY_STOP), UEV_EH_EVENT_TAG(3),
		UEV_EH_ACTIVITY(ACTIVITY, NULL), UEV_EH_HEX64("sector", 0x1234),
		UEV_EH_ZUTF8("device", "sda"),
		UEV_EH_STRUCT("time;unit=us", UEV_EH_U32("queued", 10),
			      UEV_EH_U16_ARRAY("parts", parts, 2)),
		UEV_EH_ERRNO("result", 5), UEV_EH_NULLABLE("owner", PID, "", 0),
		UEV_EH_TAGGED(7, UEV_EH_IPV4("from", ADDRESS)));

	ck_assert_int_eq(err, 0);
	ck_assert_uint_eq(fake_records(), 1);
	ck_assert_str_eq(read_record(), EXPECTED);
}

TEST(from_a_builder)
{
	const uint32_t address = ADDRESS;

	uev_builder_begin(builder, "Done", 3);
	uev_builder_id(builder, 9, 1);
	uev_builder_opcode(builder, UEV_OPCODE_ACTIVITY_STOP);
	uev_add_hex64(builder, "sector", 0x1234);
	uev_add_zutf8(builder, "device", "sda");
	uev_begin_struct(builder, "time;unit=us", 0);
	uev_add_u32(builder, "queued", 10);
	uev_add_u16_array(builder, "parts", parts, 2);
	uev_end_struct(builder);
	uev_add_errno(builder, "result", 5);
	uev_add_null(builder, "owner", UEV_FORMAT_PID);
	uev_add(builder, "from", UEV_ENCODING_VALUE32, UEV_FORMAT_IP_ADDRESS, 7,
		&address, 1);
	ck_assert_int_eq(uev_builder_write(builder, set, ACTIVITY, NULL), 0);
	ck_assert_str_eq(read_record(), EXPECTED);
}

/*
 * --- Random events ---------------------------------------------------------
 */

/* The same numbers in every run: an error can be looked at again. */
static uint32_t state;

static uint32_t below(uint32_t limit)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % limit;
}

#define UNITS "abcd\0\0\0\0\0\0\0\0"

static bool ends_in_zero(unsigned int encoding)
{
	return encoding >= UEV_ENCODING_ZSTRING8 &&
	       encoding <= UEV_ENCODING_ZSTRING32;
}

static unsigned int some_format(unsigned int encoding)
{
	unsigned int format;

	do {
		format = below(UEV_FORMAT_END);
	} while (!(UEV_FORMATS_OF(encoding) & UEV_FORMAT_BIT(format)));
	return format;
}

/* Values, or strings that are long enough for any use. */
static void add_some(void)
{
	static const char *const names[] = { "a", "b;x=y", "", "\xc3\xa4" };
	static const unsigned int flags[] = { 0, UEV_ENCODING_CARRAY,
					      UEV_ENCODING_VARRAY };
	static char bytes[16 * 8];
	const unsigned int encoding =
		UEV_ENCODING_VALUE8 + below(UEV_ENCODING_BINARY - 1);
	const unsigned int flag = flags[below(3)];
	const bool is_value = encoding < UEV_ENCODING_ZSTRING8;
	struct uev_string strings[8];
	const void *data = bytes;
	size_t count = is_value ? 1 : below(8);
	unsigned int i;

	for (i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)below(256);
	for (i = 0; i < 8; i++) {
		strings[i].data = UNITS;
		strings[i].count = ends_in_zero(encoding) ? UEV_ZERO_ENDED
							  : below(3);
	}
	if (!is_value && !flag && ends_in_zero(encoding)) {
		data = UNITS;
		count = UEV_ZERO_ENDED;
	}
	if (flag) {
		data = is_value ? (const void *)bytes : strings;
		count = flag == UEV_ENCODING_CARRAY ? 1 + below(8) : below(9);
	}
	ck_assert_int_eq(uev_add(builder, names[below(4)], encoding | flag,
				 some_format(encoding), (uint16_t)below(3),
				 data, count),
			 0);
}

static void add_some_structs(void)
{
	const size_t elements = below(4);

	uev_add_struct_array(builder, "s", 2, (uint16_t)below(2), elements);
	uev_add_meta(builder, "x", UEV_ENCODING_VALUE16, UEV_FORMAT_HEX, 0, 0);
	uev_add_meta(builder, "y", UEV_ENCODING_VALUE8, 0, 9, 0);
	ck_assert_int_eq(uev_add_data(builder, UNITS, elements * 3), 0);
}

static void build_some(void)
{
	unsigned int depth = 0;

	for (unsigned int i = below(12); i; i--) {
		switch (below(8)) {
		case 0:
			if (depth < UEV_STRUCT_DEPTH_MAX - 1) {
				uev_begin_struct(builder, "t",
						 (uint16_t)below(2));
				depth++;
			}
			add_some();
			break;
		case 1:
			if (depth) {
				uev_end_struct(builder);
				depth--;
			}
			break;
		case 2:
			add_some_structs();
			break;
		default:
			add_some();
		}
	}
	while (depth--)
		uev_end_struct(builder);
}

/* Any event that is built can be read completely. */
TEST_LOOP(random_events, 10)
{
	for (uint32_t i = 0; i < 300; i++) {
		state = (uint32_t)_i * 300 + i;
		uev_builder_begin(builder, "Some;a=b", (uint16_t)below(2));
		build_some();
		uev_add_u64(builder, "the end", 0x123456789abcdef);
		ck_assert_int_eq(uev_builder_write(builder, set,
						   below(2) ? ACTIVITY : NULL,
						   NULL),
				 0);
		ck_assert_ptr_nonnull(
			strstr(read_record(),
			       "\"the end\": 81985529216486895, \"meta\""));
	}
}
