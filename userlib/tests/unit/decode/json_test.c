// SPDX-License-Identifier: MIT
/* JSON of whole records, including malformed ones. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/fake_alloc.h"
#include "lib/runner.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LITTLE 0
#else
#define LITTLE UEV_SCHEMA_SWAPPED
#endif

#define HEADER "07 03 0a 00 34 12 01 05 "
#define ACTIVITY "a0 a1 a2 a3 a4 a5 a6 a7 a8 a9 aa ab ac ad ae af "

/* An event that has one of everything. */
#define EVENT                                                           \
	HEADER "10 00 02 80" ACTIVITY                                   \
	       "[ 'E;x=y' 00 's' 00 c1 01 'a' 00 82 82 01 00 'b' 00 07" \
	       "'c' 00 42 ] 02 00 01 02 'x' 00 00 00"

static struct uev_schema *schema_little(const char *text)
{
	struct uev_schema *schema;

	ck_assert_int_eq(uev_schema_parse(&schema, "user_events", text,
					  strlen(text), LITTLE, NULL),
			 0);
	return schema;
}

static void check_with(const char *name, const char *event, uint32_t flags,
		       uint32_t meta, const struct uev_json_sample *sample,
		       const char *json)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct bytes bytes = bytes_of(event);
	char *text;
	int ret;

	options.flags = flags;
	options.meta = meta;
	text = record_json(NULL, name, &bytes, &options, sample, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, json);
	free(text);
	bytes_free(&bytes);
}

TEST(compact_has_no_spaces)
{
	check_with("P_L5K2", EVENT, UEV_JSON_COMPACT, UEV_META_DEFAULT, NULL,
		   "{\"n\":\"P:E\",\"s\":[{\"a;tag=0x1\":1},{\"a;tag=0x1\":2}],"
		   "\"b\":\"x\",\"c\":[],\"meta\":{\"id\":10,\"version\":3,"
		   "\"level\":5,\"keyword\":\"0x2\",\"opcode\":1,"
		   "\"tag\":\"0x1234\","
		   "\"activity\":\"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\"}}");
	check_with("P_L5K2", EVENT, 0, UEV_META_LEVEL, NULL,
		   "{ \"n\": \"P:E\", \"s\": [ { \"a;tag=0x1\": 1 }, "
		   "{ \"a;tag=0x1\": 2 } ], \"b\": \"x\", \"c\": [ ], "
		   "\"meta\": { \"level\": 5 } }");
}

/* Output of each bit of "meta". */
static const struct meta_row {
	uint32_t meta;
	const char *json;
} metas[] = {
	{ 0, "" },
	{ UEV_META_TIME, ",\"meta\":{\"time\":1.000000002}" },
	{ UEV_META_CPU, ",\"meta\":{\"cpu\":3}" },
	{ UEV_META_PID, ",\"meta\":{\"pid\":-1}" },
	{ UEV_META_TID, ",\"meta\":{\"tid\":0}" },
	{ UEV_META_PROVIDER, ",\"meta\":{\"provider\":\"P_Q\"}" },
	{ UEV_META_EVENT, ",\"meta\":{\"event\":\"E\"}" },
	{ UEV_META_ID, ",\"meta\":{\"id\":10}" },
	{ UEV_META_VERSION, ",\"meta\":{\"version\":3}" },
	{ UEV_META_LEVEL, ",\"meta\":{\"level\":5}" },
	{ UEV_META_KEYWORD, ",\"meta\":{\"keyword\":\"0xAB\"}" },
	{ UEV_META_OPCODE, ",\"meta\":{\"opcode\":1}" },
	{ UEV_META_TAG, ",\"meta\":{\"tag\":\"0x1234\"}" },
	{ UEV_META_ACTIVITY,
	  ",\"meta\":{\"activity\":\"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\"}" },
	{ UEV_META_RELATED, ",\"meta\":{\"relatedActivity\":"
			    "\"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\"}" },
	{ UEV_META_OPTIONS, ",\"meta\":{\"options\":\"Gg1\"}" },
	{ UEV_META_FLAGS, ",\"meta\":{\"flags\":\"0x7\"}" },
	{ UEV_META_COMMON, "" },
};

static const struct uev_json_sample full_sample = {
	.size = sizeof(full_sample),
	.flags = UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID,
	.cpu = 3,
	.time = 1000000002,
	.pid = -1,
};

