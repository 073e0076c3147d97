// SPDX-License-Identifier: MIT
/*
 * A text is the same in all outputs, whether its location counts from the end of
 * its word or from the start of the entry, and with headers of both sizes.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/user_events.h>
#include <userevents/session.h>

#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "tool.h"
#include "util/common.h"

#define WORDS_MAX 16
#define OUTPUT_MAX (1 << 17)

#define FORMAT_MAX 1024

/* A header of 12 bytes has another member, and padding. */
#define LARGE_HEADER 12
#define COMMON                                                                 \
	"name: order\nID: 77\nformat:\n"                                       \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"      \
	"\tsigned:0;\n"                                                        \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
#define COMMON_MORE                                                            \
	"\tfield:unsigned char common_preempt_lazy_count;\toffset:8;\tsize:1;" \
	"\tsigned:0;\n"

static const struct {
	size_t header;
	bool is_relative;
} kinds[] = {
	{ 8, false },
	{ 8, true },
	{ LARGE_HEADER, false },
	{ LARGE_HEADER, true },
};

static const char *const texts[] = { "first", "", "l\xc3\xb6ng, \"quoted\"\n" };

static char input[96], written[96], out[96], errors[112];

static void append(char *to, uint32_t word, size_t *size)
{
	memcpy(to + *size, &word, sizeof(word));
	*size += sizeof(word);
}

/* A record with a text, a number and bytes. Return: its size */
static size_t fill(char *raw, size_t kind, const char *text, uint32_t number)
{
	const size_t header = kinds[kind].header;
	const size_t text_size = strlen(text) + 1;
	size_t size = header, data = header + 12;

	memset(raw, 0, header);
	raw[0] = 77;
	raw[4] = 7;
	append(raw,
	       DYN_LOC(kinds[kind].is_relative ? data - (size + 4) : data,
		       text_size),
	       &size);
	append(raw, number, &size);
	data += text_size;
	append(raw,
	       DYN_LOC(kinds[kind].is_relative ? data - (size + 4) : data, 2),
	       &size);
	memcpy(raw + size, text, text_size);
	memcpy(raw + size + text_size, "\1\xff", 2);

	return size + text_size + 2;
}

static void write_file(size_t kind)
{
	const char *location = kinds[kind].is_relative ? "__rel_loc"
						       : "__data_loc";
	const size_t header = kinds[kind].header;
	char format[FORMAT_MAX], raw[256];
	struct uev_source source = { .system = "user_events",
				     .name = "order",
				     .format = format,
				     .id = 77 };
	struct uev_sample sample = {
		.source = &source,
		.raw = raw,
		.flags = UEV_HAS_TIME | UEV_HAS_TID | UEV_HAS_CPU,
		.pid = 7,
		.tid = 7,
	};
	struct uev_perf_writer *writer;
	size_t i;

	source.format_size = (size_t)snprintf(
		format, sizeof(format),
		COMMON "%s\n\tfield:%s char[] text;\toffset:%zu;\tsize:4;"
		       "\tsigned:1;\n\tfield:u32 number;\toffset:%zu;\tsize:4;"
		       "\tsigned:0;\n\tfield:%s u8[] bytes;\toffset:%zu;"
		       "\tsize:4;\tsigned:1;\n\nprint fmt: \"\"\n",
		header == LARGE_HEADER ? COMMON_MORE : "", location, header,
		header + 4, location, header + 8);
	ck_assert_uint_lt(source.format_size, sizeof(format));
	ck_assert_int_eq(uev_perf_writer_open(&writer, input, NULL), 0);
	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		sample.raw_size = fill(raw, kind, texts[i], (uint32_t)i);
		sample.time = 1000 * (i + 1);
		ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

static void set_up(void)
{
	fake_perf_begin();
	snprintf(input, sizeof(input), "%s/input", fake_perf.root);
	snprintf(written, sizeof(written), "%s/written", fake_perf.root);
	snprintf(out, sizeof(out), "%s/out", fake_perf.root);
	snprintf(errors, sizeof(errors), "%s/errors", fake_perf.root);
}

static void tear_down(void)
{
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

/* Returns the content of a file, for free(). */
static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, OUTPUT_MAX);

	ck_assert_ptr_nonnull(file);
	ck_assert_ptr_nonnull(text);
	*size = fread(text, 1, OUTPUT_MAX - 1, file);
	ck_assert_uint_lt(*size, OUTPUT_MAX - 1);
	fclose(file);

	return text;
}

