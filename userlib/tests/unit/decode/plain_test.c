// SPDX-License-Identifier: MIT
/*
 * Records of which a format file describes the fields.
 */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/runner.h"

/* Records below are little-endian; so may be the machine, or not. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE 0
#define BIG UEV_SCHEMA_SWAPPED
#else
#define LITTLE UEV_SCHEMA_SWAPPED
#define BIG 0
#endif

static struct uev_schema *parse(const char *text, unsigned int flags)
{
	struct uev_schema *schema;

	ck_assert_int_eq(uev_schema_parse(&schema, "sys", text, strlen(text),
					  flags, NULL),
			 0);
	return schema;
}

static void check_plain(const char *format, unsigned int flags,
			const char *record, const char *json)
{
	struct uev_schema *schema = parse(format, flags);

	check_record(schema, NULL, record, json);
	uev_schema_free(schema);
}

TEST(kernel_events_are_shown)
{
	check_plain(FORMAT_SCHED_SWITCH, LITTLE,
		    COMMON_BYTES
		    "'bash' 00 'junk of bas' 01 02 00 00 78 00 00 00"
		    "ff ff ff ff ff ff ff ff"
		    "'kworker/0:1-lon!' ff ff ff ff 9c ff ff ff",
		    "{ \"n\": \"sys:sched_switch\", \"prev_comm\": \"bash\", "
		    "\"prev_pid\": 513, \"prev_prio\": 120, "
		    "\"prev_state\": -1, \"next_comm\": \"kworker/0:1-lon!\", "
		    "\"next_pid\": -1, \"next_prio\": -100 }");
	check_plain(FORMAT_SYS_ENTER, LITTLE,
		    COMMON_BYTES
		    "01 01 00 00 00 00 00 00"
		    "9c ff ff ff ff ff ff ff 01 00 00 00 00 00 00 00"
		    "02 00 00 00 00 00 00 00 03 00 00 00 00 00 00 00"
		    "04 00 00 00 00 00 00 00 ff 00 00 00 00 00 00 00",
		    "{ \"n\": \"sys:sys_enter\", \"id\": 257, \"args\": [ "
		    "\"0xFFFFFFFFFFFFFF9C\", \"0x1\", \"0x2\", \"0x3\", "
		    "\"0x4\", \"0xFF\" ] }");
	check_plain(FORMAT_OPENAT, LITTLE,
		    COMMON_BYTES
		    "01 01 00 00 00 00 00 00"
		    "9c ff ff ff 00 00 00 00 10 20 30 40 50 60 70 80"
		    "80 01 00 00 00 00 00 00",
		    "{ \"n\": \"sys:sys_enter_openat\", "
		    "\"__syscall_nr\": 257, \"dfd\": 4294967196, "
		    "\"filename\": \"0x8070605040302010\", "
		    "\"mode\": \"0x180\" }");
	check_plain(FORMAT_EXEC, LITTLE,
		    COMMON_BYTES "14 00 08 00 07 00 00 00 08 00 00 00"
				 "'/bin/ls' 00",
		    "{ \"n\": \"sys:sched_process_exec\", "
		    "\"filename\": \"/bin/ls\", \"pid\": 7, \"old_pid\": 8 }");
	check_plain(FORMAT_PRINT, LITTLE,
		    COMMON_BYTES "10 00 00 00 00 00 00 00 'hello' 0a 00 00",
		    "{ \"n\": \"sys:print\", \"ip\": \"0x10\", "
		    "\"buf\": \"hello\\n\" }");
}

/* Where a location is relative, and where it is not. */
#define USER_RECORD                                                    \
	COMMON_BYTES "1e 00 06 00 30 00 04 00 fe ff ff ff ff ff ff ff" \
		     "'ab' 00 'c' 01 02 03 00 01 02 03 04 05 06 07 ff" \
		     "'A' 01 'hello' 00 05 00 06 00"
