// SPDX-License-Identifier: MIT
/* Commands that measure files: results, exit statuses and mistakes. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/session.h>

#include "lib/decode_formats.h"
#include "lib/fake_sys_perf.h"
#include "lib/perf_image.h"
#include "lib/runner.h"
#include "query/groups.h"
#include "tool.h"
#include "ui/out.h"

#define WORDS_MAX 16
#define TEXT_MAX_SIZE (512 * 1024)

#define FIELD(name, offset) \
	"\tfield:u32 " name ";\toffset:" offset ";\tsize:4;\tsigned:0;\n"

static char good[96], lossy[96], header[96], missing[96], written[96], out[96];
/* Of the files that are written; NULL: they do not tell it */
static const struct uev_clock *clock_of_files;
static char output[TEXT_MAX_SIZE], errors[TEXT_MAX_SIZE];

static const char number_format[] =
	"name: number\nID: 77\n" COMMON_FIELDS FIELD("number", "8");
static const char other_format[] =
	"name: other\nID: 78\n" COMMON_FIELDS FIELD("size", "8");
static const struct uev_source sources[] = {
	{ .system = "user_events",
	  .name = "number",
	  .format = number_format,
	  .format_size = sizeof(number_format) - 1,
	  .id = 77 },
	{ .system = "user_events",
	  .name = "other",
	  .format = other_format,
	  .format_size = sizeof(other_format) - 1,
	  .id = 78 },
};

/* Losses before, between and after the records, and those of a foreign writer */
static void write_losses(struct uev_perf_writer *writer,
			 const struct uev_source *source)
{
	static const struct uev_loss unknown = { .count = 3,
						 .reason = "missing" };
	struct uev_loss loss = {
		.source = source,
		.count = 2,
		.from = 1000,
		.to = 1001,
		.flags = UEV_HAS_TIME | UEV_HAS_CPU,
		.cpu = 5,
		.reason = "perf_too_large",
	};

	ck_assert_int_eq(uev_perf_writer_loss(writer, &loss), 0);
	ck_assert_int_eq(uev_perf_writer_loss(writer, &unknown), 0);
	ck_assert_int_eq(uev_perf_writer_lost(writer, 4, 1), 0);
}