TEST_LOOP(meta_has_requested_members, COUNT(metas))
{
	char json[256];

	snprintf(json, sizeof(json), "{\"n\":\"P_Q:E\"%s}", metas[_i].json);
	check_with("P_Q_L5KabGg1",
		   HEADER "20 00 02 80" ACTIVITY ACTIVITY "[ 'E' 00 ]",
		   UEV_JSON_COMPACT, metas[_i].meta, &full_sample, json);
}

TEST(meta_is_in_order)
{
	check_with("P_Q_L5KabGg1",
		   HEADER "20 00 02 80" ACTIVITY ACTIVITY "[ 'E' 00 ]",
		   UEV_JSON_COMPACT, (UEV_META_COMMON << 1) - 1, &full_sample,
		   "{\"n\":\"P_Q:E\",\"meta\":{\"time\":1.000000002,\"cpu\":3,"
		   "\"pid\":-1,\"tid\":0,\"provider\":\"P_Q\",\"event\":\"E\","
		   "\"id\":10,\"version\":3,\"level\":5,\"keyword\":\"0xAB\","
		   "\"opcode\":1,\"tag\":\"0x1234\","
		   "\"activity\":\"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\","
		   "\"relatedActivity\":"
		   "\"a0a1a2a3-a4a5-a6a7-a8a9-aaabacadaeaf\","
		   "\"options\":\"Gg1\",\"flags\":\"0x7\"}}");
	/* Unknown members and zeros are left out. */
	check_with("P_L5K0", "07 00 00 00 00 00 00 05 [ 'E' 00 ]",
		   UEV_JSON_COMPACT, UEV_META_DEFAULT,
		   &(struct uev_json_sample)UEV_JSON_SAMPLE_INIT,
		   "{\"n\":\"P:E\",\"meta\":{\"level\":5}}");
	check_with("P_L5K0", "07 00 00 00 00 00 00 05 [ 'E' 00 ]",
		   UEV_JSON_COMPACT, UEV_META_DEFAULT & ~UEV_META_LEVEL, NULL,
		   "{\"n\":\"P:E\"}");
}

/* A program that was built before the member existed has a smaller structure. */
TEST(vpid_of_a_process)
{
	struct uev_json_sample sample = {
		.size = sizeof(sample),
		.flags = UEV_HAS_TID | UEV_HAS_VPID,
		.pid = 99,
		.tid = 100,
		.vpid = 1,
	};

	check_with("P_L5K0", HEADER "[ 'E' 00 ]", UEV_JSON_COMPACT,
		   UEV_META_PID | UEV_META_TID | UEV_META_VPID, &sample,
		   "{\"n\":\"P:E\",\"meta\":{\"pid\":99,\"tid\":100,"
		   "\"vpid\":1}}");
	sample.flags = UEV_HAS_TID;
	sample.size = offsetof(struct uev_json_sample, vpid);
	check_with("P_L5K0", HEADER "[ 'E' 00 ]", UEV_JSON_COMPACT,
		   UEV_META_PID | UEV_META_TID | UEV_META_VPID, &sample,
		   "{\"n\":\"P:E\",\"meta\":{\"pid\":99,\"tid\":100}}");
}

static const struct time_row {
	uint32_t flags;
	uint64_t time;
	const char *json;
} times[] = {
	{ UEV_HAS_TIME, 0, "0.000000000" },
	{ UEV_HAS_TIME, 999999999, "0.999999999" },
	{ UEV_HAS_TIME, UINT64_MAX, "18446744073.709551615" },
	{ UEV_HAS_WALL_TIME, 0, "\"1970-01-01T00:00:00.000000000Z\"" },
	{ UEV_HAS_WALL_TIME, 1709208000000000001,
	  "\"2024-02-29T12:00:00.000000001Z\"" },
	{ UEV_HAS_WALL_TIME, UINT64_MAX, "\"2554-07-21T23:34:33.709551615Z\"" },
	{ UEV_HAS_WALL_TIME | UEV_HAS_TIME, 1,
	  "\"1970-01-01T00:00:00.000000001Z\"" },
};

TEST_LOOP(time_is_seconds_or_a_date, COUNT(times))
{
	struct uev_json_sample sample = UEV_JSON_SAMPLE_INIT;
	char json[256];

	sample.flags = times[_i].flags;
	sample.time = times[_i].time;
	snprintf(json, sizeof(json), "{\"n\":\"P:E\",\"meta\":{\"time\":%s}}",
		 times[_i].json);
	check_with("P_L5K0", HEADER "[ 'E' 00 ]", UEV_JSON_COMPACT,
		   UEV_META_TIME, &sample, json);
}

