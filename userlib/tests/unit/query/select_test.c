// SPDX-License-Identifier: MIT
/* Selection of records and rows of columns, as decode and watch use them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/runner.h"
#include "query/columns.h"
#include "query/select.h"

#define SECOND UINT64_C(1000000000)

/* 2024-02-29T12:00:00Z is 10 seconds of the clock. */
static const struct uev_clock wall_clock = {
	.wall = UINT64_C(1709208000) * SECOND,
	.clock = 10 * SECOND,
};

#define FORMAT                                                      \
	"name: numbers\n"                                           \
	"ID: 7\n" COMMON_FIELDS                                     \
	"\tfield:u32 count;\toffset:8;\tsize:4;\tsigned:0;\n"       \
	"\tfield:char text[12];\toffset:12;\tsize:12;\tsigned:0;\n" \
	"\tfield:u8 list[2];\toffset:24;\tsize:2;\tsigned:0;\n"     \
	"\n"
#define COUNT_OFFSET 8
#define RECORD COMMON_BYTES "05 00 00 00 'a \"b,=' 0a 1b 00 00 00 00 02 03"

static const struct tool_option pid_rows[] = {
	{ "pid", 'p', "PID", "help",
	  SET_BY(struct query_select, pids, query_take_ids, NULL) },
	{ 0 },
};

static const struct tool_command command = {
	.name = "decode",
	.options = OPTION_TABLES({ pid_rows }, { query_select_options }),
};

static struct query_select selection;
static struct query_columns columns;
static struct uev_decoder *decoder;
static struct uev_source source;
static struct uev_sample sample;
static struct format_record record;
static struct bytes bytes;

static void set_up(void)
{
	setenv("TZ", "UTC-1", 1);
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	selection = (struct query_select)QUERY_SELECT_INIT;
	decoder = new_decoder();
	source = (struct uev_source){ .system = "user_events",
				      .name = "numbers" };
	bytes = bytes_of(RECORD);
	sample = (struct uev_sample){
		.source = &source,
		.flags = UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID,
		.time = 20 * SECOND + 7,
		.raw = bytes.at,
		.raw_size = (uint32_t)bytes.size,
		.cpu = 3,
		.pid = 171,
		.tid = 172,
	};
	record = (struct format_record){
		.sample = &sample,
		.schema = schema_of("user_events", FORMAT),
		.comm = "walk er",
		.clock = &wall_clock,
	};
}

static void tear_down(void)
{
	query_select_release(&selection);
	query_columns_release(&columns);
	uev_decoder_free(decoder);
	uev_schema_free((struct uev_schema *)record.schema);
	bytes_free(&bytes);
}

TEST_FIXTURE(set_up, tear_down);

/* Return: TOOL_OK, or another exit status */
static int take(const char *option, const char *argument)
{
	char *argv[] = { "test", (char *)option, (char *)argument, NULL };

	optind = 0;

	return tool_parse_common(&command, &selection, 3, argv);
}

static bool takes(const char *option, const char *argument)
{
	ck_assert_int_eq(take(option, argument), TOOL_OK);

	return query_select_test(&selection, decoder, &record);
}

