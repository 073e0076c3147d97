/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Commands: splitting into name, flags and fields; valid commands with their
 * fields; invalid commands.
 */
#ifndef USER_EVENTS_TESTS_TABLES_GRAMMAR_H
#define USER_EVENTS_TESTS_TABLES_GRAMMAR_H

#include "repeat.h"

/**
 * struct split_row - a command with a valid name
 * @command: the command
 * @name: expected name
 * @flags: expected flags, or NULL
 * @args: expected text of the fields, or NULL
 */
struct split_row {
	const char *command;
	const char *name;
	const char *flags;
	const char *args;
};

/* clang-format off */
static const struct split_row splits[] = {
	{ "e",			"e", NULL, NULL },
	{ "e ",			"e", NULL, "" },
	{ "e  ",		"e", NULL, " " },
	{ "e u32 a",		"e", NULL, "u32 a" },
	{ "e  u32 a",		"e", NULL, " u32 a" },
	{ "e ;u32 a",		"e", NULL, ";u32 a" },
	{ "e rubbish",		"e", NULL, "rubbish" },
	{ "e u32 a:b",		"e", NULL, "u32 a:b" },

	{ "e:",			"e", "", NULL },
	{ "e: ",		"e", "", "" },
	{ "e:f",		"e", "f", NULL },
	{ "e:f u32 a",		"e", "f", "u32 a" },
	{ "e:f,g;h u32 a",	"e", "f,g;h", "u32 a" },
	{ "e:f:g u32 a:b",	"e", "f:g", "u32 a:b" },
	{ "e::",		"e", ":", NULL },
	{ "e:/",		"e", "/", NULL },
	{ "e:\n u32 a",		"e", "\n", "u32 a" },

	/* A name can be any path component without control characters. */
	{ "...",		"...", NULL, NULL },
	{ ".e",			".e", NULL, NULL },
	{ "..e",		"..e", NULL, NULL },
	{ "e.",			"e.", NULL, NULL },
	{ "e.0",		"e.0", NULL, NULL },
	{ "0",			"0", NULL, NULL },
	{ "-",			"-", NULL, NULL },
	{ "_",			"_", NULL, NULL },
	{ "\\",			"\\", NULL, NULL },
	{ "\"e\"",		"\"e\"", NULL, NULL },
	{ "!e~",		"!e~", NULL, NULL },
	{ "e#",			"e#", NULL, NULL },
	{ "%s%n",		"%s%n", NULL, NULL },
	{ "e;",			"e;", NULL, NULL },
	{ "e;f u32 a",		"e;f", NULL, "u32 a" },
	{ "\xc3\xa9",		"\xc3\xa9", NULL, NULL },
	{ "e\x80",		"e\x80", NULL, NULL },
	{ "e\xa0""f",		"e\xa0""f", NULL, NULL },
	{ "\xff",		"\xff", NULL, NULL },

	{ X254("n") "n",	X254("n") "n", NULL, NULL },
	{ X254("n") "n u32 a",	X254("n") "n", NULL, "u32 a" },
	{ X254("n") "n:f u8 a",	X254("n") "n", "f", "u8 a" },
	{ "e:" X256("f"),	"e", X256("f"), NULL },
};
/* clang-format on */

/**
 * struct text_row - an invalid text
 * @text: the text
 */
struct text_row {
	const char *text;
};

/* Commands with names that tracefs cannot have. */
static const struct text_row bad_event_names[] = {
	{ "" },
	{ " " },
	{ " u32 a" },
	{ ":" },
	{ ":f" },
	{ ":f u32 a" },
	{ "." },
	{ ".." },
	{ ". u32 a" },
	{ ".. u32 a" },
	{ ".:f" },
	{ "..:f" },
	{ "/" },
	{ "a/b" },
	{ "a/b u32 x" },
	{ "/a" },
	{ "a/" },
	{ "../a" },
	{ "a/:f" },
	{ "e\x01" },
	{ "\x01" },
	{ "e\a" },
	{ "e\x1b[1m" },
	{ "e\x1f" },
	{ "e\x7f" },
	{ "e\n" },
	{ "e\nu32 a" },
	{ "\ne" },
	{ "e\r" },
	{ "e\t" },
	{ "\te" },
	{ "e\tu32 a" },
	{ "e\v u32 a" },
	{ "e\f u32 a" },
	{ "e\n:f" },
	{ "enable" },
	{ "filter" },
	{ "enable u32 a" },
	{ "filter:f" },
	{ X256("n") },
	{ X256("n") " u32 a" },
	{ X256("n") ":f" },
	{ X256("n") X256("n") },
};