TEST(common_fields_are_shown_in_meta)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_schema *plain = schema_little(FORMAT_EXEC);
	struct uev_schema *schema = schema_little(FORMAT_EVENTHEADER);
	struct bytes record =
		bytes_of(COMMON_BYTES "07 00 00 00 00 00 00 05 [ 'E' 00 ]");
	char *text;
	int ret;

	options.meta = UEV_META_LEVEL | UEV_META_COMMON;
	text = record_json(schema, NULL, &record, &options, NULL, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, "{ \"n\": \"Prov:E\", \"meta\": { "
			       "\"level\": 5, \"common_type\": 1322, "
			       "\"common_flags\": 0, "
			       "\"common_preempt_count\": 0, "
			       "\"common_pid\": 7 } }");
	free(text);
	bytes_free(&record);
	record = bytes_of(COMMON_BYTES "00 00 00 00 00 00 00 00 00 00 00 00");
	text = record_json(plain, NULL, &record, &options, NULL, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, "{ \"n\": \"user_events:sched_process_exec\", "
			       "\"filename\": \"\", \"pid\": 0, "
			       "\"old_pid\": 0, \"meta\": { "
			       "\"common_type\": 1322, \"common_flags\": 0, "
			       "\"common_preempt_count\": 0, "
			       "\"common_pid\": 7 } }");
	free(text);
	bytes_free(&record);
	uev_schema_free(plain);
	uev_schema_free(schema);
}

/* A missing common field is an error if it is requested. */
TEST(reports_malformed_common_fields)
{
	static const char format[] =
		"name: e\nID: 1\nfield:u8 common_a;offset:9;size:1;\n\n"
		"field:u8 b;offset:0;size:1;\n";
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_schema *schema = schema_little(format);
	struct bytes record = bytes_of("07");
	char *text;
	int ret;

	text = record_json(schema, NULL, &record, &options, NULL, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, "{ \"n\": \"user_events:e\", \"b\": 7 }");
	free(text);
	options.meta = UEV_META_COMMON;
	options.flags = UEV_JSON_PARTIAL;
	text = record_json(schema, NULL, &record, &options, NULL, &ret);
	ck_assert_int_eq(ret, -EBADMSG);
	ck_assert_str_eq(text,
			 "{ \"n\": \"user_events:e\", \"b\": 7, \"meta\": { }, "
			 "\"error\": { \"reason\": "
			 "\"record ends before a field\", "
			 "\"offset\": 1 } }");
	free(text);
	bytes_free(&record);
	uev_schema_free(schema);
}

TEST(duplicate_and_empty_names_are_kept)
{
	check_with("P_L5K0",
		   HEADER "[ 'E' 00 'a' 00 02 'a' 00 02 00 02 'b;c=d' 00 02 ]"
			  "01 02 03 04",
		   UEV_JSON_COMPACT, 0, NULL,
		   "{\"n\":\"P:E\",\"a\":1,\"a\":2,\"\":3,\"b;c=d\":4}");
}

TEST(names_are_escaped_and_valid)
{
	check_with("P\"\xff_L5K0",
		   HEADER "[ 'E' 22 0a fe 00 'a' 5c ed a0 80 00"
			  "02 ] 01",
		   UEV_JSON_COMPACT, UEV_META_PROVIDER | UEV_META_EVENT, NULL,
		   "{\"n\":\"P\\\"\xc3\xbf:E\\\"\\n\xc3\xbe\","
		   "\"a\\\\\xc3\xad\xc2\xa0\\u0080\":1,"
		   "\"meta\":{\"provider\":\"P\\\"\xc3\xbf\","
		   "\"event\":\"E\\\"\\n\xc3\xbe\"}}");
}

/* Text in any encoding becomes valid JSON. */
TEST(invalid_text_becomes_valid_utf8)
{
	check_with("P_L5K0",
		   HEADER "[ 'E' 00 'a' 00 0a 'b' 00 0b 'c' 00 0c 'd' 00 83 0b"
			  "'e' 00 84 0b ]"
			  "03 00 ed a0 80 02 00 00 d8 'a' 00"
			  "02 00 00 d8 00 00 00 00 11 00 00 dc ff ff ff ff",
		   UEV_JSON_COMPACT, 0, NULL,
		   "{\"n\":\"P:E\",\"a\":\"\xc3\xad\xc2\xa0\\u0080\","
		   "\"b\":\"\xef\xbf\xbd"
		   "a\","
		   "\"c\":\"\xef\xbf\xbd\xef\xbf\xbd\","
		   "\"d\":\"\xef\xbf\xbd\",\"e\":\"\xef\xbf\xbd\"}");
}

