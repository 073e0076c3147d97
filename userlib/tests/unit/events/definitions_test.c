// SPDX-License-Identifier: MIT
/* Definitions of events from users, and their errors. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <userevents/eventheader-types.h>

#include "events/create.h"
#include "events/definitions.h"
#include "lib/printed.h"
#include "lib/runner.h"
#include "tool.h"

static const struct {
	const char *text;
	const char *command;
} good[] = {
	{ "door u32 a;u8 b", "door u32 a; u8 b" },
	{ "  door u32 a \t\n", "door u32 a" },
	{ "u:door u32 a", "door u32 a" },
	{ "u: door", "door" },
	{ "My_Provider_L4K1", "My_Provider_L4K1 " UEV_EVENTHEADER_TYPES },
	{ "u:P_LffK1234Gx ", "P_LffK1234Gx " UEV_EVENTHEADER_TYPES },
	/* With fields of its own it is as any other. */
	{ "My_Provider_L4K1 u8 a", "My_Provider_L4K1 u8 a" },
	{ "My_Provider_L0K1", "My_Provider_L0K1 " UEV_EVENTHEADER_TYPES },
	{ "My_Provider_L04KFF", "My_Provider_L04KFF " UEV_EVENTHEADER_TYPES },
};

TEST_LOOP(accepts_valid_definitions, ARRAY_SIZE(good))
{
	char command[UEV_COMMAND_MAX + 1];
	const char *reason;
	size_t offset;

	ck_assert_int_eq(
		definition_read(command, good[_i].text, &offset, &reason), 0);
	ck_assert_str_eq(command, good[_i].command);
}

/* A socket cannot be opened by its name. */
TEST(reads_standard_input)
{
	struct definitions wanted = { 0 };
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	ck_assert_int_eq(dup2(pair[0], STDIN_FILENO), STDIN_FILENO);
	ck_assert_int_eq(write(pair[1], "door u32 a\n", 11), 11);
	close(pair[1]);
	ck_assert_int_eq(events_read_file(&wanted, "-"), 0);
	ck_assert_uint_eq(wanted.count, 1);
	ck_assert_str_eq(wanted.definitions[0].source, "stdin");
	definitions_free(&wanted);
	/* It stays open. */
	ck_assert_int_eq(close(STDIN_FILENO), 0);
	close(pair[0]);
}

static const struct {
	const char *text;
	size_t offset;
	const char *reason;
} bad[] = {
	{ "", 0, "missing" },
	{ "u:", 2, "missing" },
	{ "door color a", 5, "unknown type" },
	{ "u:door color a", 7, "unknown type" },
	{ "door char a[4]", 11, "the size of an array follows its type" },
	{ "u:door u8 a; u8 b[4]; u8 c", 17,
	  "the size of an array follows its type" },
	{ "  u:  door u32", 14, "a type and a name" },
	{ "door u32 a # number", 11, "comment" },
	{ "do#or", 2, "comment" },
};

TEST_LOOP(rejects_invalid_definitions, ARRAY_SIZE(bad))
{
	char command[UEV_COMMAND_MAX + 1];
	const char *reason;
	size_t offset;

	ck_assert_int_eq(definition_read(command, bad[_i].text, &offset,
					 &reason),
			 -EINVAL);
	ck_assert_uint_eq(offset, bad[_i].offset);
	ck_assert_ptr_nonnull(strstr(reason, bad[_i].reason));
}

static const struct {
	const char *text;
	const char *line;
} with_rights[] = {
	{ "door u32 a", "door u32 a" },
	{ "door:uid=7,gid=8,mode=0660 u32 a;u8 b",
	  "door:uid=7,gid=8,mode=0660 u32 a; u8 b" },
	/* What is missing is root's, for all users to register. */
	{ " u:door:mode=6 u32 a ", "door:uid=0,gid=0,mode=0006 u32 a" },
	{ "u: door:gid=4294967294", "door:uid=0,gid=4294967294,mode=0622" },
	{ "door:gid=root,uid=root u32 a", "door:uid=0,gid=0,mode=0622 u32 a" },
	{ "P_L4K1:mode=0600",
	  "P_L4K1:uid=0,gid=0,mode=0600 " UEV_EVENTHEADER_TYPES },
};

