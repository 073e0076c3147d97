// SPDX-License-Identifier: MIT
/* The page of a hostile file, and its limits. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/session.h>

#include "lib/decode_formats.h"
#include "lib/decode_help.h"
#include "lib/fake_sys_perf.h"
#include "lib/json_help.h"
#include "lib/runner.h"
#include "report/rates.h"
#include "report/sample.h"
#include "tool.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define TEXT_SIZE 64

#define FORMAT(name, id)                                             \
	"name: " name "\nID: " id "\n" COMMON_FIELDS                 \
	"\tfield:char text[64];\toffset:8;\tsize:64;\tsigned:0;\n\n" \
	"print fmt: \"%s\", REC->text\n"

static char input[96], page_path[112];
static char *page;

static const char begin_format[] = FORMAT("begin", "77");
static const char end_format[] = FORMAT("end", "78");
static const struct uev_source sources[] = {
	{ .system = "user_events",
	  .name = "begin",
	  .format = begin_format,
	  .format_size = sizeof(begin_format) - 1,
	  .id = 77 },
	{ .system = "user_events",
	  .name = "end",
	  .format = end_format,
	  .format_size = sizeof(end_format) - 1,
	  .id = 78 },
};

/* What a program can write to run a script, or to end the data. */
static const char *const hostile[] = {
	"</script><script>alert(1)</script>",
	"<!--<script>",
	"]]>\"'&lt;<img src=x onerror=alert(1)>",
	"\x01\x1b[31m\r\n\t\x7f",
	"\xff\xfe invalid \xc3",
	"\xe2\x80\xa8 line \xe2\x80\xae right to left \xe2\x80\xac",
	"@DATA@ @NONCE@ @SCRIPT@",
	"\\u003c/script> \\",
};

static void set_up(void)
{
	fake_perf_begin();
	snprintf(input, sizeof(input), "%s/input", fake_perf.root);
	snprintf(page_path, sizeof(page_path), "%s.html", input);
}