/* Output of a malformed record with its error. */
static const struct partial_row {
	const char *event;
	int error;
	const char *json;
} partials[] = {
	{ HEADER "[ 'E' 00 's' 00 a1 02 02 00 'a' 00 02 'b' 00 44 ]"
		 "07 02 00 01 00 00 00 02",
	  -EBADMSG,
	  "{\"n\":\"P:E\",\"s\":[{\"a\":7,\"b\":[1]}],\"meta\":{\"level\":5},"
	  "\"error\":{\"reason\":\"truncated value\","
	  "\"offset\":33}}" },
	{ HEADER "[ 'E' 00 'a' 00 02 'b' 00 1f ] 01", -EOPNOTSUPP,
	  "{\"n\":\"P:E\",\"a\":1,\"meta\":{\"level\":5},"
	  "\"error\":{\"reason\":\"unknown field encoding\","
	  "\"offset\":19}}" },
	/* Before the start of the fields only the tracepoint is known. */
	{ "07 00", -EBADMSG,
	  "{\"meta\":{\"level\":5},"
	  "\"error\":{\"reason\":\"truncated header\","
	  "\"offset\":2}}" },
};

TEST_LOOP(partial_keeps_items_before_the_error, COUNT(partials))
{
	const struct partial_row *row = &partials[_i];
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct bytes bytes = bytes_of(row->event);
	char *text;
	int ret;

	options.flags = UEV_JSON_COMPACT | UEV_JSON_PARTIAL;
	options.meta = UEV_META_LEVEL;
	text = record_json(NULL, "P_L5K0", &bytes, &options, NULL, &ret);
	ck_assert_int_eq(ret, row->error);
	ck_assert_str_eq(text, row->json);
	free(text);
	/* Without the option there is no output. */
	options.flags = 0;
	text = record_json(NULL, "P_L5K0", &bytes, &options, NULL, &ret);
	ck_assert_int_eq(ret, row->error);
	ck_assert_str_eq(text, "");
	free(text);
	bytes_free(&bytes);
}

TEST_LOOP(open_has_no_closing_bracket, 8)
{
	const uint32_t flags[] = { 0, UEV_JSON_COMPACT, UEV_JSON_PARTIAL,
				   UEV_JSON_PARTIAL | UEV_JSON_COMPACT };
	const char *const events[] = { EVENT, partials[0].event };
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct bytes bytes = bytes_of(events[_i % 2]);
	char *open, *closed;
	int ret;

	options.flags = flags[_i / 2];
	closed = record_json(NULL, "P_L5K2", &bytes, &options, NULL, &ret);
	options.flags |= UEV_JSON_OPEN;
	open = record_json(NULL, "P_L5K2", &bytes, &options, NULL, &ret);
	/* A malformed record has no output without UEV_JSON_PARTIAL. */
	ck_assert(*closed || (_i % 2 && !(options.flags & UEV_JSON_PARTIAL)));
	ck_assert_str_eq(open, closed);
	free(open);
	free(closed);
	bytes_free(&bytes);
}

TEST(partial_keeps_the_name_of_the_event)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_schema *schema = schema_little(FORMAT_EVENTHEADER);
	struct bytes record = bytes_of(COMMON_BYTES "ff");
	char *text;
	int ret;

	options.flags = UEV_JSON_PARTIAL;
	text = record_json(schema, NULL, &record, &options, NULL, &ret);
	ck_assert_int_eq(ret, -EBADMSG);
	ck_assert_str_eq(text,
			 "{ \"n\": \"user_events:Prov_L5K1Gg\", \"meta\": { "
			 "\"level\": 5, \"keyword\": \"0x1\" }, "
			 "\"error\": { \"reason\": "
			 "\"truncated header\", "
			 "\"offset\": 9 } }");
	free(text);
	bytes_free(&record);
	uev_schema_free(schema);
}

/* ---- Appending and limits ---- */

