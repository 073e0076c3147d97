// SPDX-License-Identifier: MIT
/* Options of the commands that collect records. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/nearest.h"
#include "capture/options.h"
#include "capture/pids.h"
#include "lib/file_tree.h"
#include "lib/runner.h"

/* Errors are printed there, to keep the output of the tests clean. */
static void setup(void)
{
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
}

TEST_FIXTURE(setup, NULL);

static const struct tool_option rows[] = {
	{ "all", 'a', NULL, "help",
	  SET_FLAG(struct capture_options, everywhere) },
	{ "buffer-size", 'm', "SIZE", "help",
	  SET_SIZE(struct capture_options, buffer_size, 1,
		   CAPTURE_BUFFER_SIZE_MAX) },
	{ "snapshot", 0, "[SIZE]", "help",
	  SET_WITH(capture_take_snapshot, NULL) },
	{ 0 },
};

static const struct tool_command command = {
	.name = "test",
	.arguments = "",
	.summary = "Test",
	.help = "",
	.options = OPTION_TABLES({ rows }, { capture_option_rows }),
};

/* Parses arguments that end with NULL; the first one is the command. */
static int parse(char **argv, struct capture_options *options)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	optind = 0;

	return capture_parse(&command, options, argc, argv, options);
}

/* Parses one option with an argument. */
static int take(struct capture_options *options, int letter,
		const char *argument)
{
	char *option = tool_print("-%c", letter);
	char *copy = tool_copy(argument);
	char *argv[] = { "watch", option, copy, NULL };
	int status = parse(argv, options);

	free(option);
	free(copy);

	return status;
}

TEST(processes)
{
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(take(&options, 'p', "7"), TOOL_OK);
	ck_assert_int_eq(take(&options, 'p', "1,4194304"), TOOL_OK);
	ck_assert_uint_eq(options.pids.count, 3);
	ck_assert_int_eq(options.pids.pids[0], 7);
	ck_assert_int_eq(options.pids.pids[1], 1);
	ck_assert_int_eq(options.pids.pids[2], 4194304);
	capture_options_release(&options);
}

TEST(processes_by_name)
{
	struct capture_pids pids = { 0 };
	char *own = tool_print("/%d/comm", (int)getpid());

	file_tree_begin();
	file_tree_file("/7/comm", "server\n");
	file_tree_file("/12/comm", "server2\n");
	file_tree_file("/13/comm", "a-long-name-of-\n");
	file_tree_file("/15/comm", "server\n");
	file_tree_file(own, "server\n");
	file_tree_file("/self/comm", "server\n");
	ck_assert_int_eq(capture_pids_add(&pids, "server", file_tree_root()),
			 0);
	ck_assert_int_eq(capture_pids_add(&pids, "a-long-name-of-15-bytes",
					  file_tree_root()),
			 0);
	ck_assert_int_eq(capture_pids_add(&pids, "serve", file_tree_root()),
			 -ESRCH);
	file_tree_end();
	ck_assert_uint_eq(pids.count, 3);
	ck_assert_int_eq(pids.pids[0] + pids.pids[1], 7 + 15);
	ck_assert_int_eq(pids.pids[2], 13);
	free(pids.pids);
	free(own);
}

TEST(rejects_names_of_no_process)
{
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(take(&options, 'p', "no such name"), TOOL_FAILED);
	capture_options_release(&options);
}

static const struct {
	const char *one;
	const char *other;
	unsigned int distance;
} distances[] = {
	{ "", "", 0 },
	{ "", "abc", 3 },
	{ "abc", "", 3 },
	{ "abc", "abc", 0 },
	{ "abc", "abd", 1 },
	{ "abc", "ac", 1 },
	{ "abc", "xabc", 1 },
	{ "req_strat", "req_start", 1 },
	{ "kitten", "sitting", 3 },
	{ "ba", "ab", 1 },
};

TEST_LOOP(distances_of_names, ARRAY_SIZE(distances))
{
	ck_assert_uint_eq(capture_distance(distances[_i].one,
					   distances[_i].other),
			  distances[_i].distance);
	ck_assert_uint_eq(capture_distance(distances[_i].other,
					   distances[_i].one),
			  distances[_i].distance);
}

/* As long as the kernel accepts, and longer. */
TEST(distances_of_long_names)
{
	char name[300];

	memset(name, 'x', sizeof(name));
	name[255] = '\0';
	ck_assert_uint_eq(capture_distance("x", name), 254);
	name[255] = 'x';
	name[299] = '\0';
	ck_assert_uint_eq(capture_distance("x", name), UINT32_MAX);
	ck_assert_uint_eq(capture_distance(name, "x"), 298);
}

TEST(processors)
{
	static const unsigned int expected[] = { 0, 1, 2, 3, 6, 5 };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(take(&options, 'C', "0-3,6"), TOOL_OK);
	ck_assert_int_eq(take(&options, 'C', "5-5"), TOOL_OK);
	ck_assert_uint_eq(options.cpu_count, 6);
	ck_assert_mem_eq(options.cpus, expected, sizeof(expected));
	capture_options_release(&options);
}

TEST(sizes_of_buffers)
{
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(take(&options, 'm', "512K"), TOOL_OK);
	ck_assert_uint_eq(options.buffer_size, 512 * 1024);
	ck_assert_int_eq(take(&options, 'm', "1G"), TOOL_OK);
	ck_assert_uint_eq(options.buffer_size, 1 << 30);
}