#define USER_JSON                                                       \
	"{ \"n\": \"sys:user\", \"text\": \"hello\", "                  \
	"\"numbers\": [ 5, 6 ], \"big\": -2, \"name\": \"ab\", "        \
	"\"key\": [ 1, 2, 3 ], \"pair\": \"00 01 02 03 04 05 06 07\", " \
	"\"small\": -1, \"letter\": 65, \"yes\": true }"

TEST(user_event_is_shown)
{
	check_plain(FORMAT_USER, LITTLE, USER_RECORD, USER_JSON);
}

TEST(record_of_the_other_byte_order)
{
	check_plain(FORMAT_USER, BIG,
		    COMMON_BYTES "00 06 00 1e 00 04 00 30"
				 "ff ff ff ff ff ff ff fe"
				 "'ab' 00 'c' 01 02 03 00 01 02 03 04 05 06 07"
				 "ff 'A' 01 'hello' 00 00 05 00 06",
		    USER_JSON);
}

#define START "name: e\nID: 1\n"

/* A field with its expected kind and output. */
static const struct field_row {
	const char *field;
	const char *record;
	const char *json;
} fields[] = {
	{ "u8 a;offset:0;size:1", "ff", "255" },
	{ "u8 a;offset:0;size:1;signed:1", "ff", "-1" },
	{ "u64 a;offset:1;size:8", "00 ff ff ff ff ff ff ff ff",
	  "18446744073709551615" },
	{ "unsigned short a;offset:0;size:2", "01 02", "513" },
	{ "unsigned int a;offset:0;size:4", "01 02 03 04", "67305985" },
	{ "unsigned long long a;offset:0;size:8", "01 00 00 00 00 00 00 00",
	  "1" },
	{ "unsigned long a;offset:0;size:8", "1f 00 00 00 00 00 00 00",
	  "\"0x1F\"" },
	{ "unsigned long a;offset:0;size:4", "1f 00 00 00", "\"0x1F\"" },
	{ "long a;offset:0;size:8;signed:1", "ff ff ff ff ff ff ff ff", "-1" },
	{ "void *a;offset:0;size:8;signed:1", "ff 00 00 00 00 00 00 00",
	  "\"0xFF\"" },
	{ "const struct sock * sk;offset:0;size:8", "ff 00 00 00 00 00 00 00",
	  "\"0xFF\"" },
	{ "pid_t a;offset:0;size:4;signed:1", "01 00 00 00", "1" },
	{ "gfp_t a;offset:0;size:4", "c0 0c 00 00", "\"0xCC0\"" },
	{ "enum migrate_mode a;offset:0;size:4", "03 00 00 00", "3" },
	{ "bool a;offset:0;size:1", "00", "false" },
	{ "bool a;offset:0;size:1", "03", "3" },
	{ "_Bool a;offset:0;size:1", "01", "true" },
	{ "char a;offset:0;size:1", "41", "65" },
	{ "const char a;offset:0;size:1;signed:1", "ff", "-1" },
	{ "struct s a;offset:0;size:4", "01 02 03 04", "\"01 02 03 04\"" },
	{ "union s a;offset:0;size:4", "01 02 03 04", "\"01 02 03 04\"" },
	{ "u64 a;offset:0;size:3", "01 02 03", "\"01 02 03\"" },
	{ "__int128 a;offset:0;size:16;signed:1",
	  "00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f",
	  "\"00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\"" },
	{ "char a[3];offset:0;size:3", "'abc'", "\"abc\"" },
	{ "char[3] a;offset:0;size:3", "'a' 00 'c'", "\"a\"" },
	{ "char [3] a;offset:0;size:3", "'abc'", "\"abc\"" },
	{ "char a[3];offset:0;size:3", "00 'bc'", "\"\"" },
	{ "char a[LEN];offset:0;size:2", "'a' e9", "\"a\xc3\xa9\"" },
	{ "s8 a[2];offset:0;size:2;signed:1", "01 ff", "[ 1, -1 ]" },
	{ "u8[2] a;offset:0;size:2", "01 ff", "[ 1, 255 ]" },
	{ "u32 a[2];offset:0;size:8", "01 00 00 00 02 00 00 00", "[ 1, 2 ]" },
	{ "u32 a[LEN];offset:0;size:8", "01 00 00 00 02 00 00 00", "[ 1, 2 ]" },
	{ "myint_t a[2];offset:0;size:4;signed:1", "01 00 ff ff", "[ 1, -1 ]" },
	{ "bool a[2];offset:0;size:2", "01 00", "[ true, false ]" },
	{ "char *a[2];offset:0;size:16",
	  "01 00 00 00 00 00 00 00"
	  "02 00 00 00 00 00 00 00",
	  "[ \"0x1\", \"0x2\" ]" },
	/* Sizes that are not a multiple of the element, and unknown types. */
	{ "u32 a[LEN];offset:0;size:3", "01 02 03", "\"01 02 03\"" },
	{ "myint_t a[LEN];offset:0;size:2", "01 02", "\"01 02\"" },
	{ "u32 a[2];offset:0;size:6", "01 02 03 04 05 06",
	  "\"01 02 03 04 05 06\"" },
	{ "struct s a[2];offset:0;size:2", "01 02", "\"01 02\"" },
	/* All that is left. */
	{ "char a[];offset:1;size:0", "00 'text'", "\"text\"" },
	{ "char a[];offset:1;size:0", "00", "\"\"" },
	{ "u16 a[];offset:1;size:0", "00 01 00 02 00", "[ 1, 2 ]" },
	{ "u16 a[];offset:0;size:0", "01 00 02", "\"01 00 02\"" },
	{ "u16 a[4];offset:0;size:0", "01 00 02 00", "[ 1, 2 ]" },
	{ "u16 a;offset:0;size:0", "01 00", "\"01 00\"" },
	/* Elsewhere. */
	{ "__data_loc char[] a;offset:0;size:4", "05 00 02 00 00 'ab'",
	  "\"ab\"" },
	{ "__rel_loc char[] a;offset:0;size:4", "01 00 02 00 00 'ab'",
	  "\"ab\"" },
	{ "__data_loc char[] a;offset:0;size:4", "04 00 00 00", "\"\"" },
	{ "__data_loc u8[] a;offset:0;size:4", "04 00 00 00", "[ ]" },
	{ "__data_loc u32[] a;offset:0;size:4", "04 00 04 00 01 00 00 00",
	  "[ 1 ]" },
	{ "__data_loc u32[] a;offset:0;size:4", "04 00 03 00 01 02 03",
	  "\"01 02 03\"" },
	{ "__data_loc struct s[] a;offset:0;size:4", "04 00 03 00 01 02 03",
	  "\"01 02 03\"" },
	{ "__data_loc cpumask_t a;offset:0;size:4", "04 00 02 00 01 02",
	  "\"01 02\"" },
	{ "__data_loc const char[] a;offset:0;size:4", "04 00 01 00 'a'",
	  "\"a\"" },
	/* Two bytes say where, and not how much. */
	{ "__data_loc char[] a;offset:0;size:2", "03 00 ff 'ab'", "\"ab\"" },
	{ "__rel_loc u8[] a;offset:1;size:2", "00 01 00 ff 01 02", "[ 1, 2 ]" },
	/* user_events marks types as signed that do not start with a u. */
	{ "__rel_loc u8[] a;offset:0;size:4;signed:1", "00 00 02 00 01 ff",
	  "[ 1, 255 ]" },
	{ "__rel_loc __u16[] a;offset:0;size:4;signed:1", "00 00 02 00 ff ff",
	  "[ 65535 ]" },
	{ "__data_loc unsigned int[] a;offset:0;size:4;signed:1",
	  "04 00 04 00 ff ff ff ff", "[ 4294967295 ]" },
	{ "__rel_loc s8[] a;offset:0;size:4;signed:1", "00 00 02 00 01 ff",
	  "[ 1, -1 ]" },
	{ "__rel_loc int[] a;offset:0;size:4;signed:1",
	  "00 00 04 00 ff ff ff ff", "[ -1 ]" },
	/* The field itself can be in the record. */
	{ "__data_loc u8[] a;offset:0;size:4", "00 00 04 00",
	  "[ 0, 0, 4, 0 ]" },
};