static const struct {
	const char *option;
	const char *argument;
	bool is_selected;
} choices[] = {
	{ "-p", "171", true },
	{ "-p", "1,171", true },
	{ "-p", "172", false },
	{ "--tid", "172", true },
	{ "--tid", "171", false },
	{ "--comm", "walk*", true },
	{ "--comm", "walk", false },
	{ "--event", "numbers", true },
	{ "--event", "user_events:num*", true },
	{ "--event", "other:*", false },
	{ "-l", "1", true },
	{ "-l", "warning", true },
	{ "--keyword", "0x10", true },
	{ "--where", "count == 5", true },
	{ "--where", "count == 6", false },
	{ "--since", "20.000000007", true },
	{ "--since", "20.000000008", false },
	{ "--until", "20.000000007", true },
	{ "--until", "20", false },
	{ "--since", "+0", true },
	{ "--since", "+1.5", false },
	{ "--since", "2024-02-29T12:00:10Z", true },
	{ "--since", "2024-02-29 12:00:10.5Z", false },
	{ "--until", "2024-02-29 12:00:09Z", false },
	{ "--until", "2024-02-29 12:01Z", true },
	{ "--since", "2024-02-29", true },
	{ "--since", "2024-03-01", false },
	/* One hour east of Greenwich */
	{ "--since", "13:00:10", true },
	{ "--since", "13:00:11", false },
	{ "--until", "2024-02-29 13:00:11", true },
	{ "--until", "2024-02-29 12:59", false },
	{ "--until", "1970-01-02Z", false },
	{ "--until", "2024-02-29T13:00:60", true },
	/* Later than all 64-bit numbers of nanoseconds */
	{ "--since", "2554-07-23Z", false },
	{ "--since", "9999-12-31", false },
	{ "--until", "2555-01-01", true },
	{ "--since", "+9999999999", false },
};

TEST_LOOP(selects, COUNT(choices))
{
	ck_assert_int_eq(takes(choices[_i].option, choices[_i].argument),
			 choices[_i].is_selected);
	ck_assert_int_eq(query_select_report(&selection), TOOL_OK);
}

static const struct {
	const char *option;
	const char *argument;
} mistakes[] = {
	{ "-p", "" },
	{ "-p", "1,x" },
	{ "--tid", "-1" },
	{ "-l", "0" },
	{ "-l", "loud" },
	{ "-n", "0" },
	{ "--keyword", "0" },
	{ "--keyword", "x" },
	{ "--keyword", "0x1z" },
	{ "--where", "count ==" },
	{ "--since", "" },
	{ "--since", "12.x" },
	{ "--since", "12." },
	{ "--since", "+" },
	{ "--since", "12:60" },
	{ "--since", "24:00" },
	{ "--since", "1:00" },
	{ "--since", "12:00:0" },
	{ "--since", "12:00Z" },
	{ "--since", "2024-13-01" },
	{ "--since", "2024-01-32" },
	{ "--since", "2023-02-29" },
	{ "--since", "2026-02-31T12:00Z" },
	{ "--since", "2026-04-31 12:00" },
	{ "--since", "2024-01-01x12:00" },
	{ "--since", "2024-01-01T" },
	{ "--since", "yesterday" },
};

TEST_LOOP(rejects_arguments, COUNT(mistakes))
{
	ck_assert_int_eq(take(mistakes[_i].option, mistakes[_i].argument),
			 TOOL_USAGE);
}

TEST(all_options_must_match)
{
	ck_assert(takes("-p", "171"));
	ck_assert(takes("--where", "count"));
	ck_assert(!takes("--tid", "1"));
	ck_assert_int_eq(take("--where", "count"), TOOL_USAGE);
}

TEST(stops_at_the_limit)
{
	ck_assert(takes("-n", "2"));
	ck_assert(!query_select_is_full(&selection));
	ck_assert(query_select_test(&selection, decoder, &record));
	ck_assert(query_select_is_full(&selection));
	ck_assert(!query_select_test(&selection, decoder, &record));
}

TEST(selects_by_the_name_of_the_tracepoint)
{
	uev_schema_free((struct uev_schema *)record.schema);
	record.schema = schema_of("user_events",
				  "name: P_L4K6\nID: 9\n" COMMON_FIELDS
				  "\tfield:u8 eventheader_flags;\toffset:8;"
				  "\tsize:1;\tsigned:0;\n\n");
	source.name = "P_L4K6";
	ck_assert(takes("-l", "4"));
	ck_assert(takes("--keyword", "2"));
	ck_assert(!takes("--keyword", "1"));
	ck_assert(takes("--keyword", "0xc"));
	ck_assert(!takes("-l", "error"));
}

/* Clocks were moved forward at 01:00 UTC, and the day had 23 hours. */
static const struct {
	const char *option;
	const char *argument;
	bool is_selected;
} spring[] = {
	{ "--since", "12:30", true },
	{ "--since", "12:30:01", false },
	{ "--until", "12:30", true },
	{ "--until", "12:29", false },
	{ "--since", "2026-03-29 12:30", true },
	{ "--since", "2026-03-29 12:30:01", false },
	{ "--since", "00:30", true },
};