TEST_LOOP(accepts_rights, ARRAY_SIZE(with_rights))
{
	struct definitions definitions = { .count = 0 };
	char *line;

	ck_assert(definitions_add(&definitions, with_rights[_i].text, NULL, 0));
	line = definition_line(definitions.definitions);
	ck_assert_str_eq(line, with_rights[_i].line);
	free(line);
	definitions_free(&definitions);
}

static const struct {
	const char *text;
	const char *message;
} bad_rights[] = {
	{ "door: u32 a", "expected behind ':'\n  door: u32 a\n       ^\n" },
	{ "door:x u32 a", "expected behind ':'\n  door:x u32 a\n       ^\n" },
	{ "door:mode=0660, a",
	  "expected behind ':'\n  door:mode=0660, a\n                 ^\n" },
	{ "door:mode=0777", "octal and have no other bits than 0666\n" },
	{ "door:mode=8", "octal" },
	{ "door:mode=", "octal" },
	{ "door:mode=-1", "octal" },
	{ "door:gid=0,uid=nobody_of_that_name u8 a",
	  "no such user\n  door:gid=0,uid=nobody_of_that_name u8 a\n"
	  "             ^\n" },
	{ "door:uid=4294967295", "no such user" },
	{ "door:gid=no_group_of_that_name", "no such group" },
	/* Errors behind them, and in front. */
	{ "u:door:mode=0660 u33 a",
	  "unknown type\n  u:door:mode=0660 u33 a\n                   ^\n" },
	{ "a/b:mode=0660 u32 a", "  a/b:mode=0660 u32 a\n   ^\n" },
	{ ":mode=0660 u32 a", "  :mode=0660 u32 a\n  ^\n" },
};

TEST_LOOP(rejects_rights, ARRAY_SIZE(bad_rights))
{
	struct definitions definitions = { .count = 0 };
	char *message;

	printed_begin(stderr);
	ck_assert(!definitions_add(&definitions, bad_rights[_i].text, NULL, 0));
	message = printed_text(stderr);
	if (!strstr(message, bad_rights[_i].message))
		ck_abort_msg("%s", message);
	free(message);
	ck_assert_uint_eq(definitions.count, 0);
}

#define TEN "0123456789"
#define HUNDRED \
	"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
#define SEVENTY_TWO \
	"012345678901234567890123456789012345678901234567890123456789012345678901"
#define THIRTY_SIX "                                    "

static const struct {
	const char *text;
	size_t offset;
	const char *shown;
} marks[] = {
	{ "abc", 0, "  abc\n  ^\n" },
	{ "abc", 2, "  abc\n    ^\n" },
	/* A missing part is reported at the end. */
	{ "abc", 3, "  abc\n     ^\n" },
	{ "", 0, "  \n  ^\n" },
	/* A character of two bytes is one column, a wide one two. */
	{ "t\xc3\xbcr x", 5, "  t\xc3\xbcr x\n      ^\n" },
	{ "a\tb\033c", 4, "  a\\tb\\x1bc\n          ^\n" },
	{ "\xe6\xbc\xa2 \xe2\x80\x8b x", 8,
	  "  \xe6\xbc\xa2 \\u200b x\n            ^\n" },
	/* Of a long text, a line around the error */
	{ HUNDRED, 0, "  " SEVENTY_TWO "...\n  ^\n" },
	{ HUNDRED, 50,
	  "  ...456789" TEN TEN TEN TEN TEN TEN "012345...\n  " THIRTY_SIX
	  "   ^\n" },
	{ HUNDRED, 100,
	  "  ..."
	  "89" TEN TEN TEN TEN TEN TEN TEN "\n  " THIRTY_SIX THIRTY_SIX
	  "   ^\n" },
};