TEST_LOOP(field_follows_its_type, COUNT(fields))
{
	const struct field_row *row = &fields[_i];
	char format[256], json[256];

	snprintf(format, sizeof(format), START "field:%s;\n", row->field);
	snprintf(json, sizeof(json), "{ \"n\": \"sys:e\", \"%s\": %s }",
		 strstr(row->field, " sk;") ? "sk" : "a", row->json);
	check_plain(format, LITTLE | UEV_SCHEMA_LONG64, row->record, json);
}

/* The size of a long follows the kernel for data elsewhere. */
TEST(long_has_the_size_of_the_kernel)
{
	static const char format[] = START
		"field:__data_loc unsigned long[] a;offset:0;size:4;\n"
		"field:__data_loc char *[] b;offset:0;size:4;\n";
	static const char record[] = "04 00 08 00 01 00 00 00 02 00 00 00";

	check_plain(format, LITTLE | UEV_SCHEMA_LONG32, record,
		    "{ \"n\": \"sys:e\", \"a\": [ \"0x1\", \"0x2\" ], "
		    "\"b\": [ \"0x1\", \"0x2\" ] }");
	check_plain(format, LITTLE | UEV_SCHEMA_LONG64, record,
		    "{ \"n\": \"sys:e\", \"a\": [ \"0x200000001\" ], "
		    "\"b\": [ \"0x200000001\" ] }");
}