/* Maximum number of fields in the rows below. */
#define GRAMMAR_FIELDS 5

/**
 * struct field_row - an expected field
 * @type: its type
 * @name: its name
 * @class: where its bytes are
 * @offset: its offset behind a header of 8 bytes
 * @size: its size in bytes
 * @len: elements of an array, else 0
 * @is_signed: ``signed:`` in the format file
 */
struct field_row {
	const char *type;
	const char *name;
	enum field_class class;
	u32 offset;
	u32 size;
	u32 len;
	bool is_signed;
};

/**
 * struct loc_row - an expected word that points at data
 * @offset: its offset behind a header of 8 bytes; 0 ends the list
 * @relative: it counts from its own end
 * @string: it points at a string
 */
struct loc_row {
	u32 offset;
	bool relative;
	bool string;
};

/**
 * struct accepted_row - a valid command
 * @command: the command
 * @fixed_size: end of the fixed fields behind a header of 8 bytes
 * @print_fmt: expected print fmt
 * @text: expected text of the fields in dynamic_events
 * @fields: expected fields; one without a type ends the list
 * @locs: expected words to check
 * @more_fields: number of fields behind @fields, which are not compared
 */
struct accepted_row {
	const char *command;
	u32 fixed_size;
	const char *print_fmt;
	const char *text;
	struct field_row fields[GRAMMAR_FIELDS];
	struct loc_row locs[GRAMMAR_FIELDS];
	u32 more_fields;
};

/* clang-format off */
#define U32_A { { "u32", "a", FIELD_SCALAR, 8, 4, 0, false } }
#define U32_A_U32_B { { "u32", "a", FIELD_SCALAR, 8, 4, 0, false }, \
		      { "u32", "b", FIELD_SCALAR, 12, 4, 0, false } }
#define PRINT_A "\"a=%u\", REC->a"
#define PRINT_A_B "\"a=%u b=%u\", REC->a, REC->b"

