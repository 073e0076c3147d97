// SPDX-License-Identifier: MIT
/* Options whose rows say which member they set, and options of actions. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/runner.h"
#include "ui/actions.h"
#include "ui/options.h"
#include "ui/out.h"

enum shape {
	ROUND = 0,
	FLAT,
	LONG_AND_FLAT,
};

/* Actions */
enum {
	DRAW,
	ERASE,
};

struct members {
	bool is_open;
	unsigned int how;
	const char *path;
	uint64_t count;
	uint64_t size;
	uint64_t time;
	enum shape shape;
	int taken;
	int drawn;
	struct nested {
		uint64_t depth;
		const char *name;
	} in;
};

static int take(void *taken, const struct tool_argument *argument)
{
	ck_assert_str_eq(argument->option->name, "take");
	*(int *)taken += (int)strlen(argument->text);

	return strcmp(argument->text, "bad") ? TOOL_OK : TOOL_FAILED;
}

static int take_all(void *data, const struct tool_argument *argument)
{
	struct members *members = data;

	ck_assert_ptr_null(argument->text);
	members->is_open = true;
	members->taken = 1;

	return TOOL_OK;
}

static const struct tool_option rows[] = {
	{ "open", 'o', NULL, "help", SET_FLAG(struct members, is_open) },
	{ "wide", 0, NULL, "help", SET_BITS(struct members, how, 1 << 2) },
	{ "flat", 0, NULL, "help", SET_VALUE(struct members, shape, FLAT) },
	{ "high", 0, NULL, "help", SET_BITS(struct members, how, 1 << 4) },
	{ "path", 'p', "FILE", "help", SET_TEXT(struct members, path, "@file"),
	  1 << DRAW },
	{ "count", 'n', "N", "help", SET_NUMBER(struct members, count, 2, 9) },
	{ "size", 0, "SIZE", "help",
	  SET_SIZE(struct members, size, 1, UINT64_MAX) },
	{ "time", 0, "TIME", "help",
	  SET_TIME(struct members, time, 10, 60000) },
	{ "shape", 0, "SHAPE", "help",
	  SET_WORD(struct members, shape, "round flat long") },
	{ "take", 0, "N", "help", SET_BY(struct members, taken, take, NULL) },
	{ "everything", 0, NULL, "help", SET_WITH(take_all, NULL) },
	OPTION_COLORS,
	{ 0 },
};

/* A table that several commands have, at their own offsets */
static const struct tool_option nested_rows[] = {
	{ "depth", 'd', "N", "help", SET_NUMBER(struct nested, depth, 0, 9) },
	{ "name", 0, "NAME", "help", SET_TEXT(struct nested, name, "@event") },
	{ 0 },
};

static const struct tool_command command = {
	.name = "test",
	.arguments = "",
	.summary = "Test",
	.help = "",
	.options = OPTION_TABLES({ rows },
				 { nested_rows, offsetof(struct members, in) }),
};

/* Errors are printed there, to keep the output of the tests clean. */
static void setup(void)
{
	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
}

TEST_FIXTURE(setup, NULL);

static int count_arguments(char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	optind = 0;

	return argc;
}

/* Parses arguments that end with NULL; the first one is the command. */
static int parse(struct members *members, char **argv)
{
	return tool_parse_common(&command, members, count_arguments(argv),
				 argv);
}

#define PARSE(members, ...) \
	parse(members, (char *[]){ "test", __VA_ARGS__, NULL })

TEST(an_option_sets_its_member)
{
	struct members members = { 0 };

	ck_assert_int_eq(PARSE(&members, "-o", "--wide", "--high", "-pname",
			       "--count=9", "--size", "2K", "--time", "1.5",
			       "--shape", "long", "--take", "abc"),
			 TOOL_OK);
	ck_assert(members.is_open);
	ck_assert_uint_eq(members.how, 1 << 2 | 1 << 4);
	ck_assert_str_eq(members.path, "name");
	ck_assert_uint_eq(members.count, 9);
	ck_assert_uint_eq(members.size, 2048);
	ck_assert_uint_eq(members.time, 1500);
	ck_assert_int_eq(members.shape, LONG_AND_FLAT);
	ck_assert_int_eq(members.taken, 3);
}