static const struct error_row {
	const char *field;
	const char *record;
	size_t offset;
	const char *reason;
} errors[] = {
	{ "u8 a;offset:2;size:1", "00", 1, "record ends before a field" },
	{ "u8 a;offset:4294967295;size:4294967295", "00", 1,
	  "record ends before a field" },
	{ "u8 a;offset:1;size:1", "00", 1, "truncated field" },
	{ "u32 a;offset:0;size:4", "00 00 00", 0, "truncated field" },
	{ "char a[4];offset:1;size:4294967295", "00 'abc'", 1,
	  "truncated field" },
	{ "__data_loc char[] a;offset:0;size:3", "00 00 00", 0,
	  "data location is neither 4 nor 2 bytes" },
	{ "__data_loc char[] a;offset:0;size:8", "00 00 00 00 00 00 00 00", 0,
	  "data location is neither 4 nor 2 bytes" },
	{ "__data_loc char[] a;offset:0;size:4", "05 00 00 00", 0,
	  "data location outside the record" },
	{ "__rel_loc char[] a;offset:1;size:4", "00 01 00 00 00", 1,
	  "data location outside the record" },
	{ "__data_loc char[] a;offset:0;size:4", "04 00 01 00", 0,
	  "data exceeds the record" },
	{ "__rel_loc char[] a;offset:1;size:4", "00 ff ff ff ff", 1,
	  "data location outside the record" },
	{ "__rel_loc char[] a;offset:0;size:4", "00 00 ff ff 00", 0,
	  "data exceeds the record" },
	{ "__data_loc char[] a;offset:0;size:2", "03 00", 0,
	  "data location outside the record" },
};