static const struct accepted_row accepted[] = {
	/* No fields. */
	{ "e",			8, "\"\"", "" },
	{ "e ",			8, "\"\"", "" },
	{ "e  ",		8, "\"\"", "" },
	{ "e ;",		8, "\"\"", "" },
	{ "e ;;",		8, "\"\"", "" },
	{ "e ; ;",		8, "\"\"", "" },
	{ "e ;;;; ; \t;",	8, "\"\"", "" },
	{ "e \xa0",		8, "\"\"", "" },
	{ "e:f",		8, "\"\"", "" },
	{ "e: ",		8, "\"\"", "" },

	/* Empty pieces, and white space in front of a piece. */
	{ "e u32 a",		12, PRINT_A, "u32 a", U32_A },
	{ "e  u32 a",		12, PRINT_A, "u32 a", U32_A },
	{ "e     u32 a",	12, PRINT_A, "u32 a", U32_A },
	{ "e \tu32 a",		12, PRINT_A, "u32 a", U32_A },
	{ "e \n\v\f\r u32 a",	12, PRINT_A, "u32 a", U32_A },
	{ "e \xa0u32 a",	12, PRINT_A, "u32 a", U32_A },
	{ "e ;u32 a",		12, PRINT_A, "u32 a", U32_A },
	{ "e ;;u32 a",		12, PRINT_A, "u32 a", U32_A },
	{ "e u32 a;",		12, PRINT_A, "u32 a", U32_A },
	{ "e u32 a;;",		12, PRINT_A, "u32 a", U32_A },
	{ "e u32 a; ",		12, PRINT_A, "u32 a", U32_A },
	{ "e u32 a; ; \t;\xa0",	12, PRINT_A, "u32 a", U32_A },
	{ "e:f u32 a",		12, PRINT_A, "u32 a", U32_A },
	{ "e: u32 a",		12, PRINT_A, "u32 a", U32_A },
	{ "e u32 a;u32 b",	16, PRINT_A_B, "u32 a; u32 b", U32_A_U32_B },
	{ "e u32 a; u32 b",	16, PRINT_A_B, "u32 a; u32 b", U32_A_U32_B },
	{ "e u32 a;  \tu32 b;",	16, PRINT_A_B, "u32 a; u32 b", U32_A_U32_B },
	{ "e u32 a;;u32 b;;",	16, PRINT_A_B, "u32 a; u32 b", U32_A_U32_B },
	{ "e u32 a;\xa0u32 b",	16, PRINT_A_B, "u32 a; u32 b", U32_A_U32_B },

	/* Names. Two fields may have the same name. */
	{ "e u32 a;u32 a", 16, "\"a=%u a=%u\", REC->a, REC->a", "u32 a; u32 a",
	  { { "u32", "a", FIELD_SCALAR, 8, 4, 0, false },
	    { "u32", "a", FIELD_SCALAR, 12, 4, 0, false } } },
	{ "e u32 \"q\"", 12, "\"\"q\"=%u\", REC->\"q\"", "u32 \"q\"",
	  { { "u32", "\"q\"", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 %s", 12, "\"%s=%u\", REC->%s", "u32 %s",
	  { { "u32", "%s", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 u32", 12, "\"u32=%u\", REC->u32", "u32 u32",
	  { { "u32", "u32", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 struct", 12, "\"struct=%u\", REC->struct", "u32 struct",
	  { { "u32", "struct", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 ...", 12, "\"...=%u\", REC->...", "u32 ...",
	  { { "u32", "...", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 a:b", 12, "\"a:b=%u\", REC->a:b", "u32 a:b",
	  { { "u32", "a:b", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 a[4]", 12, "\"a[4]=%u\", REC->a[4]", "u32 a[4]",
	  { { "u32", "a[4]", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 \xc3\xa0", 12, "\"\xc3\xa0=%u\", REC->\xc3\xa0",
	  "u32 \xc3\xa0",
	  { { "u32", "\xc3\xa0", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 __data_loc", 12, "\"__data_loc=%u\", REC->__data_loc",
	  "u32 __data_loc",
	  { { "u32", "__data_loc", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u32 a__rel_loc", 12, "\"a__rel_loc=%u\", REC->a__rel_loc",
	  "u32 a__rel_loc",
	  { { "u32", "a__rel_loc", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e u8 " X256("a"), 9, "\"" X256("a") "=%u\", REC->" X256("a"),
	  "u8 " X256("a"),
	  { { "u8", X256("a"), FIELD_SCALAR, 8, 1, 0, false } } },

	/* Numbers. */
	{ "e s64 a", 16, "\"a=%lld\", REC->a", "s64 a",
	  { { "s64", "a", FIELD_SCALAR, 8, 8, 0, true } } },
	{ "e u64 a", 16, "\"a=%llu\", REC->a", "u64 a",
	  { { "u64", "a", FIELD_SCALAR, 8, 8, 0, false } } },
	{ "e s32 a", 12, "\"a=%d\", REC->a", "s32 a",
	  { { "s32", "a", FIELD_SCALAR, 8, 4, 0, true } } },
	{ "e int a", 12, "\"a=%d\", REC->a", "int a",
	  { { "int", "a", FIELD_SCALAR, 8, 4, 0, true } } },
	{ "e unsigned int a", 12, "\"a=%u\", REC->a", "unsigned int a",
	  { { "unsigned int", "a", FIELD_SCALAR, 8, 4, 0, false } } },
	{ "e s16 a", 10, "\"a=%d\", REC->a", "s16 a",
	  { { "s16", "a", FIELD_SCALAR, 8, 2, 0, true } } },
	{ "e u16 a", 10, "\"a=%u\", REC->a", "u16 a",
	  { { "u16", "a", FIELD_SCALAR, 8, 2, 0, false } } },
	{ "e short a", 10, "\"a=%d\", REC->a", "short a",
	  { { "short", "a", FIELD_SCALAR, 8, 2, 0, true } } },
	{ "e unsigned short a", 10, "\"a=%u\", REC->a", "unsigned short a",
	  { { "unsigned short", "a", FIELD_SCALAR, 8, 2, 0, false } } },
	{ "e s8 a", 9, "\"a=%d\", REC->a", "s8 a",
	  { { "s8", "a", FIELD_SCALAR, 8, 1, 0, true } } },
	{ "e u8 a", 9, "\"a=%u\", REC->a", "u8 a",
	  { { "u8", "a", FIELD_SCALAR, 8, 1, 0, false } } },
	{ "e char a", 9, "\"a=%d\", REC->a", "char a",
	  { { "char", "a", FIELD_SCALAR, 8, 1, 0, true } } },
	{ "e unsigned char a", 9, "\"a=%u\", REC->a", "unsigned char a",
	  { { "unsigned char", "a", FIELD_SCALAR, 8, 1, 0, false } } },

	/* Arrays. */
	{ "e char[1] a", 9, "\"a=%s\", REC->a", "char[1] a",
	  { { "char[1]", "a", FIELD_ARRAY, 8, 1, 1, true } } },
	{ "e char[20] a", 28, "\"a=%s\", REC->a", "char[20] a",
	  { { "char[20]", "a", FIELD_ARRAY, 8, 20, 20, true } } },
	{ "e char[1024] a", 1032, "\"a=%s\", REC->a", "char[1024] a",
	  { { "char[1024]", "a", FIELD_ARRAY, 8, 1024, 1024, true } } },
	{ "e char[0x14] a", 28, "\"a=%s\", REC->a", "char[0x14] a",
	  { { "char[0x14]", "a", FIELD_ARRAY, 8, 20, 20, true } } },
	{ "e char[024] a", 28, "\"a=%s\", REC->a", "char[024] a",
	  { { "char[024]", "a", FIELD_ARRAY, 8, 20, 20, true } } },
	{ "e char[+5] a", 13, "\"a=%s\", REC->a", "char[+5] a",
	  { { "char[+5]", "a", FIELD_ARRAY, 8, 5, 5, true } } },
	{ "e char[000004] a", 12, "\"a=%s\", REC->a", "char[000004] a",
	  { { "char[000004]", "a", FIELD_ARRAY, 8, 4, 4, true } } },
	{ "e char[4]x a", 12, "\"a=%s\", REC->a", "char[4]x a",
	  { { "char[4]x", "a", FIELD_ARRAY, 8, 4, 4, true } } },
	{ "e unsigned char[3] a", 11, "\"a=%s\", REC->a", "unsigned char[3] a",
	  { { "unsigned char[3]", "a", FIELD_ARRAY, 8, 3, 3, false } } },
	{ "e char[3] a;unsigned char[5] b;u8 c", 17,
	  "\"a=%s b=%s c=%u\", REC->a, REC->b, REC->c",
	  "char[3] a; unsigned char[5] b; u8 c",
	  { { "char[3]", "a", FIELD_ARRAY, 8, 3, 3, true },
	    { "unsigned char[5]", "b", FIELD_ARRAY, 11, 5, 5, false },
	    { "u8", "c", FIELD_SCALAR, 16, 1, 0, false } } },

	/* Words that point at data of any type. */
	{ "e __data_loc char[] a", 12, "\"a=%s\", __get_str(a)",
	  "__data_loc char[] a",
	  { { "__data_loc char[]", "a", FIELD_DATA_LOC, 8, 4, 0, true } },
	  { { 8, false, true } } },
	{ "e __data_loc unsigned char[] a", 12, "\"a=%s\", __get_str(a)",
	  "__data_loc unsigned char[] a",
	  { { "__data_loc unsigned char[]", "a", FIELD_DATA_LOC, 8, 4, 0,
	      true } },
	  { { 8, false, true } } },
	{ "e __data_loc u8[] a", 12, "\"a=%llu\", REC->a", "__data_loc u8[] a",
	  { { "__data_loc u8[]", "a", FIELD_DATA_LOC, 8, 4, 0, true } },
	  { { 8, false, false } } },
	{ "e __data_loc char a", 12, "\"a=%llu\", __get_str(a)",
	  "__data_loc char a",
	  { { "__data_loc char", "a", FIELD_DATA_LOC, 8, 4, 0, true } },
	  { { 8, false, true } } },
	{ "e __data_loc foo a", 12, "\"a=%llu\", REC->a", "__data_loc foo a",
	  { { "__data_loc foo", "a", FIELD_DATA_LOC, 8, 4, 0, true } },
	  { { 8, false, false } } },
	{ "e __data_loc unsigned a b", 12, "\"b=%llu\", REC->b",
	  "__data_loc unsigned a b",
	  { { "__data_loc unsigned a", "b", FIELD_DATA_LOC, 8, 4, 0, true } },
	  { { 8, false, false } } },
	{ "e __data_loc char[9999] a", 12, "\"a=%s\", __get_str(a)",
	  "__data_loc char[9999] a",
	  { { "__data_loc char[9999]", "a", FIELD_DATA_LOC, 8, 4, 0, true } },
	  { { 8, false, true } } },
	{ "e __data_loc  a", 12, "\"a=%llu\", REC->a", "__data_loc  a",
	  { { "__data_loc ", "a", FIELD_DATA_LOC, 8, 4, 0, true } },
	  { { 8, false, false } } },
	{ "e __rel_loc char[] a", 12, "\"a=%s\", __get_rel_str(a)",
	  "__rel_loc char[] a",
	  { { "__rel_loc char[]", "a", FIELD_REL_LOC, 8, 4, 0, true } },
	  { { 8, true, true } } },
	{ "e __rel_loc unsigned char[] a", 12, "\"a=%s\", __get_rel_str(a)",
	  "__rel_loc unsigned char[] a",
	  { { "__rel_loc unsigned char[]", "a", FIELD_REL_LOC, 8, 4, 0,
	      true } },
	  { { 8, true, true } } },
	{ "e __rel_loc u8[] a", 12, "\"a=%llu\", REC->a", "__rel_loc u8[] a",
	  { { "__rel_loc u8[]", "a", FIELD_REL_LOC, 8, 4, 0, true } },
	  { { 8, true, false } } },
	{ "e __rel_loc unsigned[] a", 12, "\"a=%llu\", REC->a",
	  "__rel_loc unsigned[] a",
	  { { "__rel_loc unsigned[]", "a", FIELD_REL_LOC, 8, 4, 0, true } },
	  { { 8, true, false } } },
	{ "e __rel_loc char a", 12, "\"a=%llu\", __get_rel_str(a)",
	  "__rel_loc char a",
	  { { "__rel_loc char", "a", FIELD_REL_LOC, 8, 4, 0, true } },
	  { { 8, true, true } } },
	{ "e u8 n;__rel_loc char[] a;__data_loc u8[] b;u16 c", 19,
	  "\"n=%u a=%s b=%llu c=%u\", REC->n, __get_rel_str(a), REC->b, REC->c",
	  "u8 n; __rel_loc char[] a; __data_loc u8[] b; u16 c",
	  { { "u8", "n", FIELD_SCALAR, 8, 1, 0, false },
	    { "__rel_loc char[]", "a", FIELD_REL_LOC, 9, 4, 0, true },
	    { "__data_loc u8[]", "b", FIELD_DATA_LOC, 13, 4, 0, true },
	    { "u16", "c", FIELD_SCALAR, 17, 2, 0, false } },
	  { { 9, true, true }, { 13, false, false } } },

	/* Structs. Only a decimal size is valid. */
	{ "e struct s a 20", 28, "\"a=%llu\", REC->a", "struct s a 20",
	  { { "struct s", "a", FIELD_STRUCT, 8, 20, 0, true } } },
	{ "e struct s a +20", 28, "\"a=%llu\", REC->a", "struct s a 20",
	  { { "struct s", "a", FIELD_STRUCT, 8, 20, 0, true } } },
	{ "e struct s a 020", 28, "\"a=%llu\", REC->a", "struct s a 20",
	  { { "struct s", "a", FIELD_STRUCT, 8, 20, 0, true } } },
	{ "e struct s a 1", 9, "\"a=%llu\", REC->a", "struct s a 1",
	  { { "struct s", "a", FIELD_STRUCT, 8, 1, 0, true } } },
	{ "e struct X f 8;", 16, "\"f=%llu\", REC->f", "struct X f 8",
	  { { "struct X", "f", FIELD_STRUCT, 8, 8, 0, true } } },
	{ "e struct s a 1025", 1033, "\"a=%llu\", REC->a", "struct s a 1025",
	  { { "struct s", "a", FIELD_STRUCT, 8, 1025, 0, true } } },
	{ "e struct  a 4", 12, "\"a=%llu\", REC->a", "struct  a 4",
	  { { "struct ", "a", FIELD_STRUCT, 8, 4, 0, true } } },
	{ "e struct u 1 2", 10, "\"1=%llu\", REC->1", "struct u 1 2",
	  { { "struct u", "1", FIELD_STRUCT, 8, 2, 0, true } } },

	/* Fields have no gaps. */
	{ "e u8 a;u64 b;u16 c;struct t d 7;s32 e", 30,
	  "\"a=%u b=%llu c=%u d=%llu e=%d\", "
	  "REC->a, REC->b, REC->c, REC->d, REC->e",
	  "u8 a; u64 b; u16 c; struct t d 7; s32 e",
	  { { "u8", "a", FIELD_SCALAR, 8, 1, 0, false },
	    { "u64", "b", FIELD_SCALAR, 9, 8, 0, false },
	    { "u16", "c", FIELD_SCALAR, 17, 2, 0, false },
	    { "struct t", "d", FIELD_STRUCT, 19, 7, 0, true },
	    { "s32", "e", FIELD_SCALAR, 26, 4, 0, true } } },

#if USER_EVENT_HEADER_SIZE == 8
	/* The largest possible events. */
	{ "e struct s a 65527", USER_EVENT_FIXED_MAX, "\"a=%llu\", REC->a",
	  "struct s a 65527",
	  { { "struct s", "a", FIELD_STRUCT, 8, 65527, 0, true } } },
	{ "e struct s a 65526", USER_EVENT_FIXED_MAX - 1, "\"a=%llu\", REC->a",
	  "struct s a 65526",
	  { { "struct s", "a", FIELD_STRUCT, 8, 65526, 0, true } } },
	{ "e struct s a 65523;u32 b", USER_EVENT_FIXED_MAX,
	  "\"a=%llu b=%u\", REC->a, REC->b", "struct s a 65523; u32 b",
	  { { "struct s", "a", FIELD_STRUCT, 8, 65523, 0, true },
	    { "u32", "b", FIELD_SCALAR, 65531, 4, 0, false } } },
	{ "e struct s a 65523;__data_loc char[] b", USER_EVENT_FIXED_MAX,
	  "\"a=%llu b=%s\", REC->a, __get_str(b)",
	  "struct s a 65523; __data_loc char[] b",
	  { { "struct s", "a", FIELD_STRUCT, 8, 65523, 0, true },
	    { "__data_loc char[]", "b", FIELD_DATA_LOC, 65531, 4, 0, true } },
	  { { 65531, false, true } } },
	{ "e char[1015] a;char[1024] a;" X62("char[1024] a;"),
	  USER_EVENT_FIXED_MAX,
	  "\"a=%s a=%s" X62(" a=%s") "\", REC->a, REC->a" X62(", REC->a"),
	  "char[1015] a; char[1024] a" X62("; char[1024] a"),
	  { { "char[1015]", "a", FIELD_ARRAY, 8, 1015, 1015, true },
	    { "char[1024]", "a", FIELD_ARRAY, 1023, 1024, 1024, true },
	    { "char[1024]", "a", FIELD_ARRAY, 2047, 1024, 1024, true } },
	  .more_fields = 61 },
#endif
};
/* clang-format on */

/* Invalid fields, without the name of the event. */
static const struct text_row refused[] = {
	/* A type without a name. */
	{ "u32" },
	{ "u32;" },
	{ "u32;u32 a" },
	{ "a" },
	{ "u32 a;a" },
	{ "u32 a;u32" },
	{ "unsigned int" },
	{ "struct s" },
	{ "__data_loc char[]" },
	{ "__rel_loc unsigned char[]" },

	/* Exactly one space separates words, and none follows. */
	{ "u32  a" },
	{ "u32 a " },
	{ "u32 a ;u32 b" },
	{ "u32 a; u32 b " },
	{ "u32\ta" },
	{ "u32\xa0"
	  "a" },
	{ "u32 \ta" },
	{ "unsigned  int a" },
	{ "unsigned int  a" },
	{ "__data_loc char[]  a" },
	{ "__data_loc  char[] a" },
	{ "struct s  a 4" },
	{ "struct s a  4" },
	{ "struct s a 4 " },

	/* Too many words. */
	{ "u32 a b" },
	{ "u32 a b c" },
	{ "u32 a 4" },
	{ "u32 a 4 5" },
	{ "char[4] a 4" },
	{ "unsigned int a 4" },
	{ "__data_loc char[] a 4" },
	{ "__data_loc struct s a" },
	{ "__rel_loc struct s a 4" },
	{ "struct s a 4 5" },
	{ "const u32 a" },

	/* Names. */
	{ "u32 " },
	{ "u32 ;u32 b" },
	{ "u32 ." },
	{ "u32 .." },
	{ "u32 a/b" },
	{ "u32 /" },
	{ "u32 a\t" },
	{ "u32 a\n" },
	{ "u32 \na" },
	{ "u32 a\x01" },
	{ "u32 a\x1f" },
	{ "u32 a\x7f" },
	{ "struct s  4" },
	{ "struct s . 4" },
	{ "struct s a/b 4" },

	/* Types. */
	{ "long a" },
	{ "unsigned long a" },
	{ "unsigned a" },
	{ "unsigned a b" },
	{ "bool a" },
	{ "U32 a" },
	{ "u32[4] a" },
	{ "u32* a" },
	{ "char * a" },
	{ "unsigned short[2] a" },
	{ "union u a 4" },
	{ "struct" },
	{ "struct a" },
	{ "__data_loc a" },
	{ "__rel_loc a" },
	{ "unsigned __data_loc a" },

	/* A definition is one line that is split at white space. */
	{ "struct s\tt a 4" },
	{ "struct s\nt a 4" },
	{ "struct \n a 4" },
	{ "__data_loc char[]\n a" },
	{ "__data_loc a\nu:b a" },
	{ "__data_loc a\tb a" },
	{ "__rel_loc \x01 a" },
	{ "__rel_loc unsigned \x7f a" },
	{ "char[4\n] a" },
	{ "char[4]\n a" },
	{ "u32\n a" },
	{ "struct s a 4\n" },

	/* The two words in the wrong place. */
	{ "struct __data_loc a 4" },
	{ "struct __rel_loc a 4" },
	{ "struct x__data_locy a 4" },
	{ "char[4]__rel_loc a" },
	{ "__data_loc __rel_loc a" },
	{ "__data_loc __data_loc a" },
	{ "__rel_loc __data_loc a" },
	{ "__rel_loc unsigned __rel_loc a" },

	/* Array lengths; array_lens[] has more. */
	{ "char[0] a" },
	{ "char[] a" },
	{ "char[1025] a" },
	{ "char[9999] a" },
	{ "char[0x401] a" },
	{ "char[-1] a" },
	{ "char[aa] a" },
	{ "char[4 a" },
	{ "char[4 ] a" },
	{ "char[0000004] a" },
	{ "unsigned char[0] a" },
	{ "unsigned char[1025] a" },
	{ "unsigned char[] a" },

	/* Struct sizes. */
	{ "struct s a" },
	{ "struct s a " },
	{ "struct s a 0" },
	{ "struct s a 00" },
	{ "struct s a +0" },
	{ "struct s a -1" },
	{ "struct s a -20" },
	{ "struct s a -4294967276" },
	{ "struct s a 0x14" },
	{ "struct s a 20x" },
	{ "struct s a x" },
	{ "struct s a +" },
	{ "struct s a ++4" },
	{ "struct s a 1e3" },
	{ "struct s a 4.0" },
	{ "struct s a \t4" },
	{ "struct s a 4\t" },

	/* Sizes that are too large or overflow. */
	{ "struct s a 65528" },
	{ "struct s a 65535" },
	{ "struct s a 65536" },
	{ "struct s a 2147483647" },
	{ "struct s a 2147483648" },
	{ "struct s a 4294901761" },
	{ "struct s a 4294967287" },
	{ "struct s a 4294967288" },
	{ "struct s a 4294967289" },
	{ "struct s a 4294967294" },
	{ "struct s a 4294967295" },
	{ "struct s a 4294967296" },
	{ "struct s a 4294967300" },
	{ "struct s a 18446744073709551615" },
	{ "struct s a 18446744073709551616" },
	{ "struct s a 18446744073709551620" },
	{ "struct s a 999999999999999999999999999999" },
	{ "struct s a 65527;u8 b" },
	{ "struct s a 65524;u32 b" },
	{ "struct s a 65524;__data_loc char[] b" },
	{ "struct s a 65523;u32 b;u8 c" },
	{ "struct s a 32764;struct s b 32764" },
	{ "struct s a 4;struct s b 4294967295" },
	{ "struct s a 4;struct s b 4294967288" },
	{ "struct s a 4;struct s b 4294967284" },
	{ "char[1016] a;char[1024] a;" X62("char[1024] a;") },
	{ X64("char[1024] a;") },

	/* One invalid field at any position. */
	{ "u32 a;u32 b;u32  c" },
	{ "u32  a;u32 b;u32 c" },
	{ "u32 a;long b;u32 c" },
	{ "u32 a;struct s b;u32 c" },
	{ "u32 a,u32 b" },
	{ "u32 a:u32 b" },
};

#endif /* USER_EVENTS_TESTS_TABLES_GRAMMAR_H */