TEST_LOOP(marked, ARRAY_SIZE(marks))
{
	char *shown = definition_mark(marks[_i].text, marks[_i].offset);

	ck_assert_str_eq(shown, marks[_i].shown);
	free(shown);
}

/* A character of two bytes is not cut. */
TEST(marked_characters)
{
	char text[401] = "";
	size_t i;
	char *shown;

	for (i = 0; i < 200; i++)
		strcat(text, "\xc3\xbc");
	for (i = 0; i <= 400; i++) {
		shown = definition_mark(text, i);
		ck_assert_int_eq((unsigned char)shown[strspn(shown, " .")],
				 0xc3);
		ck_assert_uint_lt(strlen(shown), 80 * 3);
		free(shown);
	}
}

static const struct {
	const char *text;
	bool resembles;
} names[] = {
	{ "P_L5Kz", true },	  { "P_L5K", true },  { "P_Lx_L5KG", true },
	{ "P_L5K1", false },	  { "P_L", false },   { "P_LK1", false },
	{ "P_L5Kz u8 a", false }, { "plain", false },
};

TEST_LOOP(names_like_eventheader, ARRAY_SIZE(names))
{
	struct definitions definitions = { .count = 0 };

	ck_assert(definitions_add(&definitions, names[_i].text, NULL, 0));
	ck_assert(definition_resembles_eventheader(definitions.definitions) ==
		  names[_i].resembles);
	definitions_free(&definitions);
}

TEST(text_of_a_file)
{
	struct definitions definitions = { .count = 0 };

	ck_assert_uint_eq(definitions_add_text(&definitions,
					       "# a comment\n"
					       "\n"
					       "door u32 a   # its number\n"
					       "  \t # nothing\n"
					       "P_L1K1\n"
					       "door u32 a;\n"
					       "last u8 a",
					       "file"),
			  0);
	ck_assert_uint_eq(definitions.count, 3);
	ck_assert_str_eq(definitions.definitions[0].name, "door");
	ck_assert_str_eq(definitions.definitions[0].command, "door u32 a");
	ck_assert_str_eq(definitions.definitions[0].source, "file");
	ck_assert_uint_eq(definitions.definitions[0].line, 3);
	ck_assert_str_eq(definitions.definitions[1].name, "P_L1K1");
	ck_assert_uint_eq(definitions.definitions[1].line, 5);
	ck_assert_uint_eq(definitions.definitions[2].line, 7);
	definitions_free(&definitions);
}

TEST(formats_places)
{
	static const struct {
		const char *source;
		size_t line;
		const char *place;
	} places[] = {
		{ "file", 3, "file:3: " },
		{ "program", 0, "program: " },
		{ NULL, 0, "" },
	};
	char *place;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(places); i++) {
		place = definition_place(places[i].source, places[i].line);
		ck_assert_str_eq(place, places[i].place);
		free(place);
	}
}

TEST(takes_forms)
{
	struct definitions definitions = { .has_forms = true };
	size_t i;

	for (i = 0; i < 2; i++) {
		ck_assert(definitions_add(&definitions, "door s64 a", NULL, 0));
		ck_assert(definitions_add(&definitions, "door", NULL, 0));
	}
	ck_assert_uint_eq(definitions.count, 2);
	ck_assert_str_eq(definitions.definitions[0].command, "door s64 a");
	ck_assert_str_eq(definitions.definitions[1].command, "door");
	definitions_free(&definitions);
}

/* Every line that is not valid counts, also one that contradicts another. */
TEST(rejects_invalid_lines_of_a_file)
{
	struct definitions definitions = { .count = 0 };

	ck_assert_uint_eq(definitions_add_text(&definitions,
					       "door u32 a\n"
					       "door u64 a\n"
					       "window u33 a\n"
					       "window u32 a\n"
					       "x:y\n"
					       "gate:mode=0660 u8 a\n"
					       "gate:mode=0620 u8 a\n"
					       "gate:mode=660 u8 a\n",
					       "file"),
			  4);
	ck_assert_uint_eq(definitions.count, 3);
	definitions_free(&definitions);
}