TEST(appends_to_existing_text)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;
	struct bytes good = bytes_of(HEADER "[ 'E' 00 'a' 00 02 ] 01");
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;

	options.meta = 0;
	/* Existing text does not count. */
	options.limit = strlen("{ \"n\": \"P:E\", \"a\": 1 }");
	ck_assert_int_eq(uev_output_append(&json, "[ ", 2), 0);
	uev_decoder_start_eventheader(decoder, "P_L5K0", good.at, good.size);
	ck_assert_int_eq(
		uev_decoder_append_json(decoder, &options, NULL, &json), 0);
	/* An error leaves no output. */
	uev_decoder_start_eventheader(decoder, "P_L5K0", good.at,
				      good.size - 1);
	ck_assert_int_eq(uev_decoder_append_json(decoder, &options, NULL,
						 &json),
			 -EBADMSG);
	ck_assert_str_eq(json.text, "[ { \"n\": \"P:E\", \"a\": 1 }");
	ck_assert_uint_eq(json.size, strlen(json.text));
	uev_output_release(&json);
	bytes_free(&good);
	uev_decoder_free(decoder);
}

TEST(rejects_a_decoder_in_another_state)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;
	struct bytes event = bytes_of(HEADER "[ 'E' 00 'a' 00 02 ] 01");
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;

	options.flags = UEV_JSON_PARTIAL;
	ck_assert_int_eq(uev_decoder_append_json(decoder, &options, NULL,
						 &json),
			 -EINVAL);
	uev_decoder_start_eventheader(decoder, "P_L5K0", event.at, event.size);
	uev_decoder_next(decoder);
	ck_assert_int_eq(uev_decoder_append_json(decoder, &options, NULL,
						 &json),
			 -EINVAL);
	ck_assert_ptr_null(json.text);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

/* As a program has them that was compiled with a later version. */
struct later_options {
	struct uev_json_options options;
	uint64_t later;
};

TEST(rejects_unknown_options)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;
	struct bytes event = bytes_of(HEADER "[ 'E' 00 'a' 00 02 ] 01");
	struct later_options bad[] = {
		{ { 0, 0, 0, 0 }, 0 },
		{ { sizeof(size_t) - 1, 0, 0, 0 }, 0 },
		{ { sizeof(struct uev_json_options), 8, 0, 0 }, 0 },
		{ { sizeof(struct uev_json_options), 0, UEV_META_VPID << 1, 0 },
		  0 },
		{ { sizeof(struct later_options), 0, 0, 0 }, 1ULL << 63 },
	};
	struct uev_json_sample sample = UEV_JSON_SAMPLE_INIT;
	struct later_options good = { { sizeof(struct later_options), 0, 0, 0 },
				      0 };
	size_t i;

	uev_decoder_start_eventheader(decoder, "P_L5K0", event.at, event.size);
	for (i = 0; i < COUNT(bad); i++)
		ck_assert_int_eq(uev_decoder_append_json(
					 decoder, &bad[i].options, NULL, &json),
				 -EINVAL);
	sample.size = sizeof(size_t) - 1;
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, &sample, &json),
			 -EINVAL);
	ck_assert_ptr_null(json.text);
	/* The decoder has not moved, and skipped text can have any length. */
	sample.size = sizeof(sample);
	ck_assert_int_eq(uev_decoder_append_json(decoder, &good.options,
						 &sample, &json),
			 0);
	ck_assert_str_eq(json.text, "{ \"n\": \"P:E\", \"a\": 1 }");
	uev_output_release(&json);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

/* Any limit is kept, and one that is just enough is enough. */
TEST(respects_the_limit)
{
	static const char whole[] = "{\"n\":\"P:E\",\"a\":\"abc\",\"b\":[1,2],"
				    "\"meta\":{\"level\":5}}";
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct bytes event = bytes_of(
		HEADER "[ 'E' 00 'a' 00 07 'b' 00 42 ] 'abc' 00 02 00 01 02");
	char *text;
	int ret;

	options.flags = UEV_JSON_COMPACT | UEV_JSON_PARTIAL;
	options.meta = UEV_META_LEVEL;
	for (options.limit = 1; options.limit < sizeof(whole) - 1;
	     options.limit++) {
		text = record_json(NULL, "P_L5K0", &event, &options, NULL,
				   &ret);
		ck_assert_int_eq(ret, -E2BIG);
		ck_assert_str_eq(text, "");
		free(text);
	}
	text = record_json(NULL, "P_L5K0", &event, &options, NULL, &ret);
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(text, whole);
	free(text);
	bytes_free(&event);
}