TEST_LOOP(days_can_have_other_hours, COUNT(spring))
{
	/* 2026-03-29T10:30:00Z */
	static const struct uev_clock clock = {
		.wall = UINT64_C(1774780200) * SECOND,
		.clock = 20 * SECOND + 7,
	};

	setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
	record.clock = &clock;
	ck_assert_int_eq(takes(spring[_i].option, spring[_i].argument),
			 spring[_i].is_selected);
}

/* A machine without a clock of dates starts in 1970, which was 1969 in UTC. */
static const struct {
	const char *option;
	const char *argument;
	bool is_selected;
} starts[] = {
	{ "--since", "00:00", true },
	{ "--until", "00:30", false },
	{ "--since", "1970-01-01", true },
	{ "--until", "1970-01-01 00:30", false },
	{ "--since", "1969-12-31T12:00Z", true },
	{ "--since", "01:00:10", true },
	{ "--since", "01:00:11", false },
	{ "--until", "01:00:10", true },
	{ "--until", "01:00:09", false },
	{ "--where", "time >= \"1970-01-01T01:00:10\"", true },
	{ "--where", "time < \"1970-01-01T01:00:10\"", false },
};

TEST_LOOP(dates_can_start_in_1970, COUNT(starts))
{
	/* 1970-01-01T00:00:10Z, which is before the start of the other clock */
	static const struct uev_clock clock = {
		.wall = 10 * SECOND,
		.clock = 20 * SECOND + 7,
	};

	record.clock = &clock;
	ck_assert_int_eq(takes(starts[_i].option, starts[_i].argument),
			 starts[_i].is_selected);
}

TEST(reports_missing_dates)
{
	record.clock = NULL;
	ck_assert(!takes("--since", "2024-02-29"));
	ck_assert_int_eq(query_select_report(&selection), TOOL_FAILED);
}

TEST(reports_unknown_fields)
{
	ck_assert(!takes("--where", "cuont == 5"));
	ck_assert_int_eq(query_select_report(&selection), TOOL_NOT_FOUND);
}

/* All records can be outside of activities. */
TEST(knows_metadata_that_no_record_has)
{
	ck_assert(takes("--where", "!activity"));
	ck_assert_int_eq(query_select_report(&selection), TOOL_OK);
}

/* What follows the error might have been selected. */
TEST(selects_malformed_records)
{
	sample.raw_size = 10;
	ck_assert(takes("--where", "count == 6"));
}

/* A range that starts with the first record does so in each file. */
TEST(each_file_has_a_first_record)
{
	ck_assert(!takes("--since", "+1"));
	sample.time += SECOND;
	ck_assert(query_select_test(&selection, decoder, &record));
	query_select_begin(&selection);
	ck_assert(!query_select_test(&selection, decoder, &record));
}

static const struct {
	const char *option;
	const char *argument;
} others[] = {
	{ "-p", "99" },
	{ "--tid", "99" },
	{ "--comm", "other" },
	{ "--event", "other" },
	{ "--where", "count == 6" },
};

/* A range counts from the first record, also if that is not selected. */
TEST_LOOP(the_first_record_need_not_be_selected, COUNT(others))
{
	ck_assert(!takes(others[_i].option, others[_i].argument));
	query_select_release(&selection);
	selection = (struct query_select)QUERY_SELECT_INIT;
	ck_assert_int_eq(take(others[_i].option, others[_i].argument), TOOL_OK);
	ck_assert(!takes("--until", "+1"));
	sample.time += 2 * SECOND;
	sample.pid = 99;
	sample.tid = 99;
	record.comm = "other";
	source.name = "other";
	bytes.at[COUNT_OFFSET] = 6;
	ck_assert(!query_select_test(&selection, decoder, &record));
	query_select_begin(&selection);
	ck_assert(query_select_test(&selection, decoder, &record));
}