static const struct {
	int option;
	const char *argument;
} wrong[] = {
	{ 'p', "" },	  { 'p', "0" },	  { 'p', "1," },    { 'p', "4194305" },
	{ 'C', "" },	  { 'C', "3-1" }, { 'C', "1-" },    { 'C', "-1" },
	{ 'C', "1,,2" },  { 'C', "a" },	  { 'C', "65536" }, { 'm', "0" },
	{ 'm', "1025M" }, { 'm', "4X" },  { 'm', "" },
};

TEST_LOOP(rejects_invalid_arguments, ARRAY_SIZE(wrong))
{
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(take(&options, wrong[_i].option, wrong[_i].argument),
			 TOOL_USAGE);
	capture_options_release(&options);
}

TEST(accepts_a_command_after_two_dashes)
{
	char *argv[] = { "stat", "-m", "5",  "a*", "--",
			 "ls",	 "-m", "--", "x",  NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	options.takes_command = true;
	ck_assert_int_eq(parse(argv, &options), TOOL_OK);
	ck_assert_uint_eq(options.buffer_size, 5);
	ck_assert_uint_eq(options.pattern_count, 1);
	ck_assert_ptr_eq(options.command, argv + 5);
}

/* Then all that follows is a pattern. */
TEST(two_dashes_without_command)
{
	char *argv[] = { "watch", "--", "-m", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(parse(argv, &options), TOOL_OK);
	ck_assert_ptr_null(options.command);
	ck_assert_uint_eq(options.pattern_count, 1);
	ck_assert_str_eq(options.patterns[0], "-m");
}

TEST(rejects_a_command)
{
	char *argv[] = { "watch", "hello", "-m", "5", "--", "ls", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(parse(argv, &options), TOOL_USAGE);
	options.takes_command = true;
	ck_assert_int_eq(parse(argv, &options), TOOL_OK);
}

TEST(rejects_two_dashes_at_the_end)
{
	char *argv[] = { "stat", "a*", "--", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	options.takes_command = true;
	ck_assert_int_eq(parse(argv, &options), TOOL_USAGE);
}

TEST(rejects_unknown_options)
{
	char *argv[] = { "stat", "-x", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(parse(argv, &options), TOOL_USAGE);
}

TEST(no_pattern_matches_all)
{
	char *argv[] = { "watch", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(parse(argv, &options), TOOL_OK);
	ck_assert(options.is_default);
	ck_assert_uint_eq(options.pattern_count, 1);
	ck_assert_str_eq(options.patterns[0], "*");
}

TEST(patterns)
{
	char *argv[] = { "watch", "hello", "sched:*", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(parse(argv, &options), TOOL_OK);
	ck_assert(!options.is_default);
	ck_assert_uint_eq(options.pattern_count, 2);
	ck_assert_str_eq(options.patterns[1], "sched:*");
}

TEST_LOOP(rejects_invalid_patterns, 4)
{
	static char *const bad[] = { "", ":", "a:", ":a" };
	char *argv[] = { "watch", bad[_i], NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(parse(argv, &options), TOOL_USAGE);
}

TEST(rejects_process_with_command)
{
	char *argv[] = { "stat", "-p", "1", "hello", "--", "ls", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	options.takes_command = true;
	ck_assert_int_eq(parse(argv, &options), TOOL_USAGE);
	capture_options_release(&options);
}

TEST(all_is_the_default_without_a_command)
{
	char *with[] = { "stat", "-a", "hello", "--", "ls", NULL };
	char *pids[] = { "stat", "-a", "-p", "1", NULL };
	char *without[] = { "stat", "-a", "hello", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	options.takes_command = true;
	ck_assert_int_eq(parse(with, &options), TOOL_OK);
	options.command = NULL;
	ck_assert_int_eq(parse(without, &options), TOOL_OK);
	ck_assert_int_eq(parse(pids, &options), TOOL_USAGE);
	capture_options_release(&options);
}

static const struct {
	const char *option;
	unsigned int share;
} snapshots[] = {
	{ "--snapshot", 2 * 1024 * 1024 },
	{ "--snapshot=1G", 512 * 1024 * 1024 },
	{ "--snapshot=1", 1 },
};

/* The processors share the bytes. */
TEST_LOOP(snapshots, ARRAY_SIZE(snapshots))
{
	char *option = tool_copy(snapshots[_i].option);
	char *argv[] = { "record", option, "-C0,1", NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;
	struct uev_session_options session;
	const pid_t none = 0;

	ck_assert_int_eq(parse(argv, &options), TOOL_OK);
	ck_assert(options.is_snapshot);
	capture_session_options(&session, &options, &none);
	ck_assert_uint_eq(session.buffer_size, snapshots[_i].share);
	ck_assert(session.flags & UEV_SESSION_OVERWRITE);
	capture_options_release(&options);
	free(option);
}

TEST_LOOP(rejects_sizes_of_snapshots, 2)
{
	static char *const sizes[] = { "--snapshot=0", "--snapshot=1025M" };
	char *argv[] = { "record", sizes[_i], NULL };
	struct capture_options options = CAPTURE_OPTIONS_INIT;

	ck_assert_int_eq(parse(argv, &options), TOOL_USAGE);
}

TEST(clocks)
{
	int32_t clockid = -9;

	ck_assert(capture_clock_parse("CLOCK_MONOTONIC", &clockid));
	ck_assert_int_eq(clockid, CLOCK_MONOTONIC);
	ck_assert(capture_clock_parse("monotonic_raw", &clockid));
	ck_assert_int_eq(clockid, CLOCK_MONOTONIC_RAW);
	ck_assert(capture_clock_parse("perf", &clockid));
	ck_assert_int_eq(clockid, -1);
	ck_assert(!capture_clock_parse("mono", &clockid));
	ck_assert(!capture_clock_parse("realtime", &clockid));
	ck_assert(!capture_clock_parse("", &clockid));
}
