// SPDX-License-Identifier: MIT
/*
 * Which commands are good, how they are written to the kernel, and how many
 * bytes they want.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/command.h"
#include "util/common.h"
#include "lib/runner.h"

#define A_NAME_OF_255                                                      \
	"n123456789012345678901234567890123456789012345678901234567890123" \
	"n123456789012345678901234567890123456789012345678901234567890123" \
	"n123456789012345678901234567890123456789012345678901234567890123" \
	"n12345678901234567890123456789012345678901234567890123456789012"

static const struct {
	const char *text;
	const char *written;
	size_t payload_min;
} good[] = {
	{ "n", "n", 0 },
	{ "n ", "n", 0 },
	{ "n ;;", "n", 0 },
	{ "n u32 a", "n u32 a", 4 },
	{ "n  u32 a", "n u32 a", 4 },
	{ "n ;u32 a", "n u32 a", 4 },
	{ "n u32 a;", "n u32 a", 4 },
	{ "n u32 a; ", "n u32 a", 4 },
	{ "n u32 a;u8 b", "n u32 a; u8 b", 5 },
	{ "n u32 a;\t\n u8 b;;", "n u32 a; u8 b", 5 },
	{ "n s64 a; u64 b; s32 c; u32 d; int e; unsigned int f",
	  "n s64 a; u64 b; s32 c; u32 d; int e; unsigned int f", 32 },
	{ "n s16 a; u16 b; short c; unsigned short d",
	  "n s16 a; u16 b; short c; unsigned short d", 8 },
	{ "n s8 a; u8 b; char c; unsigned char d",
	  "n s8 a; u8 b; char c; unsigned char d", 4 },
	{ "n char[1] a; char[1024] b; unsigned char[20] c",
	  "n char[1] a; char[1024] b; unsigned char[20] c", 1045 },
	{ "n __data_loc char[] a; __rel_loc char[] b",
	  "n __data_loc char[] a; __rel_loc char[] b", 8 },
	{ "n __data_loc unsigned char[] a; __rel_loc unsigned char[] b",
	  "n __data_loc unsigned char[] a; __rel_loc unsigned char[] b", 8 },
	{ "n __rel_loc u8[] a", "n __rel_loc u8[] a", 4 },
	{ "n struct point a 8; struct point b 8176",
	  "n struct point a 8; struct point b 8176", 8184 },
	{ "a-b.c u32 d-e.f", "a-b.c u32 d-e.f", 4 },
	{ A_NAME_OF_255 " u8 a", A_NAME_OF_255 " u8 a", 1 },
};

static const char *const bad[] = {
	NULL,
	"",
	" ",
	" u32 a",
	". u32 a",
	".. u32 a",
	"enable",
	"filter u32 a",
	"a/b u32 c",
	"n:flag u32 a",
	"n; u32 a",
	"n\t u32 a",
	"n\x7f u32 a",
	A_NAME_OF_255 "5 u8 a",
	"n u32",
	"n u32 ",
	"n u32  a",
	"n u32 a ",
	"n u32 a b",
	"n u32 a 4",
	"n u32\ta",
	"n u32 a\t",
	"n u32 a/b",
	"n u32 .",
	"n u32 ..",
	"n u32 a; u8 a",
	"n u32 a; u8 b; struct p a 4",
	"n struct p a 4; u8 a",
	"n long a",
	"n unsigned long a",
	"n unsigned a",
	"n unsigned  int a",
	"n U32 a",
	"n u32[4] a",
	"n float a",
	"n const char a",
	"n char[] a",
	"n char[0] a",
	"n char[1025] a",
	"n char[99999999999999999999] a",
	"n char[4]x a",
	"n char[4 a",
	"n char[+4] a",
	"n short[4] a",
	"n __data_loc a",
	"n __rel_loc  a",
	"n __data_loc struct s a",
	"n struct a",
	"n struct p a",
	"n struct p a 0",
	"n struct p a -1",
	"n struct p a 0x10",
	"n struct p a 65528",
	"n struct p a 4 4",
	"n struct p q a 4",
};

TEST_LOOP(accepts_valid_commands, ARRAY_SIZE(good))
{
	struct uev_command command;

	ck_assert_int_eq(uev_command_check(&command, good[_i].text), 0);
	ck_assert_str_eq(command.text, good[_i].written);
	ck_assert_uint_eq(command.payload_min, good[_i].payload_min);
}

/* The output is a command that is not changed again. */
TEST_LOOP(output_is_stable, ARRAY_SIZE(good))
{
	struct uev_command command, again;

	uev_command_check(&command, good[_i].text);
	ck_assert_int_eq(uev_command_check(&again, command.text), 0);
	ck_assert_str_eq(command.text, again.text);
}