/* ---- Keys and names ---- */

#define TEXTS_FORMAT                                          \
	"name: texts\n"                                       \
	"ID: 7\n" COMMON_FIELDS                               \
	"\tfield:char a[4];\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:char b[4];\toffset:12;\tsize:4;\tsigned:0;\n\n"

static void join(struct query_fields *fields, const char *bytes_text,
		 struct uev_output *to)
{
	bool has_all;

	bytes_free(&bytes);
	bytes = bytes_of(bytes_text);
	sample.raw = bytes.at;
	sample.raw_size = (uint32_t)bytes.size;
	to->size = 0;
	ck_assert_int_eq(
		query_fields_join(fields, decoder, &record, to, &has_all), 0);
	ck_assert(has_all);
}

static const struct {
	const char *one;
	const char *other;
	const char *name;
	const char *other_name;
} joined[] = {
	{ COMMON_BYTES "'x,y' 00 'z' 00 00 00",
	  COMMON_BYTES "'x' 00 00 00 'y,z' 00", "\"x,y\",z", "x,\"y,z\"" },
	{ COMMON_BYTES "'x\",' 00 'z' 00 00 00",
	  COMMON_BYTES "'\"' 00 00 00 ',z' 00 00", "\"x\"\",\",z",
	  "\"\"\"\",\",z\"" },
	{ COMMON_BYTES "00 00 00 00 'z' 00 00 00",
	  COMMON_BYTES "'z' 00 00 00 00 00 00 00", ",z", "z," },
};

TEST_LOOP(different_values_are_different_keys, COUNT(joined))
{
	struct uev_output one = UEV_OUTPUT_INIT, other = UEV_OUTPUT_INIT;
	struct query_fields fields = { 0 };

	uev_schema_free((struct uev_schema *)record.schema);
	record.schema = schema_of("user_events", TEXTS_FORMAT);
	ck_assert_int_eq(query_fields_parse(&fields, "--by", "a,b"), TOOL_OK);
	join(&fields, joined[_i].one, &one);
	ck_assert_str_eq(one.text, joined[_i].name);
	join(&fields, joined[_i].other, &other);
	ck_assert_str_eq(other.text, joined[_i].other_name);
	query_fields_release(&fields);
	/* A single value needs no quotes. */
	ck_assert_int_eq(query_fields_parse(&fields, "--by", "a"), TOOL_OK);
	join(&fields, COMMON_BYTES "'x,y' 00 'z' 00 00 00", &one);
	ck_assert_str_eq(one.text, "x,y");
	query_fields_release(&fields);
	uev_output_release(&one);
	uev_output_release(&other);
}

TEST(a_key_can_have_an_array)
{
	struct uev_output key = UEV_OUTPUT_INIT;
	struct query_fields fields = { 0 };

	ck_assert_int_eq(query_fields_parse(&fields, "--by", "list,count"),
			 TOOL_OK);
	join(&fields, RECORD, &key);
	ck_assert_str_eq(key.text, "\"[2,3]\",5");
	query_fields_release(&fields);
	uev_output_release(&key);
}

/* ---- Columns ---- */