static void tear_down(void)
{
	free(page);
	page = NULL;
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

/* Writes the record number @i, of the first or the second event. */
static void write_record(struct uev_perf_writer *writer, size_t i,
			 unsigned int event, uint32_t pid, uint32_t tid,
			 const char *text)
{
	struct {
		uint32_t id;
		int32_t pid;
		char text[TEXT_SIZE];
	} raw = { .id = sources[event].id };
	const struct uev_sample sample = {
		.source = &sources[event],
		.raw = &raw,
		.raw_size = sizeof(raw),
		.flags = UEV_HAS_TIME | UEV_HAS_TID | UEV_HAS_CPU,
		.time = 1000000 + 1000 * i,
		.cpu = event,
		.pid = pid,
		.tid = tid,
	};

	strncpy(raw.text, text, sizeof(raw.text) - 1);
	ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
}

/* Writes records with these texts, by turns of both events. */
static void write_file(size_t count, const char *comm)
{
	struct uev_perf_writer *writer;
	size_t i;

	ck_assert_int_eq(uev_perf_writer_open(&writer, input, NULL), 0);
	ck_assert_int_eq(uev_perf_writer_comm(writer, 7, 8, 0, comm), 0);
	for (i = 0; i < count; i++)
		write_record(writer, i, i % 2, 7, 8,
			     hostile[i % COUNT(hostile)]);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

#define WORKERS 8
#define RECORDS 32000
#define RARE 3

/*
 * Writes what workers do that take turns: a start on CPU 0 and a stop on CPU 1.
 * Another process writes RARE records.
 */
static void write_regular_file(void)
{
	struct uev_perf_writer *writer;
	char text[TEXT_SIZE];
	size_t i, rare = 0;

	ck_assert_int_eq(uev_perf_writer_open(&writer, input, NULL), 0);
	for (i = 0; i < RECORDS; i++) {
		snprintf(text, sizeof(text), "request %zu", i / 2);
		write_record(writer, i, i % 2, 100 + i / 2 % WORKERS,
			     100 + i / 2 % WORKERS, text);
		if (i % (RECORDS / RARE) == 5)
			write_record(writer, i, rare++ % 2, 99, 99, "rare");
	}
	ck_assert_uint_eq(rare, RARE);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

static void read_page(void)
{
	FILE *file = fopen(page_path, "r");
	long size;

	ck_assert_ptr_nonnull(file);
	fseek(file, 0, SEEK_END);
	size = ftell(file);
	rewind(file);
	page = malloc((size_t)size + 1);
	ck_assert_ptr_nonnull(page);
	ck_assert_uint_eq(fread(page, 1, (size_t)size, file), (size_t)size);
	page[size] = '\0';
	ck_assert_uint_eq(strlen(page), (size_t)size);
	fclose(file);
}

static int run(char *option)
{
	char *words[] = { "report", option, input, NULL };

	optind = 0;

	return command_report.run(3, words);
}

/* Returns the data of the page, for json_object_put(). */
static struct json_object *read_data(void)
{
	static const char begin[] = "<script type=\"application/json\" "
				    "id=\"data\">";
	const char *at = strstr(page, begin), *end;
	struct json_object *object;

	ck_assert_ptr_nonnull(at);
	at += sizeof(begin) - 1;
	end = strstr(at, "</script>");
	ck_assert_ptr_nonnull(end);
	object = json_parse(at, (size_t)(end - at));
	ck_assert_ptr_nonnull(object);

	return object;
}

static struct json_object *item(struct json_object *object, const char *key)
{
	struct json_object *found = json_object_object_get(object, key);

	ck_assert_msg(found != NULL, "%s", key);

	return found;
}

static uint64_t number(struct json_object *object, const char *key)
{
	return json_object_get_uint64(item(object, key));
}

static const char *text_of(struct json_object *rows, size_t row, size_t column)
{
	return json_object_get_string(json_object_array_get_idx(
		json_object_array_get_idx(rows, row), column));
}

TEST(hostile_texts_are_data)
{
	static const char override[] = { '\xe2', '\x80', '\xae', '\0' };
	struct json_object *data;

	write_file(COUNT(hostile), "</script><b>\xe2\x80\x8b");
	ck_assert_int_eq(run("--start=begin"), TOOL_USAGE);
	ck_assert_int_eq(run("--level=5"), TOOL_OK);
	read_page();
	/* Only those of the page itself */
	ck_assert_uint_eq(count_text(page, "<script"), 2);
	ck_assert_uint_eq(count_text(page, "</script"), 2);
	ck_assert_uint_eq(count_text(page, "<img"), 0);
	ck_assert_uint_eq(count_text(page, "<!--"), 1);
	ck_assert_uint_eq(count_text(page, "@STYLE@"), 0);
	data = read_data();
	ck_assert_uint_eq(number(data, "records"), COUNT(hostile));
	ck_assert_uint_eq(json_object_array_length(item(data, "rows")),
			  COUNT(hostile));
	ck_assert_uint_eq(number(data, "full_size"), 0);
	ck_assert_str_eq(text_of(item(data, "rows"), 0, 4),
			 "text=\"</script><script>alert(1)</script>\"");
	ck_assert_str_eq(text_of(item(data, "rows"), 3, 4),
			 "text=\"\\u0001\\u001b[31m\\r\\n\\t\\u007f\"");
	ck_assert_str_eq(text_of(item(data, "rows"), 6, 4),
			 "text=\"@DATA@ @NONCE@ @SCRIPT@\"");
	ck_assert_str_eq(text_of(item(data, "rows"), 5, 4),
			 "text=\"\\u2028 line \\u202e right to left \\u202c\"");
	ck_assert_uint_eq(count_text(page, override), 0);
	ck_assert_uint_eq(count_text(page, "\xe2\x80\x8b"), 0);
	ck_assert_str_eq(text_of(item(data, "threads"), 0, 2),
			 "</script><b>\\u200b");
	json_object_put(data);
}

/* The number that permits scripts differs between pages. */
TEST(scripts_need_a_random_number)
{
	static const char begin[] = "script-src 'nonce-";
	char nonce[33] = "";
	const char *at;
	int i;

	write_file(1, "svc");
	for (i = 0; i < 2; i++) {
		free(page);
		ck_assert_int_eq(run("--count=9"), TOOL_OK);
		read_page();
		at = strstr(page, begin);
		ck_assert_ptr_nonnull(at);
		at += sizeof(begin) - 1;
		ck_assert_uint_eq(strspn(at, "0123456789abcdef"), 32);
		ck_assert(strncmp(nonce, at, 32) != 0);
		memcpy(nonce, at, 32);
		ck_assert_uint_eq(count_text(page, nonce), 4);
	}
}

TEST(pairs_and_rates_are_complete)
{
	char *words[] = { "report", "--start",	     "begin", "--stop",
			  "end",    "--max-size=4K", input,   NULL };
	struct json_object *data, *latency;

	write_file(1000, "svc");
	optind = 0;
	ck_assert_int_eq(command_report.run(7, words), TOOL_OK);
	read_page();
	data = read_data();
	ck_assert_uint_eq(number(data, "records"), 1000);
	ck_assert_uint_eq(number(data, "span"), 999000);
	ck_assert_uint_lt(json_object_array_length(item(data, "rows")), 100);
	ck_assert_uint_gt(json_object_array_length(item(data, "rows")), 10);
	ck_assert_uint_lt(json_object_array_length(item(data, "bars")), 100);
	ck_assert_uint_gt(json_object_array_length(item(data, "bars")), 10);
	latency = json_object_array_get_idx(item(data, "latencies"), 0);
	ck_assert_uint_eq(number(latency, "count"), 500);
	ck_assert_uint_eq(number(latency, "max"), 1000);
	json_object_put(data);
}

static size_t column(struct json_object *row, size_t i)
{
	return json_object_get_uint64(json_object_array_get_idx(row, i));
}

/* Counts rows by thread and by event, which has a CPU of its own. */
static void count_rows(struct json_object *rows, size_t (*counts)[2])
{
	struct json_object *row;
	size_t i, thread, event;

	for (i = 0; i < json_object_array_length(rows); i++) {
		row = json_object_array_get_idx(rows, i);
		thread = column(row, 2);
		event = column(row, 3);
		ck_assert_uint_le(thread, WORKERS);
		ck_assert_uint_lt(event, 2);
		ck_assert_uint_eq(column(row, 1), event);
		counts[thread][event]++;
	}
}

/* Of regular work, every second record is of the same event. */
TEST(a_sample_has_all_threads_and_events)
{
	size_t counts[WORKERS + 1][2] = { 0 }, i, j, rare;
	struct json_object *data, *threads;

	write_regular_file();
	ck_assert_int_eq(run("--max-size=64K"), TOOL_OK);
	read_page();
	data = read_data();
	ck_assert_uint_eq(number(data, "records"), RECORDS + RARE);
	threads = item(data, "threads");
	for (rare = 0;
	     column(json_object_array_get_idx(threads, rare), 0) != 99;)
		rare++;
	ck_assert_uint_le(rare, WORKERS);
	count_rows(item(data, "rows"), counts);
	ck_assert_uint_eq(counts[rare][0] + counts[rare][1], RARE);
	for (i = 0; i <= WORKERS; i++)
		for (j = 0; j < 2 && i != rare; j++) {
			/* Each has the same number of records. */
			ck_assert_uint_ge(counts[i][j] + 1, counts[!rare][0]);
			ck_assert_uint_le(counts[i][j], counts[!rare][0] + 1);
			ck_assert_uint_ge(counts[i][j], 20);
			ck_assert_uint_lt(counts[i][j],
					  RECORDS / WORKERS / 2 / 4);
		}
	json_object_put(data);
}

/* Writes starts and stops of a thread. One pair takes longer than the others. */
static void write_pairs(size_t count, size_t slow, size_t microseconds)
{
	struct uev_perf_writer *writer;
	size_t i, time = 0;

	ck_assert_int_eq(uev_perf_writer_open(&writer, input, NULL), 0);
	for (i = 0; i < count; i++) {
		write_record(writer, time, 0, 7, 7, "start");
		time += i == slow ? microseconds : 1;
		write_record(writer, time++, 1, 7, 7, "stop");
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

TEST(a_sample_has_the_longest_pair)
{
	char *words[] = { "report", "--start",	      "begin", "--stop",
			  "end",    "--max-size=16K", input,   NULL };
	struct json_object *data, *bars;
	size_t i, found = 0;

	write_pairs(10000, 7777, 5000);
	optind = 0;
	ck_assert_int_eq(command_report.run(7, words), TOOL_OK);
	read_page();
	data = read_data();
	bars = item(data, "bars");
	ck_assert_uint_lt(json_object_array_length(bars), 1000);
	for (i = 0; i < json_object_array_length(bars); i++)
		found += column(json_object_array_get_idx(bars, i), 1) ==
			 5000000;
	ck_assert_uint_eq(found, 1);
	json_object_put(data);
}

TEST(fails_without_a_file)
{
	ck_assert_int_eq(run("--count=1"), TOOL_FAILED);
	ck_assert_int_ne(access(page_path, F_OK), 0);
}

/* Offers rows "KIND NUMBER" of a thread. */
static void offer(struct report_sample *sample, size_t kind, size_t first,
		  size_t count)
{
	char text[48];
	size_t i;

	for (i = first; i < first + count; i++) {
		if (!report_sample_wants(sample, 1, kind))
			continue;
		snprintf(text, sizeof(text), "%zu %zu", kind, i);
		uev_output_append(&sample->text, text, strlen(text));
		report_sample_add(sample);
	}
}

#define NUMBERS_MAX 1000

/* struct numbers - The rows of a kind */
struct numbers {
	size_t count;
	uint64_t numbers[NUMBERS_MAX];
};

static struct numbers numbers_of(struct report_sample *sample, size_t kind)
{
	struct uev_output text = UEV_OUTPUT_INIT;
	struct numbers numbers = { 0 };
	char *at;

	report_sample_end(sample);
	report_sample_append(sample, &text);
	for (at = strchr(text.text, '\n'); at; at = strchr(at, '\n')) {
		if (strtoul(at, &at, 10) != kind)
			continue;
		ck_assert_uint_lt(numbers.count, NUMBERS_MAX);
		numbers.numbers[numbers.count++] = strtoul(at, &at, 10);
	}
	uev_output_release(&text);

	return numbers;
}

static bool same_numbers(const struct numbers *one, const struct numbers *other)
{
	return one->count == other->count &&
	       memcmp(one->numbers, other->numbers,
		      one->count * sizeof(*one->numbers)) == 0;
}

TEST_FIXTURE(NULL, NULL);

/* It has one of each 2, 4, 8, ... successive rows, but not every second one. */
TEST(a_sample_is_even)
{
	struct report_sample sample = { .limit = SIZE_MAX, .row_limit = 100 };
	unsigned int places = 0;
	struct numbers rows;
	size_t i, size;

	offer(&sample, 1, 0, 100000);
	rows = numbers_of(&sample, 1);
	size = (size_t)1 << sample.level;
	ck_assert_uint_ge(rows.count, 50);
	ck_assert_uint_le(rows.count, 100);
	ck_assert_uint_ge(rows.count, 100000 / size);
	ck_assert_uint_le(rows.count, 100000 / size + 1);
	for (i = 0; i < rows.count; i++) {
		ck_assert_uint_eq(rows.numbers[i] / size, i);
		places |= 1U << (rows.numbers[i] % size * 16 / size);
	}
	ck_assert_int_ge(__builtin_popcount(places), 12);
	report_sample_release(&sample);
}

/* Each kind has its part, and few rows are all in the sample. */
TEST(a_sample_keeps_rare_rows)
{
	struct report_sample sample = { .limit = SIZE_MAX, .row_limit = 1000 };
	struct numbers many, fewer, few, one;
	size_t i;

	for (i = 0; i < 100; i++) {
		offer(&sample, 1, 2000 * i, 2000);
		offer(&sample, 2, 1000 * i, 1000);
		offer(&sample, 3, i, 1);
		if (i == 70)
			offer(&sample, 4, 0, 1);
	}
	many = numbers_of(&sample, 1);
	fewer = numbers_of(&sample, 2);
	few = numbers_of(&sample, 3);
	one = numbers_of(&sample, 4);
	ck_assert_uint_eq(one.count, 1);
	ck_assert_uint_eq(few.count, 100);
	ck_assert_uint_ge(many.count + fewer.count, 400);
	ck_assert_uint_ge(fewer.count * 2 + 2, many.count);
	ck_assert_uint_le(fewer.count * 2, many.count + 2);
	report_sample_release(&sample);
}

/* Also if other rows come before, after or between. Pairs stay complete. */
TEST(a_sample_does_not_depend_on_the_order)
{
	struct report_sample mixed = { .limit = SIZE_MAX, .row_limit = 100 };
	struct report_sample sorted = mixed;
	struct numbers starts, stops, first, second;
	size_t i;

	for (i = 0; i < 1000; i++) {
		offer(&mixed, 1, i, 1);
		offer(&mixed, 2, i, 1);
	}
	offer(&sorted, 2, 0, 1000);
	offer(&sorted, 1, 0, 1000);
	starts = numbers_of(&mixed, 1);
	stops = numbers_of(&mixed, 2);
	first = numbers_of(&sorted, 1);
	second = numbers_of(&sorted, 2);
	ck_assert(same_numbers(&starts, &stops));
	ck_assert(same_numbers(&starts, &first));
	ck_assert(same_numbers(&stops, &second));
	report_sample_release(&mixed);
	report_sample_release(&sorted);
}

/* Even if there is no room for one row of each kind. */
TEST(a_sample_is_limited)
{
	struct report_sample sample = { .limit = 4000, .row_limit = 1000 };
	size_t i;

	for (i = 0; i < 3 * REPORT_STRATA_MAX; i++) {
		offer(&sample, i, 0, 3);
		ck_assert_uint_le(sample.text.size, 4000);
	}
	ck_assert_uint_eq(sample.offered, 9 * REPORT_STRATA_MAX);
	ck_assert_uint_ge(sample.count, 100);
	ck_assert_uint_eq(sample.strata.count, REPORT_STRATA_MAX);
	ck_assert_uint_eq(sample.late.count, QUERY_GROUPS_MAX);
	report_sample_release(&sample);
}

TEST(rates_keep_all_records)
{
	struct report_rates rates = { 0 };
	uint64_t sum = 0;
	size_t i, j;

	report_rates_add(&rates, 1, 0, 3);
	report_rates_add(&rates, 0, UINT64_MAX, 2);
	/* Further series are the last one. */
	report_rates_add(&rates, 5 + REPORT_SERIES_MAX, 1000, 1);
	report_rates_add(&rates, SIZE_MAX, 1000, 1);
	ck_assert_uint_eq(rates.count, REPORT_SERIES_MAX + 1);
	ck_assert_uint_eq(rates.width, UINT64_C(1) << 55);
	for (i = 0; i < rates.count; i++)
		for (j = 0; j < REPORT_COLUMNS; j++)
			sum += rates.series[i][j];
	ck_assert_uint_eq(sum, 7);
	ck_assert_uint_eq(rates.series[0][REPORT_COLUMNS - 1], 2);
	ck_assert_uint_eq(rates.series[1][0], 3);
	ck_assert_uint_eq(rates.series[REPORT_SERIES_MAX][0], 2);
	report_rates_release(&rates);
}