TEST_LOOP(reports_place_and_reason, COUNT(errors))
{
	const struct error_row *row = &errors[_i];
	struct uev_decoder *decoder = new_decoder();
	struct bytes record = bytes_of(row->record);
	struct uev_schema *schema;
	char format[256];
	size_t offset = 0;

	snprintf(format, sizeof(format), START "field:%s;\n", row->field);
	schema = parse(format, LITTLE);
	ck_assert_int_eq(
		uev_decoder_start(decoder, schema, record.at, record.size), 0);
	ck_assert_int_eq(uev_decoder_next(decoder), -EBADMSG);
	ck_assert_int_eq(uev_decoder_next(decoder), -EBADMSG);
	ck_assert_str_eq(uev_decoder_error(decoder, &offset), row->reason);
	ck_assert_uint_eq(offset, row->offset);
	uev_schema_free(schema);
	bytes_free(&record);
	uev_decoder_free(decoder);
}

/* A truncated record is detected, and nothing beyond it is read. */
TEST(accepts_truncation_anywhere)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_schema *schema = parse(FORMAT_USER, LITTLE);
	struct bytes whole = bytes_of(USER_RECORD), part;
	size_t size;
	char *text;
	int ret;

	options.flags = UEV_JSON_PARTIAL;
	options.meta |= UEV_META_COMMON;
	for (size = 0; size <= whole.size; size++) {
		part = bytes_cut(&whole, size);
		text = record_json(schema, NULL, &part, &options, NULL, &ret);
		ck_assert_int_eq(ret, size < whole.size ? -EBADMSG : 0);
		ck_assert(!strstr(text, "\"error\": { \"reason\":") == !ret);
		free(text);
		bytes_free(&part);
	}
	bytes_free(&whole);
	uev_schema_free(schema);
}

/* Appends @count fields of @size bytes; @step is the distance of two fields. */
static void add_fields(char *format, const char *type, unsigned int count,
		       unsigned int size, unsigned int step)
{
	unsigned int i;

	strcpy(format, START);
	for (i = 0; i < count; i++)
		sprintf(format + strlen(format),
			"field:%s f%u;offset:%u;size:%u;\n", type, i, i * step,
			size);
}

/*
 * Decodes a record of @size zeros in which each of @count locations names the
 * bytes from @from on. Return: the result; @total is set to the bytes of values
 */
static int decode_overlapping(const char *format, unsigned int count,
			      size_t size, size_t from, size_t *total)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_schema *schema = parse(format, LITTLE);
	uint8_t *record = calloc(1, size);
	unsigned int i;
	int ret;

	ck_assert_ptr_nonnull(record);
	for (i = 0; from && i < count; i++) {
		record[i * 4] = (uint8_t)from;
		record[i * 4 + 1] = (uint8_t)(from >> 8);
		record[i * 4 + 2] = (uint8_t)(size - from);
		record[i * 4 + 3] = (uint8_t)((size - from) >> 8);
	}
	ck_assert_int_eq(uev_decoder_start(decoder, schema, record, size), 0);
	for (*total = 0; (ret = uev_decoder_next(decoder)) > 0;)
		*total += ret == UEV_ITEM_VALUE
				  ? uev_decoder_item(decoder)->value.size
				  : 0;
	if (ret)
		ck_assert_str_eq(uev_decoder_error(decoder, NULL),
				 "too many fields for its size");
	free(record);
	uev_schema_free(schema);
	uev_decoder_free(decoder);

	return ret;
}

#define FIELDS 1000

/* Fields of a format can overlap, but not without end. */
TEST(limits_overlapping_fields)
{
	static char format[FIELDS * 64];
	size_t total;

	add_fields(format, "__data_loc struct s[]", FIELDS, 4, 4);
	ck_assert_int_eq(decode_overlapping(format, FIELDS, 16000, 4000,
					    &total),
			 -E2BIG);
	ck_assert_uint_gt(total, 16000);
	ck_assert_uint_le(total, 18 * 16000 + 4096);

	/* The whole record, and one byte. */
	add_fields(format, "struct s", FIELDS, 16000, 0);
	ck_assert_int_eq(decode_overlapping(format, 0, 16000, 0, &total),
			 -E2BIG);
	ck_assert_uint_le(total, 18 * 16000 + 4096);
	add_fields(format, "u8", FIELDS, 1, 0);
	ck_assert_int_eq(decode_overlapping(format, 0, 8, 0, &total), -E2BIG);
	ck_assert_uint_le(total, 8 * 16 + 256);
}