static const struct {
	enum query_style style;
	const char *list;
	enum record_time_form form;
	const char *row;
} rows[] = {
	{ QUERY_STYLE_TEXT, "time,cpu,pid,tid,comm,event,count,text,x", 0,
	  "2024-02-29T12:00:10.000000007Z\t3\t171\t172\twalk er\t"
	  "user_events:numbers\t5\ta \"b,=\\n\\x1b\t-" },
	{ QUERY_STYLE_TEXT, "time", RECORD_TIME_LOCAL,
	  "2024-02-29T13:00:10.000000007+01:00" },
	{ QUERY_STYLE_TEXT, "time", RECORD_TIME_CLOCK, "20.000000007" },
	{ QUERY_STYLE_TEXT, "time", RECORD_TIME_RELATIVE, "+0.000000000" },
	{ QUERY_STYLE_CSV, "time", RECORD_TIME_RELATIVE, "0.000000000" },
	{ QUERY_STYLE_LOGFMT, "time", RECORD_TIME_DELTA, "time=0.000000000" },
	{ QUERY_STYLE_TEXT, "list,list[1],level", 0, "[2,3]\t3\t-" },
	{ QUERY_STYLE_CSV, "count,text,comm,x,list", 0,
	  "5,\"a \"\"b,=\n\\x1b\",walk er,,\"[2,3]\"" },
	{ QUERY_STYLE_CSV, NULL, RECORD_TIME_CLOCK,
	  "20.000000007,3,171,172,walk er,user_events:numbers,"
	  "\"{\"\"n\"\":\"\"user_events:numbers\"\",\"\"count\"\":5,"
	  "\"\"text\"\":\"\"a \\\"\"b,=\\n\\u001b\"\",\"\"list\"\":[2,3]}\"" },
	{ QUERY_STYLE_LOGFMT, "count,text,comm,x,list", 0,
	  "count=5 text=\"a \\\"b,=\\n\\u001b\" comm=\"walk er\" list=[2,3]" },
	{ QUERY_STYLE_LOGFMT, NULL, RECORD_TIME_CLOCK,
	  "time=20.000000007 cpu=3 pid=171 tid=172 comm=\"walk er\" "
	  "event=user_events:numbers count=5 text=\"a \\\"b,=\\n\\u001b\" "
	  "list=[2,3]" },
	{ QUERY_STYLE_JSON, "time,text,x,list,count", 0,
	  "{\"time\":\"2024-02-29T12:00:10.000000007Z\","
	  "\"text\":\"a \\\"b,=\\n\\u001b\",\"x\":null,\"list\":[2,3],"
	  "\"count\":5}" },
	/* Readers skip empty lines. */
	{ QUERY_STYLE_CSV, "x", 0, "\"\"" },
};

TEST_LOOP(writes_rows, COUNT(rows))
{
	struct uev_output row = UEV_OUTPUT_INIT;

	columns.style = rows[_i].style;
	columns.time.form = rows[_i].form;
	if (rows[_i].list)
		ck_assert_int_eq(query_columns_parse(&columns, rows[_i].list),
				 TOOL_OK);
	query_columns_complete(&columns);
	ck_assert_int_eq(query_columns_append(&columns, &row, decoder, &record),
			 0);
	ck_assert_str_eq(row.text, rows[_i].row);
	uev_output_release(&row);
}

/* A program names its fields, and chooses their text. */
#define HOSTILE_FORMAT                                              \
	"name: hostile\n"                                           \
	"ID: 8\n" COMMON_FIELDS                                     \
	"\tfield:u32 pid;\toffset:8;\tsize:4;\tsigned:0;\n"         \
	"\tfield:char time[8];\toffset:12;\tsize:8;\tsigned:0;\n"   \
	"\tfield:u8 fields;\toffset:20;\tsize:1;\tsigned:0;\n"      \
	"\tfield:char text[15];\toffset:21;\tsize:15;\tsigned:0;\n" \
	"\tfield:u8 k\x7f\xc2\x9b;\toffset:36;\tsize:1;\tsigned:0;\n\n"
#define HOSTILE_RECORD                                      \
	COMMON_BYTES "63 00 00 00 'now' 00 00 00 00 00 09 " \
		     "1b ']0;' 07 0d 09 7f c2 9b 'x' 00 00 00 00 08"
#define HOSTILE_TEXT "\\u001b]0;\\u0007\\r\\t\\u007f\\u009bx"
#define HOSTILE_CSV                                                \
	"\"{\"\"n\"\":\"\"user_events:hostile\"\",\"\"pid\"\":99," \
	"\"\"time\"\":\"\"now\"\",\"\"fields\"\":9,"               \
	"\"\"text\"\":\"\"" HOSTILE_TEXT "\"\","                   \
	"\"\"k\\u007f\\u009b\"\":8}\""