/* An object that exceeds the limit is not built first. */
TEST(overlong_values_take_no_memory)
{
	struct uev_json_options options = UEV_JSON_OPTIONS_INIT;
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;
	size_t size = 60000;
	struct bytes event = bytes_of(HEADER "00 00 01 00");
	size_t begin = event.size;

	options.limit = 1000;
	event.at = realloc(event.at, begin + size);
	ck_assert_ptr_nonnull(event.at);
	memset(event.at + begin, 'n', size);
	event.size += size;
	/* As bytes of unknown type, and as the name of an event. */
	ck_assert_int_eq(uev_decoder_start(decoder, NULL, event.at, event.size),
			 0);
	ck_assert_int_eq(uev_decoder_append_json(decoder, &options, NULL,
						 &json),
			 -E2BIG);
	ck_assert_uint_lt(json.room, 4096);

	event.at[8] = (uint8_t)size;
	event.at[9] = (uint8_t)(size >> 8);
	event.at[event.size - 1] = 0;
	ck_assert_int_eq(uev_decoder_start_eventheader(decoder, "P_L5K0",
						       event.at, event.size),
			 0);
	ck_assert_int_eq(uev_decoder_append_json(decoder, &options, NULL,
						 &json),
			 -E2BIG);
	ck_assert_uint_lt(json.room, 4096);
	uev_output_release(&json);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

/* A name of 60000 bytes, 65535 times: 4 GB of a few bytes. */
TEST(rejects_a_record_that_repeats_itself)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;
	struct bytes event = bytes_of(HEADER "00 00 01 00 'E' 00 's' 00"
					     "a1 01 ff ff");
	size_t begin = event.size, size = begin + 60000 + 2 + UEV_COUNT_MAX;

	event.at = realloc(event.at, size);
	ck_assert_ptr_nonnull(event.at);
	memset(event.at + begin, 'n', 60000);
	memcpy(event.at + begin + 60000, "\0\2", 2);
	memset(event.at + begin + 60002, 7, UEV_COUNT_MAX);
	event.size = size;
	event.at[8] = (uint8_t)(begin - 12 + 60002);
	event.at[9] = (uint8_t)((begin - 12 + 60002) >> 8);

	uev_decoder_start_eventheader(decoder, "P_L5K0", event.at, event.size);
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, NULL, &json),
			 -E2BIG);
	ck_assert_uint_eq(json.size, 0);
	ck_assert_uint_le(json.room, 64U << 20);
	uev_output_release(&json);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

TEST(out_of_memory_leaves_output_unchanged)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = { .size = SIZE_MAX / 2 };
	struct bytes event = bytes_of(EVENT);

	uev_decoder_start_eventheader(decoder, "P_L5K0", event.at, event.size);
	ck_assert_int_eq(uev_decoder_append_json(decoder, NULL, NULL, &json),
			 -ENOMEM);
	ck_assert_uint_eq(json.size, SIZE_MAX / 2);
	ck_assert_ptr_null(json.text);
	bytes_free(&event);
	uev_decoder_free(decoder);
}

/*
 * After any failed allocation the output is unchanged, and the next call
 * succeeds.
 */
TEST(survives_any_failed_allocation)
{
	struct uev_decoder *decoder = new_decoder();
	struct uev_output json = UEV_OUTPUT_INIT;
	struct bytes event = bytes_of(HEADER "[ 'E' 00 'a' 00 22 00 02 ]");
	unsigned int after;
	int ret;

	event.at = realloc(event.at, event.size + 512);
	ck_assert_ptr_nonnull(event.at);
	memset(event.at + event.size, 200, 512);
	event.size += 512;

	for (after = 0;; after++) {
		uev_output_release(&json);
		ck_assert_int_eq(uev_output_append(&json, "[", 1), 0);
		ck_assert_int_eq(
			uev_decoder_start_eventheader(decoder, "P_L5K0",
						      event.at, event.size),
			0);
		fake_alloc_fail(after);
		ret = uev_decoder_append_json(decoder, NULL, NULL, &json);
		if (!fake_alloc_end())
			break;
		ck_assert_int_eq(ret, -ENOMEM);
		ck_assert_str_eq(json.text, "[");
		ck_assert_uint_eq(json.size, 1);
	}
	ck_assert_int_eq(ret, 0);
	/* It has grown more than once. */
	ck_assert_uint_gt(after, 1);
	check_json(json.text + 1);

	uev_output_release(&json);
	bytes_free(&event);
	uev_decoder_free(decoder);
	fake_alloc_fail(0);
	ck_assert_int_eq(uev_decoder_new(&decoder), -ENOMEM);
	ck_assert(fake_alloc_end());
	ck_assert_ptr_null(decoder);
}