static void write_records(const char *path, size_t count, bool has_losses)
{
	uint32_t raw[] = { 77, 7, 5 };
	struct uev_sample sample = {
		.raw = raw,
		.raw_size = sizeof(raw),
		.flags = UEV_HAS_TIME | UEV_HAS_TID,
		.pid = 7,
		.tid = 7,
	};
	const struct uev_perf_writer_options options = {
		.size = sizeof(options),
		.clock = clock_of_files,
	};
	struct uev_perf_writer *writer;
	size_t i;

	ck_assert_int_eq(uev_perf_writer_open(&writer, path, &options), 0);
	for (i = 0; i < count; i++) {
		raw[0] = sources[i % 2].id;
		raw[2] = 5 + (uint32_t)i / 4;
		sample.source = &sources[i % 2];
		sample.time = 1000 + i;
		ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
	}
	if (has_losses)
		write_losses(writer, &sources[1]);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

/* Writes a record of an EventHeader event. */
static void write_header(struct uev_perf_writer *writer, uint64_t time,
			 uint8_t opcode, bool has_activity, const char *name)
{
	static const char format[] = FORMAT_EVENTHEADER;
	static const struct uev_source source = {
		.system = "user_events",
		.name = "Prov_L5K1Gg",
		.format = format,
		.format_size = sizeof(format) - 1,
		.id = 1500,
	};
	const bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	struct uev_sample sample = { .source = &source,
				     .flags = UEV_HAS_TIME | UEV_HAS_TID,
				     .time = time,
				     .pid = 7,
				     .tid = 7 };
	static struct image image;
	uint8_t i;

	image.size = 0;
	image.big = is_big;
	image_u16(&image, (uint16_t)source.id);
	image_zeros(&image, 6);
	image_u8(&image, is_big ? 5 : 7);
	image_u8(&image, 3);
	image_u16(&image, 2);
	image_u16(&image, 4);
	image_u8(&image, opcode);
	image_u8(&image, UEV_LEVEL_VERBOSE);
	if (has_activity) {
		image_u16(&image, 2 * UEV_ACTIVITY_SIZE);
		image_u16(&image, 0x8002);
		for (i = 0; i < 2 * UEV_ACTIVITY_SIZE; i++)
			image_u8(&image, i);
	}
	image_u16(&image, (uint16_t)(strlen(name) + 1));
	image_u16(&image, 1);
	image_bytes(&image, name, strlen(name) + 1);
	sample.raw = image.bytes;
	sample.raw_size = (uint32_t)image.size;
	ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
}

/* A slice of an activity, and others of the thread, as long as their names tell */
static void write_headers(const char *path)
{
	struct uev_perf_writer *writer;

	ck_assert_int_eq(uev_perf_writer_open(&writer, path, NULL), 0);
	write_header(writer, 10000, UEV_OPCODE_ACTIVITY_START, true, "ns");
	write_header(writer, 10005, UEV_OPCODE_ACTIVITY_STOP, true, "ns");
	write_header(writer, 11000, UEV_OPCODE_ACTIVITY_START, false, "us");
	write_header(writer, 13500, UEV_OPCODE_ACTIVITY_STOP, false, "us");
	write_header(writer, 20000, UEV_OPCODE_ACTIVITY_START, false, "ms");
	write_header(writer, 2520000, UEV_OPCODE_ACTIVITY_STOP, false, "ms");
	write_header(writer, 3000000, UEV_OPCODE_ACTIVITY_START, false, "s");
	write_header(writer, 2503000000, UEV_OPCODE_ACTIVITY_STOP, false, "s");
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

static void set_up(void)
{
	fake_perf_begin();
	snprintf(good, sizeof(good), "%s/good", fake_perf.root);
	snprintf(header, sizeof(header), "%s/header", fake_perf.root);
	snprintf(missing, sizeof(missing), "%s/missing", fake_perf.root);
	snprintf(written, sizeof(written), "%s/written", fake_perf.root);
	snprintf(out, sizeof(out), "%s/out", fake_perf.root);
	snprintf(lossy, sizeof(lossy), "%s/lossy", fake_perf.root);
	write_records(good, 4, false);
	write_records(lossy, 4, true);
	write_headers(header);
}

static void tear_down(void)
{
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

/* Reads back what was printed. */
static void take_text(FILE *file, char *text)
{
	size_t size;

	fflush(file);
	rewind(file);
	size = fread(text, 1, TEXT_MAX_SIZE - 1, file);
	text[size] = '\0';
}

/*
 * Runs a command line, with GOOD, LOSSY, HEADER, MISSING and OUT for the paths of
 * files. Sets output and errors. Return: the exit status
 */
static int run(const struct tool_command *command, const char *line)
{
	char *words[WORDS_MAX + 1] = { NULL }, *copy = tool_copy(line);
	char *rest = copy, *word;
	char errors_path[sizeof(out) + 8];
	int count = 0, status;

	while ((word = strsep(&rest, " ")) && count < WORDS_MAX)
		words[count++] = strcmp(word, "GOOD") == 0	? good
				 : strcmp(word, "LOSSY") == 0	? lossy
				 : strcmp(word, "HEADER") == 0	? header
				 : strcmp(word, "MISSING") == 0 ? missing
				 : strcmp(word, "OUT") == 0	? written
								: word;
	snprintf(errors_path, sizeof(errors_path), "%s.errors", out);
	ck_assert_ptr_nonnull(freopen(out, "w+", stdout));
	ck_assert_ptr_nonnull(freopen(errors_path, "w+", stderr));
	optind = 0;
	status = command->run(count, words);
	take_text(stdout, output);
	take_text(stderr, errors);
	free(copy);

	return status;
}

static const struct {
	const struct tool_command *command;
	const char *line;
	int status;
	const char *output;
	const char *error;
} rows[] = {
	/* A failure of one file leaves the others valid. */
	{ &command_stat, "stat --by pid -r GOOD -r MISSING", TOOL_INCOMPLETE,
	  "4  7\n", "No such file" },
	{ &command_stat, "stat --by pid -r MISSING -r GOOD", TOOL_INCOMPLETE,
	  "4  7\n", "No such file" },
	{ &command_latency,
	  "latency -r GOOD -r MISSING --start number --stop other",
	  TOOL_INCOMPLETE, "user_events:number\n", "2 pairs" },
	{ &command_stat, "stat --by pid -r MISSING -r MISSING", TOOL_FAILED,
	  NULL, "No such file" },
	{ &command_latency, "latency -r MISSING", TOOL_FAILED, NULL,
	  "No such file" },
	/* Events without --by. */
	{ &command_stat, "stat -r GOOD", TOOL_OK,
	  "           2  user_events:number\n           2  user_events:other\n",
	  NULL },
	/* Several files have one sum. */
	{ &command_stat, "stat -r GOOD -r GOOD", TOOL_OK,
	  "           4  user_events:number\n           4  user_events:other\n",
	  NULL },
	{ &command_stat, "stat -r GOOD -j num*", TOOL_OK,
	  "{\"by\":\"user_events:number\",\"count\":2}]", NULL },
	{ &command_stat, "stat --value number -r GOOD number", TOOL_OK,
	  "5  user_events:number\n", NULL },
	{ &command_stat, "stat --where number number", TOOL_USAGE, NULL,
	  "require --by, --read or --flight" },
	/* Mistakes are not measured. */
	{ &command_stat, "stat --by number -r GOOD number", TOOL_OK, "2  5\n",
	  NULL },
	{ &command_stat, "stat --by number -r GOOD", TOOL_INCOMPLETE, "2  5\n",
	  "--by: 2 records do not have the field" },
	{ &command_stat, "stat --by number,size -r GOOD", TOOL_NOT_FOUND,
	  "COUNT", "--by: 4 records do not have the field" },
	{ &command_stat, "stat --by nosuch -r GOOD", TOOL_NOT_FOUND, "COUNT",
	  "--by: no record has the field \"nosuch\"" },
	{ &command_stat, "stat --by pid --value nosuch -r GOOD", TOOL_NOT_FOUND,
	  "COUNT", "--value: no record has the field \"nosuch\"" },
	{ &command_stat, "stat --by pid --value number -r GOOD",
	  TOOL_INCOMPLETE, "COUNT", "--value: 2 records do not have a number" },
	{ &command_stat, "stat --by pid -r GOOD num* nosuch", TOOL_NOT_FOUND,
	  "2  7\n", "nosuch: no such event" },
	{ &command_stat, "stat --by pid --until 0.000001 -r GOOD num* other",
	  TOOL_OK, "1  7\n", NULL },
	{ &command_stat, "stat --by pid -n 1 -r GOOD number other", TOOL_OK,
	  "1  7\n", NULL },
	{ &command_latency, "latency -r GOOD --start nosuch --stop other",
	  TOOL_NOT_FOUND, "COUNT", "--start: nosuch: no such event" },
	{ &command_latency, "latency -r GOOD --start number --stop nosuch",
	  TOOL_NOT_FOUND, "COUNT", "--stop: nosuch: no such event" },
	{ &command_latency,
	  "latency -r GOOD --start number --stop other --by nosuch",
	  TOOL_NOT_FOUND, "VALUE", "--by: no record has the field \"nosuch\"" },
	{ &command_latency,
	  "latency -r GOOD --start number --stop other --key nosuch",
	  TOOL_NOT_FOUND, "COUNT",
	  "--key: no record has the field \"nosuch\"" },
	{ &command_latency,
	  "latency -r GOOD --start number --stop other --by number,level",
	  TOOL_INCOMPLETE, "VALUE", "--by: 2 starts do not have the field" },
	/* Files have an end. */
	{ &command_stat, "stat --by pid -r GOOD --duration 1", TOOL_USAGE, NULL,
	  "--read: cannot be combined with" },
	{ &command_latency, "latency -r GOOD --duration 1", TOOL_USAGE, NULL,
	  "--read: cannot be combined with" },
	{ &command_export, "export --textfile - -r GOOD --duration 1",
	  TOOL_USAGE, NULL, "--read: cannot be combined with" },
	{ &command_export, "export --textfile - --stacks number", TOOL_USAGE,
	  NULL, "--stacks: requires --otlp" },
	{ &command_export, "export --otlp http://127.0.0.1:1 -g -r GOOD",
	  TOOL_USAGE, NULL, "--read: cannot be combined with" },
	{ &command_stat, "stat -r GOOD -i 1", TOOL_USAGE, NULL,
	  "--interval: only with a session or --follow" },
	{ &command_latency, "latency -r GOOD -i 1", TOOL_USAGE, NULL,
	  "--interval: only with a session or --follow" },
	{ &command_export, "export --textfile - -r GOOD -i 1", TOOL_USAGE, NULL,
	  "--interval: only with a session or --follow" },
	{ &command_latency, "latency --flight black -i 1", TOOL_USAGE, NULL,
	  "--interval: only with a session or --follow" },
	{ &command_export, "export --textfile - -r GOOD --otlp-header A=B",
	  TOOL_USAGE, NULL, "--otlp-header: requires --otlp" },
	{ &command_export, "export --journal -r GOOD --start a --stop b",
	  TOOL_USAGE, NULL,
	  "--start: requires --prometheus, --textfile or --otlp" },
	/* Few formats have the calls that lead to an event. */
	{ &command_watch, "watch -g -t chrome", TOOL_USAGE, NULL,
	  "--stacks: not supported by --format=chrome" },
	{ &command_watch, "watch -g -t logfmt", TOOL_USAGE, NULL,
	  "--stacks: not supported by --format=logfmt" },
	{ &command_watch, "watch -g -F number", TOOL_USAGE, NULL,
	  "--stacks: not supported with --fields" },
	{ &command_flight, "flight dump black -t dat -o OUT --time relative",
	  TOOL_USAGE, NULL, "--time: not supported by --format=dat" },
	/* A recorder is a source of its own, and has an end unless followed. */
	{ &command_stat, "stat --flight black -r GOOD", TOOL_USAGE, NULL,
	  "--read: cannot be combined with --flight and --instance" },
	{ &command_latency, "latency --flight black --duration 1", TOOL_USAGE,
	  NULL, "--flight: cannot be combined with" },
	{ &command_latency, "latency --flight black -- true", TOOL_USAGE, NULL,
	  "--flight: cannot be combined with a command" },
	{ &command_export, "export --textfile - --instance other --cpu 0",
	  TOOL_USAGE, NULL, "--instance: cannot be combined with" },
	{ &command_export, "export --textfile - --follow", TOOL_USAGE, NULL,
	  "--follow and --consume: require --flight or --instance" },
	{ &command_stat, "stat --consume number", TOOL_USAGE, NULL,
	  "--follow and --consume: require --flight or --instance" },
	{ &command_stat, "stat --flight black --consume", TOOL_USAGE, NULL,
	  "--consume: only with --instance" },
	{ &command_stat, "stat --flight black --instance other", TOOL_USAGE,
	  NULL, "--instance: takes the place of a name" },
	{ &command_stat, "stat --instance other number", TOOL_FAILED, NULL,
	  "other: to read its records removes them" },
	{ &command_latency, "latency --flight ../black --follow --duration 1",
	  TOOL_USAGE, NULL, "../black" },
	{ &command_report, "report -o - --flight ../black number", TOOL_USAGE,
	  NULL, "../black" },
	{ &command_report, "report -o - --flight black -- true", TOOL_USAGE,
	  NULL, "--flight: cannot be combined with a command" },
	{ &command_export, "export --prometheus 70000 -r GOOD", TOOL_USAGE,
	  NULL, "--prometheus: \"70000\" is not a target such as 9464" },
	{ &command_export, "export --journal --buckets 1 -r GOOD", TOOL_USAGE,
	  NULL, "--buckets: requires --prometheus or --textfile" },
	{ &command_export, "export --textfile nosuch/out -r GOOD", TOOL_FAILED,
	  NULL, "nosuch/out: cannot write: No such file" },
	{ &command_report, "report -o nosuch/out GOOD", TOOL_FAILED, NULL,
	  "nosuch/out: cannot write: No such file" },
	{ &command_record, "record -o OUT --snapshot --buffer-size 1M number",
	  TOOL_USAGE, NULL,
	  "--snapshot: cannot be combined with --buffer-size" },
	{ &command_record, "record -o OUT --snapshot -n 1 number", TOOL_USAGE,
	  NULL, "--snapshot: cannot be combined with --count" },
	{ &command_record, "record -o OUT --switch-output --max-size 1M number",
	  TOOL_USAGE, NULL,
	  "--max-size: cannot be combined with --switch-output" },
	{ &command_record, "record -o OUT --max-files 2 number", TOOL_USAGE,
	  NULL, "--max-files: requires --switch-output or --snapshot" },
	{ &command_record, "record -o OUT --trigger-rate 2 number", TOOL_USAGE,
	  NULL, "--trigger-rate and --on-trigger: require --trigger" },
	{ &command_record, "record -o OUT --trigger number number", TOOL_USAGE,
	  NULL, "--trigger: requires --switch-output, --snapshot or " },
	/* A report is about a file, or about a session with an end. */
	{ &command_report, "report -o - GOOD", TOOL_OK, "<html",
	  "-: 4 events, 0 lost" },
	{ &command_report, "report -o - -r GOOD", TOOL_OK, "<html",
	  "-: 4 events, 0 lost" },
	{ &command_report, "report", TOOL_USAGE, NULL, "no file given" },
	{ &command_report, "report GOOD MISSING", TOOL_USAGE, NULL,
	  "only one file is accepted" },
	{ &command_report, "report -f x GOOD", TOOL_USAGE, NULL,
	  "--read: cannot be combined with" },
	{ &command_report, "report --json --duration 1", TOOL_USAGE, NULL,
	  "unrecognized option" },
	{ &command_decode, "decode --event nosuch GOOD", TOOL_NOT_FOUND, NULL,
	  "nosuch: no such event" },
	{ &command_decode, "decode -F number,nosuch GOOD", TOOL_NOT_FOUND,
	  "5\t-\n-\t-\n", "--fields: no record has the field \"nosuch\"" },
	{ &command_decode, "decode -F number,level,fields GOOD", TOOL_OK,
	  "5\t-\t{", NULL },
	{ &command_decode, "decode -t csv GOOD", TOOL_OK, "time,cpu", NULL },
	{ &command_decode, "decode -F meta.nosuch GOOD", TOOL_NOT_FOUND, "-\n",
	  "--fields: no record has the field \"meta.nosuch\"" },
	{ &command_decode, "decode -F size -n 1 GOOD", TOOL_OK, "-\n", NULL },
	{ &command_decode, "decode --where event>5 GOOD", TOOL_OK, NULL,
	  "the types of some records cannot be compared" },
	{ &command_decode, "decode --merge -F number GOOD GOOD", TOOL_OK,
	  "5\n5\n-\n-\n5\n5\n-\n-\n", NULL },
	{ &command_decode, "decode -F number GOOD GOOD", TOOL_OK,
	  "5\n-\n5\n-\n5\n-\n5\n-\n", NULL },
	{ &command_decode, "decode --merge -j GOOD", TOOL_OK, "/good\": [",
	  NULL },
	{ &command_decode, "decode --merge GOOD MISSING", TOOL_FAILED, NULL,
	  "missing: No such file" },
	/* Standard output is neither a directory nor a perf.data file. */
	{ &command_decode, "decode -t ctf GOOD", TOOL_USAGE, NULL,
	  "--format=ctf: requires a directory as --output" },
	{ &command_decode, "decode -t ctf -o - GOOD", TOOL_USAGE, NULL,
	  "--format=ctf: requires a directory as --output" },
	{ &command_record, "record -o - number", TOOL_USAGE, NULL,
	  "--output: perf.data cannot be standard output" },
	/* The metadata of EventHeader events, and what others have of it */
	{ &command_decode,
	  "decode -F name,provider,tracepoint,level,keyword,opcode,id,version,tag,activity,related -n 1 HEADER",
	  TOOL_OK,
	  "ns\tProv\tuser_events:Prov_L5K1Gg\t5\t0x1\t1\t2\t3\t4\t"
	  "00010203-0405-0607-0809-0a0b0c0d0e0f\t"
	  "10111213-1415-1617-1819-1a1b1c1d1e1f\n",
	  NULL },
	{ &command_decode,
	  "decode -F name,provider,tracepoint,level,keyword,opcode,id,version,tag,activity,related -n 1 GOOD",
	  TOOL_OK,
	  "number\tuser_events\tuser_events:number\t-\t-\t-\t-\t-\t-\t-\t-\n",
	  NULL },
	{ &command_decode,
	  "decode -F activity,related,keyword -t json --lines -n 3 HEADER",
	  TOOL_OK,
	  "\n{\"activity\":null,\"related\":null,\"keyword\":\"0x1\"}\n",
	  NULL },
	/* Events of no activity are of their thread. */
	{ &command_latency, "latency -r HEADER", TOOL_OK,
	  "     2.50 ms  Prov:ms\n"
	  "         1        5 ns        5 ns        5 ns        5 ns        5 ns  Prov:ns\n"
	  "         1     2.50 s      2.50 s      2.50 s      2.50 s      2.50 s   Prov:s\n"
	  "         1     2.50 us     2.50 us     2.50 us     2.50 us     2.50 us  Prov:us\n"
	  "\nProv:ms\n"
	  "   2.10 ms -    4.19 ms          1 ########################################\n",
	  "4 pairs, 0 stops without start" },
	{ &command_decode, "decode --help", TOOL_HELPED,
	  " ctf      a directory for babeltrace2\n", NULL },
	{ &command_flight, "flight dump --help", TOOL_HELPED,
	  " dat      trace.dat, for trace-cmd and decode\n", NULL },
	{ &command_decode, "decode --lines GOOD", TOOL_USAGE, NULL,
	  "--lines: requires --format=json" },
	{ &command_decode, "decode -t chrome -F number GOOD", TOOL_USAGE, NULL,
	  "--fields: not supported by --format=chrome" },
	{ &command_decode, "decode -t ctf -o OUT GOOD GOOD", TOOL_USAGE, NULL,
	  "--format=ctf: accepts only one file without --merge" },
	{ &command_decode, "decode -t ctf -o nosuch/out GOOD", TOOL_FAILED,
	  NULL, "nosuch/out: cannot write: No such file" },
	{ &command_watch, "watch -t ctf", TOOL_USAGE, NULL,
	  "--format=ctf: only for \"user-events decode\"" },
	{ &command_decode, "decode -t chrome --time local GOOD", TOOL_USAGE,
	  NULL, "--time: --format=chrome supports utc only" },
	{ &command_decode, "decode -t json --time local GOOD", TOOL_USAGE, NULL,
	  "--time: --format=json supports utc and clock only without --fields" },
	{ &command_flight, "flight dump black -t dat", TOOL_USAGE, NULL,
	  "--format=dat: requires --output" },
	{ &command_flight, "flight attach black -t dat", TOOL_USAGE, NULL,
	  "--format=dat: only for dump" },
	{ &command_flight, "flight dump --instance x --consume -t dat -o OUT",
	  TOOL_USAGE, NULL,
	  "--format=dat: of an instance of others, use trace-cmd extract" },
	{ &command_flight, "flight dump black -t dat -o OUT -n 1", TOOL_USAGE,
	  NULL, "--format=dat: has all records" },
	{ &command_latency, "latency -r GOOD --key pid", TOOL_USAGE, NULL,
	  "--key: requires --start and --stop" },
	{ &command_export, "export --textfile - -r GOOD --buckets 2,1",
	  TOOL_USAGE, NULL, "--buckets: \"2,1\"" },
};

TEST_LOOP(reads, sizeof(rows) / sizeof(*rows))
{
	ck_assert_int_eq(run(rows[_i].command, rows[_i].line), rows[_i].status);
	if (rows[_i].output)
		ck_assert_msg(strstr(output, rows[_i].output) != NULL, "%s",
			      output);
	else
		ck_assert_str_eq(output, "");
	if (rows[_i].error)
		ck_assert_msg(strstr(errors, rows[_i].error) != NULL, "%s",
			      errors);
	else
		ck_assert_str_eq(errors, "");
}

/* A directory cannot be the output of a session. */
TEST(a_session_has_fewer_formats)
{
	ck_assert_int_eq(run(&command_watch, "watch --help"), TOOL_HELPED);
	ck_assert_ptr_nonnull(strstr(output, " perfetto packets of "));
	ck_assert_ptr_null(strstr(output, " ctf "));
}

TEST(terminals_show_no_packets)
{
	char *words[] = { tool_copy("decode"), tool_copy("-tperfetto"), good,
			  NULL };
	char *path = tool_print("%s.errors", out);

	ck_assert_ptr_nonnull(freopen(path, "w+", stderr));
	/* The other side of a terminal is one, too. */
	ck_assert_ptr_nonnull(freopen("/dev/ptmx", "w", stdout));
	optind = 0;
	ck_assert_int_eq(command_decode.run(3, words), TOOL_USAGE);
	take_text(stderr, errors);
	ck_assert_ptr_nonnull(strstr(
		errors, "--format=perfetto: standard output is a terminal\n"));
	free(path);
	free(words[0]);
	free(words[1]);
}

/* false exits with the status that is a failure of the tool, too. */
TEST(shows_the_result_of_a_failed_command)
{
	fake_perf_file("/sys/devices/system/cpu/online", "0\n");
	fake_perf_tracepoint("user_events", "number", 301);
	ck_assert_int_eq(
		run(&command_stat, "stat --all --by pid number -- false"), 1);
	ck_assert_msg(strstr(output, "COUNT  pid\n") != NULL, "%s%s", output,
		      errors);
	ck_assert_int_eq(run(&command_latency, "latency --all number -- false"),
			 1);
	ck_assert_msg(strstr(output, " START\n") != NULL, "%s%s", output,
		      errors);
}

/* These would wait for a signal, or for the command. */
static const struct {
	const struct tool_command *command;
	const char *line;
	const char *output;
} limited[] = {
	{ &command_watch, "watch number", "" },
	{ &command_top, "top --json number", "\"events\":[" },
	{ &command_stat, "stat number", "seconds" },
	{ &command_stat, "stat --by pid number", "COUNT" },
	{ &command_latency, "latency number", "START" },
	{ &command_export, "export --textfile - number", "build_info" },
	{ &command_record, "record -j -o OUT number", "\"events\":0" },
	{ &command_watch, "watch -t chrome number", "\"traceEvents\":[" },
	{ &command_report, "report -o - number", "<html" },
	{ &command_report, "report -o - --all number -- sleep 9999", "<html" },
	{ &command_stat, "stat --all number -- sleep 9999", "seconds" },
	{ &command_stat, "stat --by pid --all number -- sleep 9999", "COUNT" },
	{ &command_latency, "latency --all number -- sleep 9999", "START" },
	{ &command_export, "export --textfile - --all number -- sleep 9999",
	  "build_info" },
	{ &command_record, "record -j -o OUT --all number -- sleep 9999",
	  "\"events\":0" },
};

TEST_LOOP(stops_after_a_duration, ARRAY_SIZE(limited))
{
	const char *rest = strchr(limited[_i].line, ' ');
	char *line = tool_print("%.*s --duration 1ms%s",
				(int)(rest - limited[_i].line),
				limited[_i].line, rest);

	fake_perf_file("/sys/devices/system/cpu/online", "0\n");
	fake_perf_tracepoint("user_events", "number", 301);
	ck_assert_msg(run(limited[_i].command, line) == TOOL_OK, "%s", errors);
	ck_assert_msg(strstr(output, limited[_i].output) != NULL, "%s%s",
		      output, errors);
	free(line);
}

/* Sums of nanoseconds have more than nine digits. */
TEST(json_keeps_digits)
{
	static const double numbers[] = { 0,	 -7,	 8589934590.0,
					  12e15, 1e300,	 9007199254740993.0,
					  0.1,	 1.0 / 3 };
	struct uev_output json = UEV_OUTPUT_INIT;
	size_t i;

	ck_assert_ptr_nonnull(freopen(out, "w+", stdout));
	out_json_array(&json, NULL);
	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		out_json_real(&json, NULL, numbers[i]);
	out_json_array_end(&json);
	out_json_end(&json);
	take_text(stdout, output);
	ck_assert_str_eq(output, "[0,-7,8589934590,12000000000000000,1e+300,"
				 "9007199254740992,0.1,0.3333333333333333]\n");
}

/* ---- Groups ---- */

/* Pairs of two values each; the last four values are beyond the limit. */
static void write_many(void)
{
	write_records(good, 4 * (QUERY_GROUPS_MAX + 4), false);
}

TEST(counts_values_beyond_the_limit)
{
	write_many();
	ck_assert_int_eq(run(&command_stat, "stat --by number -r GOOD number"),
			 TOOL_OK);
	ck_assert_ptr_nonnull(strstr(output, "\n           8  (other)\n"));
	ck_assert_int_eq(
		run(&command_stat,
		    "stat --by number --value number -j -r GOOD number"),
		TOOL_OK);
	ck_assert_ptr_nonnull(strstr(
		output, "{\"by\":\"6\",\"count\":2,\"values\":2,\"sum\":12,"
			"\"avg\":6,\"min\":6,\"p50\":6,\"p99\":6,\"max\":6},"));
	ck_assert_ptr_nonnull(strstr(
		output, "{\"by\":null,\"count\":8,\"values\":8,\"sum\":8244,"
			"\"avg\":1030.5,\"min\":1029,"));
}

TEST(measures_results_beyond_the_limit)
{
	static const char line[] =
		"latency -r GOOD --start number --stop other --by number";

	write_many();
	ck_assert_int_eq(run(&command_latency, line), TOOL_OK);
	ck_assert_ptr_nonnull(strstr(
		output, "         8        1 ns        1 ns        1 ns        "
			"1 ns        1 ns  (other)\n"));
	ck_assert_ptr_nonnull(
		strstr(output, "\n(other)\n"
			       "      0 ns -       2 ns          8 "
			       "########################################\n"));
}

/* Some records have the fields, but no group of their own. */
TEST(tells_of_missing_fields_beside_others)
{
	struct uev_perf_writer *writer;
	char name[QUERY_GROUP_NAME_MAX + 1];

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(uev_perf_writer_open(&writer, missing, NULL), 0);
	write_header(writer, 1, 0, false, name);
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	ck_assert_int_eq(run(&command_stat,
			     "stat --by event,level -r GOOD -r MISSING"),
			 TOOL_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(output, "\n           1  (other)\n"));
	ck_assert_str_eq(errors, "user-events: --by: 4 records do not have the "
				 "field\n");
}

/* ---- Losses ---- */

/* Each format has them in their place. */
static const struct {
	const char *line;
	const char *output;
} shown[] = {
	{ "decode LOSSY",
	  "0.000001000 [000] 7 user_events:number number=5\n"
	  "0.000001001 [005] 2 records of user_events:other lost: too large for "
	  "perf and BPF (perf_too_large), since 0.000001000\n"
	  "0.000001001 [000] 7 user_events:other size=5\n"
	  "0.000001002 [000] 7 user_events:number number=5\n"
	  "3 records lost: counted by the module, and unknown to perf (missing)\n"
	  "0.000001003 [001] 4 records lost: for a buffer of perf that was full "
	  "(perf_buffer)\n"
	  "0.000001003 [000] 7 user_events:other size=5\n" },
	{ "decode --time delta -n 2 LOSSY",
	  "+0.000000000 [000] 7 user_events:number number=5\n"
	  "+0.000000001 [005] 2 records of user_events:other lost: too large for "
	  "perf and BPF (perf_too_large), since -0.000000001\n"
	  "+0.000000000 [000] 7 user_events:other size=5\n" },
	{ "decode --format json --lines LOSSY",
	  "{\"n\":\"user_events:number\",\"number\":5,\"meta\":{\"time\":0."
	  "000001000,\"cpu\":0,\"pid\":7,\"tid\":7}}\n"
	  "{\"lost\":2,\"event\":\"user_events:other\",\"reason\":"
	  "\"perf_too_large\",\"meta\":{\"since\":0.000001000,\"time\":0."
	  "000001001,\"cpu\":5}}\n"
	  "{\"n\":\"user_events:other\",\"size\":5,\"meta\":{\"time\":0."
	  "000001001,\"cpu\":0,\"pid\":7,\"tid\":7}}\n"
	  "{\"n\":\"user_events:number\",\"number\":5,\"meta\":{\"time\":0."
	  "000001002,\"cpu\":0,\"pid\":7,\"tid\":7}}\n"
	  "{\"lost\":3,\"reason\":\"missing\",\"meta\":{}}\n"
	  "{\"lost\":4,\"reason\":\"perf_buffer\",\"meta\":{\"time\":0."
	  "000001003,\"cpu\":1}}\n"
	  "{\"n\":\"user_events:other\",\"size\":5,\"meta\":{\"time\":0."
	  "000001003,\"cpu\":0,\"pid\":7,\"tid\":7}}\n" },
	{ "decode --format csv -F event,lost,reason,cpu -n 2 LOSSY",
	  "event,lost,reason,cpu\n"
	  "user_events:number,,,0\n"
	  "user_events:other,2,perf_too_large,5\n"
	  "user_events:other,,,0\n" },
	/* A row without these columns would look like a record. */
	{ "decode --format csv -F event,cpu -n 2 LOSSY",
	  "event,cpu\n"
	  "user_events:number,0\n"
	  "user_events:other,0\n" },
	{ "decode --format json --lines -F time,lost,size,since -n 2 LOSSY",
	  "{\"time\":\"0.000001000\",\"lost\":null,\"size\":null,\"since\":"
	  "null}\n"
	  "{\"time\":\"0.000001001\",\"lost\":2,\"size\":null,\"since\":"
	  "\"0.000001000\"}\n"
	  "{\"time\":\"0.000001001\",\"lost\":null,\"size\":5,\"since\":null}"
	  "\n" },
	/* A loss without a time */
	{ "decode --format csv -F time,lost LOSSY",
	  "time,lost\n0.000001000,\n0.000001001,2\n0.000001001,\n"
	  "0.000001002,\n,3\n0.000001003,4\n0.000001003,\n" },
	{ "decode --format logfmt -n 2 LOSSY",
	  "time=0.000001000 cpu=0 pid=7 tid=7 event=user_events:number number=5\n"
	  "time=0.000001001 cpu=5 event=user_events:other lost=2 "
	  "reason=perf_too_large since=0.000001000\n"
	  "time=0.000001001 cpu=0 pid=7 tid=7 event=user_events:other size=5\n" },
};

TEST_LOOP(losses_are_in_their_place, ARRAY_SIZE(shown))
{
	ck_assert_int_eq(run(&command_decode, shown[_i].line), TOOL_INCOMPLETE);
	ck_assert_str_eq(output, shown[_i].output);
}

TEST_LOOP(times_are_dates_or_those_of_the_clock, 2)
{
	const struct uev_clock clock = { .clockid = 1,
					 .wall = 1700000000000000000,
					 .clock = 0 };
	const char *record = _i ? "\"time\":0.000001000,\"cpu\":0"
				: "\"time\":\"2023-11-14T22:13:20.000001000Z\"";
	const char *loss = _i ? "\"time\":0.000001001,\"cpu\":5"
			      : "\"time\":\"2023-11-14T22:13:20.000001001Z\"";

	clock_of_files = &clock;
	write_records(lossy, 4, true);
	clock_of_files = NULL;
	ck_assert_int_eq(run(&command_decode,
			     _i ? "decode -j --lines --time clock LOSSY"
				: "decode -j --lines LOSSY"),
			 TOOL_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(output, record));
	ck_assert_ptr_nonnull(strstr(output, loss));
}

TEST(losses_of_merged_files)
{
	ck_assert_int_eq(run(&command_decode, "decode --merge GOOD LOSSY"),
			 TOOL_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(
		output, "0.000001000 [000] 7 user_events:number number=5\n"
			"0.000001000 [000] 7 user_events:number number=5\n"
			"0.000001001 [005] 2 records of "));
}

TEST(losses_in_a_timeline)
{
	ck_assert_int_eq(run(&command_decode, "decode --format chrome LOSSY"),
			 TOOL_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(
		output,
		"{\"ph\":\"i\",\"ts\":1.001,\"pid\":0,\"tid\":0,"
		"\"name\":\"lost records\",\"cat\":\"lost\",\"s\":\"g\","
		"\"args\":{\"data\":{\"lost\":2,\"event\":\"user_events:other\","));
}

/* Hostile files cannot have a message for each record. */
TEST(bounds_the_reasons_of_losses)
{
	struct uev_loss loss = { .count = 3 };
	struct uev_perf_writer *writer;
	size_t i;

	ck_assert_int_eq(uev_perf_writer_open(&writer, missing, NULL), 0);
	for (i = 0; i < QUERY_GROUPS_MAX + 2; i++) {
		snprintf(loss.reason, sizeof(loss.reason), "reason_%zu", i);
		ck_assert_int_eq(uev_perf_writer_loss(writer, &loss), 0);
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
	ck_assert_int_eq(run(&command_decode, "decode -t csv MISSING"),
			 TOOL_INCOMPLETE);
	ck_assert_ptr_nonnull(strstr(
		errors, "user-events: 6 records lost: of other events\n"));
}

/* Also by commands whose output has no place for them */
static const struct {
	const struct tool_command *command;
	const char *line;
} told[] = {
	{ &command_decode, "decode --format csv LOSSY" },
	{ &command_stat, "stat --by pid -r LOSSY" },
	{ &command_export, "export --textfile OUT -r LOSSY" },
	{ &command_report, "report -o OUT LOSSY" },
};

TEST_LOOP(reasons_are_told_at_the_end, ARRAY_SIZE(told))
{
	ck_assert_int_eq(run(told[_i].command, told[_i].line), TOOL_INCOMPLETE);
	ck_assert_ptr_nonnull(
		strstr(errors, "9 records lost during recording\n"));
	ck_assert_ptr_nonnull(
		strstr(errors, "4 records lost: for a buffer of perf that was "
			       "full (perf_buffer)\n"));
	ck_assert_ptr_nonnull(strstr(
		errors, "2 records lost: user_events:other: too large for "
			"perf and BPF (perf_too_large)\n"));
}