TEST_LOOP(rejects_invalid_commands, ARRAY_SIZE(bad))
{
	struct uev_command command;

	ck_assert_int_eq(uev_command_check(&command, bad[_i]), -EINVAL);
}

TEST(too_large)
{
	struct uev_command command;

	ck_assert_int_eq(uev_command_check(&command, "n struct p a 8185"),
			 -E2BIG);
	ck_assert_int_eq(uev_command_check(&command,
					   "n struct p a 8; struct p b 8177"),
			 -E2BIG);
}

/* The kernel's limit, once as it is and once with the spaces that are added. */
TEST(too_long)
{
	char text[UEV_COMMAND_MAX + 100];
	struct uev_command command;
	size_t length;

	strcpy(text, "n u8 ");
	length = strlen(text);
	memset(text + length, 'a', UEV_COMMAND_MAX - length);
	text[UEV_COMMAND_MAX] = '\0';
	ck_assert_int_eq(uev_command_check(&command, text), 0);
	ck_assert_str_eq(command.text, text);

	strcpy(text + UEV_COMMAND_MAX, "a");
	ck_assert_int_eq(uev_command_check(&command, text), -E2BIG);

	text[UEV_COMMAND_MAX] = '\0';
	memcpy(text + UEV_COMMAND_MAX - 5, ";u8 b", 5);
	ck_assert_int_eq(uev_command_check(&command, text), -E2BIG);
}

/* Place and reason of errors. */
static const struct {
	const char *text;
	size_t offset;
	const char *reason;
} wrong[] = {
	{ "", 0, "missing event name" },
	{ " u32 a", 0, "missing event name" },
	{ ".. u32 a", 0, "invalid event name" },
	{ "enable", 0, "invalid event name" },
	{ "a/b u32 c", 1, "character in event name" },
	{ "n; u32 a", 1, "character in event name" },
	{ "n\t u32 a", 1, "character in event name" },
	{ "n:flag u32 a", 1, "flags" },
	{ A_NAME_OF_255 "5 u8 a", 255, "255 characters" },
	{ "n u32", 5, "a type and a name" },
	{ "n u8 a; unsigned int", 20, "a type and a name" },
	{ "n a", 3, "a type and a name" },
	{ "n u32  a", 6, "one space" },
	{ "n u32 a ", 7, "one space" },
	{ "n u32 a ; u8 b", 7, "one space" },
	{ "n u32\ta", 5, "control" },
	{ "n u32 a\x7f", 7, "control" },
	{ "n u8 a; u32 b/c", 13, "field name" },
	{ "n u32 .", 6, "field name" },
	{ "n u32 a; u8 a", 12, "duplicate field" },
	{ "n u8 a; long b", 8, "unknown type" },
	{ "n __data_loc struct s a", 2, "unknown type" },
	{ "n u32 a 4", 8, "after the field name" },
	{ "n char[0] a", 7, "array length" },
	{ "n unsigned char[1025] a", 16, "array length" },
	{ "n char[4 a", 7, "array length" },
	{ "n struct p a", 12, "a type, a name and a size" },
	{ "n struct p a 0", 13, "struct size" },
	{ "n struct p .. 4", 11, "invalid field name" },
	{ "n struct p a 4 4", 15, "after the struct size" },
	{ "n u8 a; struct p b 8184", 8, "8184 bytes" },
};