/* A writer can store a text once for several fields. */
TEST(accepts_shared_texts)
{
	static char format[FIELDS * 64];
	size_t total;

	add_fields(format, "__data_loc struct s[]", 8, 4, 4);
	ck_assert_int_eq(decode_overlapping(format, 8, 32 + 60000, 32, &total),
			 0);
	ck_assert_uint_eq(total, 8 * 60000);
	/* Without any overlap, everything fits. */
	add_fields(format, "u8", FIELDS, 1, 1);
	ck_assert_int_eq(decode_overlapping(format, 0, FIELDS, 0, &total), 0);
	ck_assert_uint_eq(total, FIELDS);
}

TEST(items_are_complete)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_schema *schema = parse(FORMAT_USER, LITTLE);
	struct bytes record = bytes_of(USER_RECORD);
	const struct uev_record_info *info;
	const struct uev_item *item;

	item = uev_decoder_item(decoder);
	ck_assert_int_eq(
		uev_decoder_start(decoder, schema, record.at, record.size), 0);
	info = uev_decoder_info(decoder);
	ck_assert_ptr_eq(info->schema, schema);
	ck_assert(!info->is_eventheader);
	ck_assert_mem_eq(info->provider, "sys", info->provider_size);
	ck_assert_uint_eq(info->provider_size, 3);
	ck_assert_mem_eq(info->name, "user", info->name_size);
	ck_assert_uint_eq(info->name_size, 4);

	ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_VALUE);
	ck_assert_int_eq(item->kind, UEV_ITEM_VALUE);
	ck_assert_int_eq(item->value.type, UEV_DECODED_TEXT);
	ck_assert_uint_eq(item->value.size, 5);
	ck_assert_ptr_eq(item->value.bytes, record.at + 42);
	ck_assert_int_eq(item->encoding, 0);
	ck_assert_mem_eq(item->name, "text", item->name_size);
	ck_assert_uint_eq(item->name_size, 4);
	ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_ARRAY_BEGIN);
	ck_assert_uint_eq(item->count, 2);
	ck_assert(!item->is_element);
	ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_VALUE);
	ck_assert(item->is_element);
	ck_assert_uint_eq(item->index, 0);
	ck_assert_uint_eq(item->value.u64, 5);
	ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_VALUE);
	ck_assert_uint_eq(item->index, 1);
	ck_assert_uint_eq(item->value.u64, 6);
	ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_ARRAY_END);
	ck_assert(!item->is_element);
	ck_assert_uint_eq(item->index, 0);
	ck_assert_uint_eq(item->count, 2);
	ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_VALUE);
	ck_assert_int_eq(item->value.i64, -2);
	ck_assert_int_eq(item->value.type, UEV_DECODED_SIGNED);

	bytes_free(&record);
	uev_schema_free(schema);
	uev_decoder_free(decoder);
}

TEST(reads_common_fields_on_request)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_schema *schema = parse(FORMAT_EVENTHEADER, LITTLE);
	struct bytes record = bytes_of(COMMON_BYTES);
	static const struct {
		const char *name;
		uint64_t value;
	} expected[] = {
		{ "common_type", 0x52a },
		{ "common_flags", 0 },
		{ "common_preempt_count", 0 },
		{ "common_pid", 7 },
	};
	size_t i;

	ck_assert_int_eq(uev_decoder_start_common(decoder, schema, record.at,
						  record.size),
			 0);
	for (i = 0; i < COUNT(expected); i++) {
		const struct uev_item *item = uev_decoder_item(decoder);

		ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_VALUE);
		ck_assert_uint_eq(item->name_size, strlen(expected[i].name));
		ck_assert_mem_eq(item->name, expected[i].name, item->name_size);
		ck_assert_uint_eq(item->value.u64, expected[i].value);
	}
	ck_assert_int_eq(uev_decoder_next(decoder), 0);
	ck_assert_int_eq(uev_decoder_next(decoder), 0);
	bytes_free(&record);
	uev_schema_free(schema);
	uev_decoder_free(decoder);
}