static const struct {
	enum query_style style;
	const char *list;
	const char *row;
} hostile_rows[] = {
	{ QUERY_STYLE_CSV, NULL,
	  "20.000000007,3,171,172,walk er,user_events:numbers," HOSTILE_CSV },
	{ QUERY_STYLE_CSV, "pid,meta.pid,fields,`fields`",
	  "99,171," HOSTILE_CSV ",9" },
	{ QUERY_STYLE_CSV, "text", "\"\\x1b]0;\\x07\\x0d\t\\x7f\\x9bx\"" },
	{ QUERY_STYLE_LOGFMT, NULL,
	  "time=20.000000007 cpu=3 pid=171 tid=172 comm=\"walk er\" "
	  "event=user_events:numbers fields.pid=99 fields.time=now fields=9 "
	  "text=\"" HOSTILE_TEXT "\" k_x7f_x9b=8" },
	{ QUERY_STYLE_JSON, "text", "{\"text\":\"" HOSTILE_TEXT "\"}" },
};

TEST_LOOP(records_cannot_forge_rows, COUNT(hostile_rows))
{
	struct uev_output row = UEV_OUTPUT_INIT;

	uev_schema_free((struct uev_schema *)record.schema);
	record.schema = schema_of("user_events", HOSTILE_FORMAT);
	bytes_free(&bytes);
	bytes = bytes_of(HOSTILE_RECORD);
	sample.raw = bytes.at;
	sample.raw_size = (uint32_t)bytes.size;
	columns.style = hostile_rows[_i].style;
	columns.time.form = RECORD_TIME_CLOCK;
	if (hostile_rows[_i].list)
		ck_assert_int_eq(query_columns_parse(&columns,
						     hostile_rows[_i].list),
				 TOOL_OK);
	query_columns_complete(&columns);
	ck_assert_int_eq(query_columns_append(&columns, &row, decoder, &record),
			 0);
	ck_assert_str_eq(row.text, hostile_rows[_i].row);
	uev_output_release(&row);
}

TEST(writes_default_titles)
{
	struct uev_output row = UEV_OUTPUT_INIT;

	columns.style = QUERY_STYLE_CSV;
	query_columns_complete(&columns);
	query_columns_append_titles(&columns, &row);
	ck_assert_str_eq(row.text, "time,cpu,pid,tid,comm,event,fields\n");
	uev_output_release(&row);
}

TEST(writes_titles)
{
	struct uev_output row = UEV_OUTPUT_INIT;

	columns.style = QUERY_STYLE_CSV;
	ck_assert_int_eq(query_columns_parse(&columns, "a,b[1],`c,d`"),
			 TOOL_OK);
	query_columns_append_titles(&columns, &row);
	ck_assert_str_eq(row.text, "a,b[1],\"`c,d`\"\n");
	uev_output_release(&row);
}

TEST(times_of_a_sequence)
{
	static const char *const wanted[] = { "+0.000000000", "+1.000000000",
					      "-0.500000000" };
	struct record_time time = { .form = RECORD_TIME_DELTA };
	static const uint64_t times[] = { SECOND, 2 * SECOND,
					  SECOND + SECOND / 2 };
	struct uev_output text = UEV_OUTPUT_INIT;
	size_t i;

	for (i = 0; i < COUNT(times); i++) {
		text.size = 0;
		record_time_append(&time, &text, times[i]);
		ck_assert_str_eq(text.text, wanted[i]);
	}
	uev_output_release(&text);
}

TEST(a_short_record_has_its_first_fields)
{
	struct uev_output row = UEV_OUTPUT_INIT;

	sample.raw_size = 14;
	ck_assert_int_eq(query_columns_parse(&columns, "count,text"), TOOL_OK);
	ck_assert_int_lt(query_columns_append(&columns, &row, decoder, &record),
			 0);
	ck_assert_str_eq(row.text, "5\t-");
	uev_output_release(&row);
}

TEST(rejects_lists)
{
	ck_assert_int_eq(query_columns_parse(&columns, ""), TOOL_USAGE);
	ck_assert_int_eq(query_columns_parse(&columns, "a,"), TOOL_USAGE);
	ck_assert_int_eq(query_columns_parse(&columns, "a b"), TOOL_USAGE);
}