TEST_LOOP(reports_place_and_reason, ARRAY_SIZE(wrong))
{
	const char *reason = NULL;
	size_t offset = 1000;

	ck_assert_int_ne(
		uev_command_parse(NULL, wrong[_i].text, &offset, &reason), 0);
	ck_assert_uint_eq(offset, wrong[_i].offset);
	ck_assert_ptr_nonnull(strstr(reason, wrong[_i].reason));
}

/* Every error has a reason and a place. */
TEST_LOOP(reports_any_error, ARRAY_SIZE(bad))
{
	const char *reason = NULL;
	size_t offset = 1000;

	ck_assert_int_eq(uev_command_parse(NULL, bad[_i], &offset, &reason),
			 -EINVAL);
	ck_assert_ptr_nonnull(reason);
	ck_assert_uint_le(offset, bad[_i] ? strlen(bad[_i]) : 0);
	/* Both pointers can be NULL. */
	ck_assert_int_eq(uev_command_parse(NULL, bad[_i], NULL, NULL), -EINVAL);
}

TEST_LOOP(parse_normalizes, ARRAY_SIZE(good))
{
	char written[UEV_COMMAND_MAX + 1];

	ck_assert_int_eq(uev_command_parse(written, good[_i].text, NULL, NULL),
			 0);
	ck_assert_str_eq(written, good[_i].written);
}

TEST(parses_what_macros_write)
{
	static const char good_text[] = {
		UEV_DESCRIBED, 'n', 0, UEV_TYPE_U32, 'a', 0, UEV_TYPE_STRING,
		'b',	       0,   0
	};
	static const char bad_text[] = {
		UEV_DESCRIBED, 'n', 0, UEV_TYPE_UUID + 1, 'a', 0, 0
	};
	char written[UEV_COMMAND_MAX + 1];
	const char *reason = NULL;
	size_t offset = 1000;

	ck_assert_int_eq(uev_command_parse(written, good_text, NULL, NULL), 0);
	ck_assert_str_eq(written, "n u32 a; __data_loc char[] b");
	ck_assert_int_eq(uev_command_parse(NULL, bad_text, &offset, &reason),
			 -EINVAL);
	ck_assert_uint_eq(offset, 0);
	ck_assert_str_eq(reason, "invalid name or type");
}

/* The place is the first field that does not fit. */
TEST(reports_place_of_overlong_command)
{
	char text[UEV_COMMAND_MAX + 100];
	const char *reason;
	size_t offset = 0;

	strcpy(text, "n u8 ");
	memset(text + 5, 'a', 400);
	strcpy(text + 405, ";u8 b;u8 ");
	memset(text + 414, 'c', 110);
	text[524] = '\0';
	ck_assert_int_eq(uev_command_parse(NULL, text, &offset, &reason),
			 -E2BIG);
	ck_assert_uint_eq(offset, 411);
	ck_assert_ptr_nonnull(strstr(reason, "511 characters"));

	/* 511 characters and a separator. */
	memset(text + 5, 'a', UEV_COMMAND_MAX - 5);
	strcpy(text + UEV_COMMAND_MAX, ";u8 b");
	ck_assert_int_eq(uev_command_parse(NULL, text, &offset, &reason),
			 -E2BIG);
	ck_assert_uint_eq(offset, UEV_COMMAND_MAX + 1);
}