TEST(an_option_sets_the_whole_or_a_part)
{
	struct members members = { 0 };

	ck_assert_int_eq(PARSE(&members, "--everything", "-d7", "--name=a"),
			 TOOL_OK);
	ck_assert(members.is_open);
	ck_assert_int_eq(members.taken, 1);
	ck_assert_uint_eq(members.in.depth, 7);
	ck_assert_str_eq(members.in.name, "a");
	ck_assert_int_eq(PARSE(&members, "--shape=long", "--flat"), TOOL_OK);
	ck_assert_int_eq(members.shape, FLAT);
	ck_assert_int_eq(PARSE(&members, "--take", "bad", "-d8"), TOOL_FAILED);
	ck_assert_uint_eq(members.in.depth, 7);
}

static const char *const refused[] = {
	"--count=1", "--count=10",    "--count=x",    "--count=",
	"--size=0",  "--size=1X",     "--time=9ms",   "--time=2m",
	"--shape=",  "--shape=flat ", "--shape=roun", "--path",
	"--open=1",  "--unknown",     "--depth=10",   "--color=red",
};

TEST_LOOP(an_argument_out_of_range_is_refused, ARRAY_SIZE(refused))
{
	struct members members = { 0 };
	char *argument = tool_copy(refused[_i]);

	ck_assert_int_eq(PARSE(&members, argument), TOOL_USAGE);
	free(argument);
}

/* Returns what the completion of an option prints. */
static const char *complete(const char *option, int status)
{
	static char text[64];
	FILE *file = tmpfile();

	ck_assert_ptr_nonnull(file);
	fflush(stdout);
	ck_assert_int_ge(dup2(fileno(file), STDOUT_FILENO), 0);
	ck_assert_int_eq(tool_complete(&command, option), status);
	out_flush();
	rewind(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);

	return text;
}

TEST(an_option_with_an_argument_is_completed)
{
	ck_assert_str_eq(complete("--shape", TOOL_OK), "round flat long\n");
	ck_assert_str_eq(complete("-p", TOOL_OK), "@file\n");
	ck_assert_str_eq(complete("-n", TOOL_OK), "");
	ck_assert_str_eq(complete("--name", TOOL_OK), "@event\n");
	ck_assert_str_eq(complete("--color", TOOL_OK), "auto always never\n");
	ck_assert_str_eq(complete("--open", TOOL_FAILED), "");
	ck_assert_str_eq(complete("--sha", TOOL_FAILED), "");
	ck_assert_str_eq(complete("-x", TOOL_FAILED), "");
	ck_assert_str_eq(complete("word", TOOL_FAILED), "");
}

/* ---- Actions ---- */

static int draw(void *data, char **arguments, size_t count)
{
	struct members *members = data;

	members->drawn = (int)count;
	ck_assert(!count || strcmp(arguments[0], "a") == 0);

	return TOOL_INCOMPLETE;
}

static int act(struct members *members, char **argv)
{
	static const struct tool_action table[] = {
		[DRAW] = { "draw", 0, 2, "up to two names", draw },
		[ERASE] = { "erase", 1, 1, "a name", draw },
	};
	const struct tool_actions actions = { table, ARRAY_SIZE(table),
					      1 << DRAW | 1 << ERASE };

	return tool_run_action(&command, &actions, members,
			       count_arguments(argv), argv);
}

#define ACT(members, ...) act(members, (char *[]){ "test", __VA_ARGS__, NULL })

TEST(an_action_gets_its_arguments_and_options)
{
	struct members members = { .drawn = -1 };

	ck_assert_int_eq(ACT(&members, "draw", "-pname", "a", "--take=ab", "b"),
			 TOOL_INCOMPLETE);
	ck_assert_int_eq(members.drawn, 2);
	ck_assert_str_eq(members.path, "name");
	ck_assert_int_eq(members.taken, 2);
	ck_assert_int_eq(ACT(&members, "-o", "erase", "a", "--color=never"),
			 TOOL_INCOMPLETE);
	ck_assert_int_eq(members.drawn, 1);
	ck_assert(members.is_open);
}

TEST(an_action_refuses_what_it_does_not_have)
{
	struct members members = { .drawn = -1 };

	ck_assert_int_eq(ACT(&members, "erase", "a", "--path=b"), TOOL_USAGE);
	ck_assert_int_eq(ACT(&members, "erase"), TOOL_USAGE);
	ck_assert_int_eq(ACT(&members, "erase", "a", "b"), TOOL_USAGE);
	ck_assert_int_eq(ACT(&members, "draw", "a", "b", "c"), TOOL_USAGE);
	ck_assert_int_eq(ACT(&members, "paint"), TOOL_USAGE);
	ck_assert_int_eq(ACT(&members, "-o"), TOOL_USAGE);
	ck_assert_int_eq(members.drawn, -1);
}
