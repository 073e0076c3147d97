// SPDX-License-Identifier: MIT
/* Rows of columns. */
#include <errno.h>
#include <string.h>

#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/runner.h"
#include "query/columns.h"

#define FIELD(name, offset) \
	"\tfield:u32 " name ";\toffset:" offset ";\tsize:4;\tsigned:0;\n"

/* @error: what the decoder returns */
static void append(struct query_columns *columns, struct uev_output *row,
		   const char *format, const void *raw, size_t size, int error)
{
	static const struct uev_source source = { .system = "user_events",
						  .name = "test" };
	struct uev_schema *schema = schema_of("user_events", format);
	struct uev_decoder *decoder = new_decoder();
	const struct uev_sample sample = {
		.source = &source,
		.raw = raw,
		.raw_size = size,
		.flags = UEV_HAS_TID,
		.pid = 7,
		.tid = 7,
	};
	const struct format_record record = { .sample = &sample,
					      .schema = schema };

	row->size = 0;
	ck_assert_int_eq(query_columns_append(columns, row, decoder, &record),
			 error);
	uev_decoder_free(decoder);
	uev_schema_free(schema);
}

/* Appends a row twice, since the second one could have keys of the first. */
static void check_logfmt(const char *format, const void *raw, size_t size,
			 const char *expected)
{
	struct query_columns columns = { .style = QUERY_STYLE_LOGFMT };
	struct uev_output row = UEV_OUTPUT_INIT;
	int i;

	query_columns_complete(&columns);
	for (i = 0; i < 2; i++) {
		append(&columns, &row, format, raw, size, 0);
		ck_assert_str_eq(row.text, expected);
	}
	uev_output_release(&row);
	query_columns_release(&columns);
}

/* Readers of logfmt use either the first or the last of equal keys. */
TEST(logfmt_numbers_fields_of_one_name)
{
	static const char format[] =
		"name: test\nID: 77\n" COMMON_FIELDS FIELD("a", "8")
			FIELD("a", "12") FIELD("pid", "16") FIELD("b", "20")
				FIELD("a", "24") FIELD("pid", "28");
	static const uint32_t raw[] = { 77, 7, 1, 2, 3, 4, 5, 6 };

	check_logfmt(format, raw, sizeof(raw),
		     "pid=7 tid=7 event=user_events:test a=1 a#2=2 "
		     "fields.pid=3 b=4 a#3=5 fields.pid#2=6");
}

/* The common fields, the header of EventHeader and that of its metadata. */
#define EVENTHEADER(metadata_size) \
	"\xdc\5\0\0\7\0\0\0"       \
	"\7\0\0\0\0\0\0\5" metadata_size "\0\1\0"

/* Readers of logfmt stop at a value without a key. */
TEST(logfmt_names_a_field_without_a_name)
{
	static const char raw[] = EVENTHEADER("\7") "E\0"
						    "\0\7"
						    "_\0\7"
						    "one\0"
						    "two";

	check_logfmt(FORMAT_EVENTHEADER, raw, sizeof(raw),
		     "pid=7 tid=7 event=Prov:E _=one _#2=two");
}

/* An array that the record does not have completely is missing. */
TEST(has_no_part_of_an_array)
{
	static const char raw[] = EVENTHEADER("\5") "E\0"
						    "a\0\x42"
						    "\3\0\1\2";
	struct query_columns columns = { 0 };
	struct uev_output row = UEV_OUTPUT_INIT;

	ck_assert_int_eq(query_columns_parse(&columns, "name,a"), TOOL_OK);
	append(&columns, &row, FORMAT_EVENTHEADER, raw, sizeof(raw) - 1,
	       -EBADMSG);
	ck_assert_str_eq(row.text, "E\t-");
	uev_output_release(&row);
	query_columns_release(&columns);
}

/* Names of members can make many bytes of few. */
TEST(has_no_long_array)
{
	static char raw[8 + 8 + 4 + 260 + 2 + 8000] =
		"\xdc\5\0\0\7\0\0\0\7\0\0\0\0\0\0\5\4\1\1\0"
		"E\0s\0\xc1\1";
	struct query_columns columns = { 0 };
	struct uev_output row = UEV_OUTPUT_INIT;

	memset(raw + 26, 'm', 252);
	raw[8 + 8 + 4 + 260 - 1] = 2;
	raw[8 + 8 + 4 + 260] = 0x40;
	raw[8 + 8 + 4 + 260 + 1] = 0x1f;
	ck_assert_int_eq(query_columns_parse(&columns, "name,s"), TOOL_OK);
	append(&columns, &row, FORMAT_EVENTHEADER, raw, sizeof(raw), 0);
	ck_assert_str_eq(row.text, "E\t\"too long\"");
	uev_output_release(&row);
	query_columns_release(&columns);
}

/* Readers of logfmt take a backslash without quotes as itself. */
TEST(logfmt_quotes_texts_with_escapes)
{
	static const char raw[] = EVENTHEADER("\13") "E\0"
						     "a\0\7"
						     "b\0\7"
						     "c\0\7"
						     "x\xe2\x80\x8by\0"
						     "\xc2\x85\0"
						     "\xc3\xa9";

	check_logfmt(FORMAT_EVENTHEADER, raw, sizeof(raw),
		     "pid=7 tid=7 event=Prov:E a=\"x\\u200by\" "
		     "b=\"\\u0085\" c=\xc3\xa9");
}