TEST(descriptions)
{
	static const char description[] = { UEV_DESCRIBED,
					    'n',
					    '\0',
					    UEV_TYPE_S8,
					    'a',
					    '\0',
					    UEV_TYPE_U8,
					    'b',
					    '\0',
					    UEV_TYPE_CHAR,
					    'c',
					    '\0',
					    UEV_TYPE_S16,
					    'd',
					    '\0',
					    UEV_TYPE_U16,
					    'e',
					    '\0',
					    UEV_TYPE_S32,
					    'f',
					    '\0',
					    UEV_TYPE_U32,
					    'g',
					    '\0',
					    UEV_TYPE_S64,
					    'h',
					    '\0',
					    UEV_TYPE_U64,
					    'i',
					    '\0',
					    UEV_TYPE_STRING,
					    'j',
					    '\0',
					    UEV_TYPE_BYTES,
					    'k',
					    '\0',
					    '\0' };
	struct uev_command command;

	ck_assert_int_eq(uev_command_check(&command, description), 0);
	ck_assert_str_eq(
		command.text,
		"n s8 a; u8 b; char c; s16 d; u16 e; s32 f; u32 g; "
		"s64 h; u64 i; __data_loc char[] j; __data_loc u8[] k");
	ck_assert_uint_eq(command.payload_min, 39);
}

TEST(rejects_invalid_descriptions)
{
	static const char no_name[] = { UEV_DESCRIBED, '\0', '\0' };
	static const char no_type[] = { UEV_DESCRIBED, 'n',  '\0', 100,
					'a',	       '\0', '\0' };
	static const char no_field[] = { UEV_DESCRIBED, 'n',  '\0',
					 UEV_TYPE_U8,	'\0', '\0' };
	static const char two_fields[] = { UEV_DESCRIBED, 'n',	'\0',
					   UEV_TYPE_U8,	  'a',	';',
					   'b',		  '\0', '\0' };
	char long_field[UEV_COMMAND_MAX + 10] = { UEV_DESCRIBED, 'n', '\0',
						  UEV_TYPE_U8 };
	struct uev_command command;

	ck_assert_int_eq(uev_command_check(&command, no_name), -EINVAL);
	ck_assert_int_eq(uev_command_check(&command, no_type), -EINVAL);
	ck_assert_int_eq(uev_command_check(&command, no_field), -EINVAL);
	ck_assert_int_eq(uev_command_check(&command, two_fields), -EINVAL);

	memset(long_field + 4, 'a', UEV_COMMAND_MAX);
	ck_assert_int_eq(uev_command_check(&command, long_field), -E2BIG);
}

/* Texts take one character less with __rel_loc, which the macros count. */
TEST_LOOP(long_descriptions_have_relative_texts, 2)
{
	char text[UEV_COMMAND_MAX + 10] = { UEV_DESCRIBED, 'n', '\0',
					    UEV_TYPE_STRING };
	size_t length =
		UEV_COMMAND_MAX - strlen("n __data_loc char[] ") + (size_t)_i;
	struct uev_command command;

	memset(text + 4, 'a', length);
	ck_assert_int_eq(uev_command_check(&command, text), 0);
	ck_assert_uint_eq(strlen(command.text), UEV_COMMAND_MAX);
	ck_assert(
		!strncmp(command.text,
			 _i ? "n __rel_loc char[] a" : "n __data_loc char[] a",
			 strlen("n __rel_loc char[] a")));
	ck_assert_uint_eq(command.payload_min, 4);
	ck_assert(command.has_types);
	text[4 + length] = 'a';
	ck_assert_int_eq(uev_command_check(&command, text), _i ? -E2BIG : 0);
}

TEST(only_types_become_relative)
{
	char written[UEV_COMMAND_SIZE];

	uev_command_relative(written,
			     "__data_loc __data_loc char[] __data_loc; "
			     "u8 a; __data_loc u8[] b__data_loc");
	ck_assert_str_eq(written, "__data_loc __rel_loc char[] __data_loc; "
				  "u8 a; __rel_loc u8[] b__data_loc");
}

TEST(knows_types)
{
	ck_assert(uev_type_is_known(UEV_TYPE_STRING));
	ck_assert(!uev_type_is_known(0));
	ck_assert(!uev_type_is_known(UEV_TYPE_UUID + 1));
}