/* Runs a command line; IN and OUT are the paths of files. */
static void run(const struct tool_command *command, const char *line)
{
	char *words[WORDS_MAX + 1] = { NULL }, *copy = tool_copy(line);
	char *rest = copy, *word;
	int count = 0;

	while ((word = strsep(&rest, " ")) && count < WORDS_MAX)
		words[count++] = strcmp(word, "IN") == 0    ? input
				 : strcmp(word, "OUT") == 0 ? written
							    : word;
	ck_assert_ptr_nonnull(freopen(out, "w+", stdout));
	ck_assert_ptr_nonnull(freopen(errors, "w+", stderr));
	optind = 0;
	ck_assert_int_eq(command->run(count, words), TOOL_OK);
	fflush(stdout);
	free(copy);
}

/* The page has a random number beside its data. */
static void keep_data(char *text, size_t *size)
{
	const char *begin = strstr(text, "id=\"data\">");
	const char *end = begin ? strstr(begin, "</script>") : NULL;

	ck_assert_ptr_nonnull(end);
	*size = (size_t)(end - begin);
	memmove(text, begin, *size);
	text[*size] = '\0';
}

static const struct {
	const struct tool_command *command;
	const char *line;
	const char *output; /* file; NULL: standard output */
	const char *part;
} rows[] = {
	{ &command_decode, "decode IN", NULL,
	  "text=\"first\" number=0 bytes=" },
	{ &command_decode, "decode --format json IN", NULL,
	  "\"text\": \"l\xc3\xb6ng, \\\"quoted\\\"\\n\"" },
	{ &command_decode, "decode --format csv IN", NULL, "first" },
	{ &command_decode, "decode --format logfmt IN", NULL, "text=first" },
	{ &command_decode, "decode --format chrome IN", NULL, "first" },
	{ &command_decode, "decode --format ctf -o OUT IN", "written/metadata",
	  "string _text" },
	{ &command_decode, "decode --format ctf -o OUT IN", "written/stream_0",
	  "first" },
	{ &command_decode, "decode --where text==\"first\" IN", NULL,
	  "number=0" },
	{ &command_decode, "decode -F text,bytes IN", NULL, "first" },
	{ &command_stat, "stat --by text -r IN", NULL, "first" },
	{ &command_report, "report IN", "input.html", "first" },
};

/* The first kind has the expected text in its output, and the others the same. */
TEST_LOOP(same_output, (int)ARRAY_SIZE(rows))
{
	char path[256], *first = NULL, *text;
	size_t kind, size, first_size = 0;

	for (kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		write_file(kind);
		run(rows[_i].command, rows[_i].line);
		snprintf(path, sizeof(path), "%s/%s", fake_perf.root,
			 rows[_i].output ? rows[_i].output : "out");
		text = read_file(path, &size);
		if (rows[_i].command == &command_report)
			keep_data(text, &size);
		if (!first) {
			ck_assert_msg(memmem(text, size, rows[_i].part,
					     strlen(rows[_i].part)),
				      "%s: not %s, but: %s", rows[_i].line,
				      rows[_i].part, text);
			first = text;
			first_size = size;
		} else {
			ck_assert_uint_eq(size, first_size);
			ck_assert_msg(!memcmp(text, first, size),
				      "%s: differs for kind %zu", rows[_i].line,
				      kind);
			free(text);
		}
		fake_perf_remove("/written");
		fake_perf_remove("/input.html");
	}
	free(first);
}
