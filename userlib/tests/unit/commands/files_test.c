// SPDX-License-Identifier: MIT
/* Commands that read a file and write another one. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <userevents/session.h>

#include "files.h"
#include "lib/decode_formats.h"
#include "lib/fake_sys_perf.h"
#include "lib/runner.h"
#include "ui/options.h"
#include "tool.h"

#define ARGUMENTS_MAX 16
#define RECORDS 3

static char *input;

static void write_input(void)
{
	static const char format[] =
		"name: number\nID: 77\n" COMMON_FIELDS
		"\tfield:u32 number;\toffset:8;\tsize:4;\tsigned:0;\n\n"
		"print fmt: \"%u\", REC->number\n";
	static const struct uev_source source = {
		.system = "user_events",
		.name = "number",
		.format = format,
		.format_size = sizeof(format) - 1,
		.id = 77,
	};
	const struct {
		uint32_t id;
		int32_t pid;
		uint32_t number;
	} raw = { .id = 77, .number = 5 };
	struct uev_perf_writer *writer;
	size_t i;

	ck_assert_int_eq(uev_perf_writer_open(&writer, input, NULL), 0);
	for (i = 0; i < RECORDS; i++) {
		const struct uev_sample sample = {
			.source = &source,
			.raw = &raw,
			.raw_size = sizeof(raw),
			.flags = UEV_HAS_TIME,
			.time = 1000000 + i,
		};

		ck_assert_int_eq(uev_perf_writer_record(writer, &sample), 0);
	}
	ck_assert_int_eq(uev_perf_writer_finish(writer), 0);
}

static void set_up(void)
{
	fake_perf_begin();
	input = tool_print("%s/input", fake_perf.root);
	write_input();
}

static void tear_down(void)
{
	free(input);
	fake_perf_end();
}

TEST_FIXTURE(set_up, tear_down);

/* Runs a command in the directory of the input, and returns its exit status. */
static int run(const struct tool_command *command, const char *words)
{
	char *copy = tool_copy(words), *rest = copy;
	char *arguments[ARGUMENTS_MAX] = { (char *)command->name };
	int count = 1, status;

	ck_assert_int_eq(chdir(fake_perf.root), 0);
	while ((arguments[count] = strsep(&rest, " ")))
		count++;
	/* Also resets the position in a group of letters. */
	optind = 0;
	status = command->run(count, arguments);
	ck_assert_int_eq(chdir("/"), 0);
	free(copy);

	return status;
}

static char *read_file(const char *path, size_t *size)
{
	char *text;

	ck_assert_int_eq(files_read(path, &text, size), 0);

	return text;
}

/* The options before the output */
static const struct {
	const struct tool_command *command;
	const char *options;
} outputs[] = {
	{ &command_decode, "input -o" },
	{ &command_decode, "--merge other input -o" },
	{ &command_decode, "--format=perfetto input -o" },
	{ &command_decode, "- -o" },
	{ &command_report, "input -o" },
	{ &command_export, "--read other --read input --textfile" },
};

static const char *const names[] = { "input", "link", "hard" };

/* Neither under its own name nor another one */
TEST_LOOP(never_replaces_an_input, ARRAY_SIZE(outputs) * ARRAY_SIZE(names))
{
	size_t row = (size_t)_i / ARRAY_SIZE(names), size, new_size;
	_cleanup_free_ char *before = read_file(input, &size);
	_cleanup_free_ char *after = NULL;
	_cleanup_free_ char *words =
		tool_print("%s %s", outputs[row].options,
			   names[(size_t)_i % ARRAY_SIZE(names)]);

	ck_assert_int_eq(chdir(fake_perf.root), 0);
	ck_assert_int_eq(link("input", "other"), 0);
	ck_assert_int_eq(link("input", "hard"), 0);
	ck_assert_int_eq(symlink("input", "link"), 0);
	ck_assert_ptr_nonnull(freopen(input, "r", stdin));
	ck_assert_int_eq(run(outputs[row].command, words), TOOL_FAILED);
	after = read_file(input, &new_size);
	ck_assert_uint_eq(new_size, size);
	ck_assert_mem_eq(after, before, size);
}

/* Another file, an existing one, too, and devices that are both */
TEST(writes_other_files)
{
	ck_assert_int_eq(run(&command_decode, "input -o out"), TOOL_OK);
	ck_assert_int_eq(run(&command_decode, "input -o out"), TOOL_OK);
	ck_assert_int_eq(run(&command_report, "input"), TOOL_OK);
	ck_assert_int_eq(run(&command_export, "--read input --textfile out"),
			 TOOL_OK);
	ck_assert_ptr_nonnull(freopen("/dev/null", "r", stdin));
	ck_assert_int_eq(run(&command_decode, "input - -o /dev/null"),
			 TOOL_INCOMPLETE);
}