TEST(eventheader_starts_at_its_first_field)
{
	struct uev_schema *schema = parse(FORMAT_EVENTHEADER, LITTLE);
	struct uev_decoder *decoder = new_decoder();
	struct bytes record = bytes_of(COMMON_BYTES
				       "07 00 00 00 00 00 00 05"
				       "[ 'E' 00 'a' 00 04 ] 01 02 03");
	size_t offset = 0;

	check_record(schema, NULL,
		     COMMON_BYTES "07 00 00 00 00 00 00 05"
				  "[ 'E' 00 'a' 00 02 ] 07 00 00",
		     "{ \"n\": \"Prov:E\", \"a\": 7 }");
	/* Offsets of errors are in the record. */
	ck_assert_int_eq(
		uev_decoder_start(decoder, schema, record.at, record.size), 0);
	ck_assert_ptr_eq(uev_decoder_info(decoder)->schema, schema);
	ck_assert(uev_decoder_info(decoder)->is_eventheader);
	ck_assert_int_eq(uev_decoder_next(decoder), -EBADMSG);
	ck_assert_ptr_nonnull(uev_decoder_error(decoder, &offset));
	ck_assert_uint_eq(offset, 25);
	/* A record can be shorter than the offset of the event. */
	ck_assert_int_eq(uev_decoder_start(decoder, schema, record.at, 3),
			 -EBADMSG);
	uev_decoder_free(decoder);
	bytes_free(&record);
	uev_schema_free(schema);
}

TEST(record_without_a_schema_is_bytes)
{
	struct bytes none = { NULL, 0 };
	struct uev_decoder *decoder = new_decoder();
	char *text;
	int ret;

	check_record(NULL, NULL, "01 02 ff", "{ \"raw\": \"01 02 ff\" }");
	text = record_json(NULL, NULL, &none, NULL, NULL, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, "{ \"raw\": \"\" }");
	free(text);
	/* An empty record can have an address. */
	ck_assert_int_eq(uev_decoder_start(decoder, NULL, NULL, 0), 0);
	ck_assert_int_eq(uev_decoder_next(decoder), UEV_ITEM_VALUE);
	ck_assert_ptr_nonnull(uev_decoder_item(decoder)->value.bytes);
	uev_decoder_free(decoder);
}

/* An impossible size, which is rejected without access. */
TEST(rejects_records_of_2_gib)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_schema *schema = parse(FORMAT_USER, LITTLE);
	size_t size = (size_t)INT32_MAX + 1;

	ck_assert_int_eq(uev_decoder_start(decoder, schema, "", size),
			 -EBADMSG);
	ck_assert_int_eq(uev_decoder_start(decoder, NULL, "", size), -EBADMSG);
	ck_assert_int_eq(uev_decoder_start_common(decoder, schema, "", size),
			 -EBADMSG);
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, TRACEPOINT, "",
						       size),
			 -EBADMSG);
	ck_assert_int_eq(uev_decoder_next(decoder), -EBADMSG);
	uev_schema_free(schema);
	uev_decoder_free(decoder);
}

TEST(rejects_a_decoder_without_a_record)
{
	struct uev_decoder *decoder = new_decoder();

	ck_assert_int_eq(uev_decoder_next(decoder), -EINVAL);
	ck_assert_ptr_null(uev_decoder_error(decoder, NULL));
	uev_decoder_free(decoder);
	uev_decoder_free(NULL);
}
