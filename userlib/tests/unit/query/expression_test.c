// SPDX-License-Identifier: MIT
/* Conditions on the fields of records, with their types and their errors. */
#include <stdlib.h>
#include <string.h>

#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/runner.h"
#include "query/expression.h"

#define FORMAT                                                    \
	"name: numbers\n"                                         \
	"ID: 7\n" COMMON_FIELDS                                   \
	"\tfield:u32 status;\toffset:8;\tsize:4;\tsigned:0;\n"    \
	"\tfield:s32 change;\toffset:12;\tsize:4;\tsigned:1;\n"   \
	"\tfield:u64 large;\toffset:16;\tsize:8;\tsigned:0;\n"    \
	"\tfield:char path[8];\toffset:24;\tsize:8;\tsigned:0;\n" \
	"\tfield:u8 list[2];\toffset:32;\tsize:2;\tsigned:0;\n"   \
	"\tfield:u16 empty;\toffset:34;\tsize:2;\tsigned:0;\n"    \
	"\tfield:u32 pid;\toffset:36;\tsize:4;\tsigned:0;\n"      \
	"\n"

/* 503, -2, 2^64-1, "/api/x", {2, 3}, 0, 99 */
#define RECORD                                                          \
	COMMON_BYTES "f7 01 00 00 fe ff ff ff ff ff ff ff ff ff ff ff " \
		     "'/api/x' 00 00 02 03 00 00 63 00 00 00"

static struct uev_source source = { .system = "user_events",
				    .name = "numbers" };
/* 10 seconds of the clock are 2026-01-31T23:59:59Z. */
static const struct uev_clock clock_of_records = {
	.clock = UINT64_C(10000000000),
	.wall = UINT64_C(1769903999000000000),
};
static struct query_fields fields;
static struct uev_schema *schema;
static struct uev_decoder *decoder;
static struct bytes bytes;

/* The values of the fields point into the record. */
static void set_up(void)
{
	schema = schema_of("user_events", FORMAT);
	decoder = new_decoder();
	bytes = bytes_of(RECORD);
}

static void tear_down(void)
{
	uev_schema_free(schema);
	uev_decoder_free(decoder);
	bytes_free(&bytes);
	query_fields_release(&fields);
}

TEST_FIXTURE(set_up, tear_down);

static struct query_expression *parsed(const char *text)
{
	const char *reason = NULL;
	size_t offset;
	struct query_expression *expression =
		query_expression_parse(text, &fields, &offset, &reason);

	ck_assert_msg(expression != NULL, "%s: %s", text, reason);

	return expression;
}

static void read_record(void)
{
	const struct uev_sample sample = {
		.source = &source,
		.flags = UEV_HAS_TIME | UEV_HAS_CPU | UEV_HAS_TID |
			 UEV_HAS_VPID,
		.raw = bytes.at,
		.raw_size = (uint32_t)bytes.size,
		.time = UINT64_C(5250000001),
		.cpu = 1,
		.pid = 171,
		.tid = 172,
		.vpid = 3,
	};
	const struct format_record record = {
		.sample = &sample,
		.schema = schema,
		.comm = "walk",
		.clock = &clock_of_records,
	};

	query_fields_read(&fields, decoder, &record);
}

static const struct {
	const char *text;
	bool is_true;
} conditions[] = {
	{ "status == 503", true },
	{ "status == 0x1f7", true },
	{ "status != 503", false },
	{ "503 == status", true },
	{ "status > 502 && status < 504", true },
	{ "status >= 503 && status <= 503", true },
	{ "status > 503 || status < 503", false },
	{ "status > 502.5", true },
	{ "status == 010", false },
	{ "change == 010 || change == -2", true },
	{ "change < 0", true },
	{ "change > -3", true },
	/* Unsigned and signed numbers have one order. */
	{ "change < large", true },
	{ "large > change", true },
	{ "large == 18446744073709551615", true },
	{ "large == -1", false },
	{ "status & 0x100", true },
	{ "status & 8", false },
	{ "path == \"/api/x\"", true },
	{ "path ~ \"/api*\"", true },
	{ "path !~ \"/api*\"", false },
	{ "path ~ \"*\\\\*\"", false },
	{ "path > \"/apf\"", true },
	{ "path < \"/api/x0\"", true },
	{ "status ~ \"50?\"", true },
	{ "status", true },
	{ "empty", false },
	{ "!empty", true },
	{ "missing", false },
	{ "missing == 0", false },
	{ "missing != 0", false },
	{ "!(missing == 0)", true },
	{ "list[0] == 2 && list[1] == 3", true },
	{ "list[2] == 0", false },
	{ "list", true },
	{ "comm == \"walk\"", true },
	{ "cpu == 1 && tid == 172 && vpid == 3", true },
	/* The field of the record is found first. */
	{ "pid == 99 && meta.pid == 171", true },
	{ "event == \"user_events:numbers\"", true },
	/* Seconds of the clock of the records, or a date */
	{ "meta.time > 5", true },
	{ "5 < meta.time", true },
	{ "meta.time > 5.25 && meta.time < 5.2500001", true },
	{ "meta.time == 5.250000001", true },
	{ "meta.time >= 6", false },
	{ "meta.time > \"2026-01-31T23:59:54Z\"", true },
	{ "meta.time < \"2026-01-31T23:59:54.3Z\"", true },
	{ "meta.time > \"2026-01-31T23:59:55Z\"", false },
	{ "time == meta.time", true },
	{ "time != null && time", true },
	{ "name == \"numbers\" && provider == \"user_events\"", true },
	{ "tracepoint ~ \"*:num*\"", true },
	{ "level == 4", false },
	{ "`status` == 503", true },
	{ "empty == false", true },
	{ "status == null", false },
	/* && binds more strongly than ||, and ! most. */
	{ "status || empty && empty", true },
	{ "(status || empty) && empty", false },
	{ "!empty && status", true },
	{ "! ! status", true },
	{ "status == 1e0", false },
	{ "status>=503&&path~\"/*\"", true },
};

TEST_LOOP(has_a_result, COUNT(conditions))
{
	struct query_expression *expression = parsed(conditions[_i].text);
	size_t offset;

	read_record();
	ck_assert_msg(query_expression_test(expression) ==
			      conditions[_i].is_true,
		      "%s", conditions[_i].text);
	ck_assert(!query_expression_mismatch(expression, &offset));
	query_expression_free(expression);
}

static const struct {
	const char *text;
	size_t offset;
	const char *reason;
} errors[] = {
#define TEN ".a.a.a.a.a.a.a.a.a.a"
	{ "", 0, "expected a field, a number or a \"text\"" },
	{ "status >=", 9, "expected a field, a number or a \"text\"" },
	{ "status >= && x", 10, "expected a field, a number or a \"text\"" },
	{ "status = 5", 7, "equality is ==" },
	{ "status 5", 7, "expected an operator" },
	{ "(status == 5", 12, "expected an operator or )" },
	{ "status == 5)", 11, "expected an operator" },
	{ "path == \"x", 8, "the text has no second \"" },
	{ "path == 'x'", 8, "texts are quoted with \"" },
	{ "x == 12ab", 5, "invalid number" },
	{ "x == 99999999999999999999z", 5, "invalid number" },
	{ "x == -", 5, "invalid number" },
	/* Comparisons with it are always false. */
	{ "x == -nan", 5, "invalid number" },
	{ "a. == 1", 2, "expected the name of a field" },
	{ "a[x] == 1", 2, "expected an index and ]" },
	{ "a[1 == 1", 2, "expected an index and ]" },
	{ "a[1234567890] == 1", 2, "expected an index and ]" },
	{ "`a == 1", 0, "the name has no second `" },
	{ "a == 1 & b", 7, "expected an operator" },
	{ "a &&", 4, "expected a field, a number or a \"text\"" },
	{ "a" TEN TEN TEN ".a.a", 63, "the name has too many parts" },
};

TEST_LOOP(has_an_error, COUNT(errors))
{
	const char *reason = NULL;
	size_t offset = 999;

	ck_assert_ptr_null(query_expression_parse(errors[_i].text, &fields,
						  &offset, &reason));
	ck_assert_str_eq(reason, errors[_i].reason);
	ck_assert_uint_eq(offset, errors[_i].offset);
}

/* The stack of the parser is limited. */
TEST(rejects_deep_nesting)
{
	char text[5001];
	const char *reason;
	size_t offset;

	memset(text, '!', sizeof(text) - 1);
	text[1000] = '\0';
	ck_assert_ptr_null(
		query_expression_parse(text, &fields, &offset, &reason));
	ck_assert_str_eq(reason, "nested too deeply");
	memset(text, '(', sizeof(text) - 1);
	text[65] = '\0';
	ck_assert_ptr_null(
		query_expression_parse(text, &fields, &offset, &reason));
	ck_assert_str_eq(reason, "nested too deeply");
	strcpy(text + 64, "a && b");
	ck_assert_ptr_null(
		query_expression_parse(text, &fields, &offset, &reason));
	ck_assert_str_eq(reason, "nested too deeply");
	memset(text, '(', sizeof(text) - 1);
	text[5000] = '\0';
	ck_assert_ptr_null(
		query_expression_parse(text, &fields, &offset, &reason));
	ck_assert_str_eq(reason, "too long");
}

static const struct {
	const char *text;
	size_t offset;
} mismatches[] = {
	{ "status == \"503\"", 7 }, { "status && path > 5", 15 },
	{ "path & 1", 5 },	    { "list == 2", 5 },
	{ "time > -5", 5 },	    { "time > \"+5\"", 5 },
	{ "time > \"soon\"", 5 },   { "time ~ \"*\"", 5 },
	{ "time & 1", 5 },	    { "time > status", 5 },
};

TEST_LOOP(reports_types_that_cannot_be_compared, COUNT(mismatches))
{
	struct query_expression *expression = parsed(mismatches[_i].text);
	size_t offset;

	read_record();
	ck_assert(!query_expression_test(expression));
	ck_assert(query_expression_mismatch(expression, &offset));
	ck_assert_uint_eq(offset, mismatches[_i].offset);
	query_expression_free(expression);
}

TEST(reports_unknown_fields)
{
	struct query_expression *expression =
		parsed("status && (path || statsu > 1)");
	size_t offset;

	read_record();
	ck_assert(query_expression_test(expression));
	ck_assert_str_eq(query_expression_unknown(expression, &offset),
			 "statsu");
	ck_assert_uint_eq(offset, 19);
	query_expression_free(expression);

	expression = parsed("status && path");
	read_record();
	ck_assert_ptr_null(query_expression_unknown(expression, &offset));
	query_expression_free(expression);
}
