/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts that describe the fields of an event, or do not.
 */
#ifndef USER_EVENTS_TESTS_TABLES_MATCH_H
#define USER_EVENTS_TESTS_TABLES_MATCH_H

/**
 * struct match_row - a text and an event
 * @command: the event
 * @text: the text or NULL
 * @same: it describes the fields of the event
 */
struct match_row {
	const char *command;
	const char *text;
	bool same;
};

/* clang-format off */
static const struct match_row matches[] = {
	/* No fields. */
	{ "e",			NULL,			true },
	{ "e",			"",			true },
	{ "e",			" ",			true },
	{ "e",			";",			true },
	{ "e",			" ;; \t;",		true },
	{ "e",			"u32 a",		false },
	{ "e",			"a",			false },
	{ "e",			"; a",			false },
	{ "e ;;",		NULL,			true },
	{ "e ;;",		";;",			true },

	/* White space and empty fields make no difference. */
	{ "e u32 a",		"u32 a",		true },
	{ "e u32 a",		"  u32 a",		true },
	{ "e u32 a",		"u32  a",		true },
	{ "e u32 a",		"u32\ta",		true },
	{ "e u32 a",		"\n\v\fu32\r a",	true },
	{ "e u32 a",		"u32 a ",		true },
	{ "e u32 a",		"u32 a;",		true },
	{ "e u32 a",		"u32 a ;",		true },
	{ "e u32 a",		"u32 a; ",		true },
	{ "e u32 a",		"u32 a ; ; ",		true },
	{ "e u32 a",		"u32 a;;",		true },
	{ "e u32 a",		";u32 a",		true },
	{ "e u32 a",		" ; ;u32 a",		true },
	{ "e u32 a;;",		"u32 a;;",		true },
	{ "e u32 a;;",		"u32 a",		true },
	{ "e ;u32 a",		"u32 a",		true },
	{ "e:f u32 a",		"u32 a",		true },

	/* All other differences count. */
	{ "e u32 a",		NULL,			false },
	{ "e u32 a",		"",			false },
	{ "e u32 a",		" ",			false },
	{ "e u32 a",		";",			false },
	{ "e u32 a",		"u32",			false },
	{ "e u32 a",		"a",			false },
	{ "e u32 a",		"u32;",			false },
	{ "e u32 a",		"u32;a",		false },
	{ "e u32 a",		"a u32",		false },
	{ "e u32 a",		"u32 b",		false },
	{ "e u32 a",		"u32 A",		false },
	{ "e u32 a",		"u32 aa",		false },
	{ "e u32 aa",		"u32 a",		false },
	{ "e u32 a",		"u32 a[4]",		false },
	{ "e u32 a",		"s32 a",		false },
	{ "e u32 a",		"U32 a",		false },
	{ "e u32 a",		"u3 2 a",		false },
	{ "e u32 a",		"u32a",			false },
	{ "e u32 a",		"u u32 a",		false },
	{ "e u32 a",		"u32 a b",		false },
	{ "e u32 a",		"u32 a 4",		false },
	{ "e u32 a",		"u32 a,",		false },
	{ "e u32 a",		"u32 a;b",		false },
	{ "e u32 a",		"u32 a u32 a",		false },
	{ "e u32 a",		"u32 a;u32 a",		false },
	{ "e u32 a",		"u32 a; u32 b",		false },
	{ "e u32 a",		"unsigned int a",	false },
	{ "e unsigned int a",	"u32 a",		false },
	{ "e int a",		"unsigned int a",	false },

	{ "e unsigned int a",	"unsigned int a",	true },
	{ "e unsigned int a",	"unsigned  int\ta",	true },
	{ "e unsigned int a",	"unsigned a",		false },
	{ "e unsigned int a",	"unsignedint a",	false },
	{ "e unsigned int a",	"unsigned;int a",	false },

	/* Several fields. */
	{ "e u32 a; u32 b",	"u32 a; u32 b",		true },
	{ "e u32 a; u32 b",	"u32 a;u32 b",		true },
	{ "e u32 a; u32 b",	"u32 a;u32 b;",		true },
	{ "e u32 a; u32 b",	"u32 a ;u32 b",		true },
	{ "e u32 a; u32 b",	"u32 a;;u32 b",		true },
	{ "e u32 a; u32 b",	"u32 a ; ; u32 b ;",	true },
	{ "e u32 a; u32 b",	"u32 a u32 b",		false },
	{ "e u32 a; u32 b",	"u32 a, u32 b",		false },
	{ "e u32 a; u32 b",	"u32 b; u32 a",		false },
	{ "e u32 a; u32 b",	"u32 a",		false },
	{ "e u32 a; u32 b",	"u32 a;",		false },
	{ "e u32 a; u32 b",	"u32 b",		false },
	{ "e u32 a; u32 b",	"u32 a; u32",		false },
	{ "e u32 a; u32 b",	"u32 a; b",		false },
	{ "e u32 a; u32 b",	"u32 a; u32 c",		false },
	{ "e u32 a; u32 b",	"u32 a; u64 b",		false },
	{ "e u32 a; u32 b",	"u32 a; u32 b; u32 c",	false },
	{ "e u32 a;u8 b;s16 c",	"u32 a;u8 b;s16 c",	true },
	{ "e u32 a;u8 b;s16 c",	"u32 a; u8 b; s16 c;",	true },
	{ "e u32 a;u8 b;s16 c",	"u32 a;s16 c;u8 b",	false },
	{ "e u32 a;u8 b;s16 c",	"u32 a;u8 b;s16 d",	false },

	/* Arrays are compared as text. */
	{ "e char[20] a",	"char[20] a",		true },
	{ "e char[20] a",	"char[20]  a;",		true },
	{ "e char[20] a",	"char[0x14] a",		false },
	{ "e char[0x14] a",	"char[20] a",		false },
	{ "e char[0x14] a",	"char[0x14] a",		true },
	{ "e char[20] a",	"char[21] a",		false },
	{ "e char[20] a",	"char [20] a",		false },
	{ "e char[20] a",	"char a",		false },
	{ "e char[20] a",	"unsigned char[20] a",	false },

	/* A struct is compared including its size. */
	{ "e struct s a 20",	"struct s a 20",	true },
	{ "e struct s a 20",	"struct  s\ta  20 ;",	true },
	{ "e struct s a +20",	"struct s a 20",	true },
	{ "e struct s a 020",	"struct s a 20",	true },
	{ "e struct s a 20",	"struct s a +20",	true },
	{ "e struct s a 20",	"struct s a 020;",	true },
	{ "e struct s a 0000000000000000020",
				"struct s a 0000000000000000020", true },
	{ "e struct s a 20",	"struct s a 4294967316", false },
	{ "e struct s a 20",	"struct s a 18446744073709551636", false },
	{ "e struct s a 20",	"struct s a +",		false },
	{ "e struct s a 20",	"struct s a -20",	false },
	{ "e struct s a 20",	"struct s a ++20",	false },
	{ "e struct s a 20",	"struct s a 20x",	false },
	{ "e struct s a 20",	"struct s a x",		false },
	{ "e struct s a 16",	"struct s a 020",	false },
	{ "e struct s a 20",	"struct s a 4294967316", false },
	{ "e struct s a 20",	"struct s a",		false },
	{ "e struct s a 20",	"struct s a;",		false },
	{ "e struct s a 20",	"struct s a 21",	false },
	{ "e struct s a 20",	"struct s a 2",		false },
	{ "e struct s a 2",	"struct s a 20",	false },
	{ "e struct s a 20",	"struct s a 200",	false },
	{ "e struct s a 20",	"struct s a 0x14",	false },
	{ "e struct s a 20",	"struct s a 20 1",	false },
	{ "e struct s a 20",	"struct s a;20",	false },
	{ "e struct s a 20",	"struct t a 20",	false },
	{ "e struct s a 20",	"struct s b 20",	false },
	{ "e struct s a 20",	"struct a 20",		false },
	{ "e struct s sa 4",	"struct sa 4",		false },
	{ "e struct s a 20",	"struct s a 000000000000000021", false },
	{ "e struct s a 20",	"struct s a 2000000000000000000", false },
	{ "e struct  a 4",	"struct  a 4",		true },
#if USER_EVENT_HEADER_SIZE == 8
	{ "e struct s a 65527",	"struct s a 65527",	true },
#endif
	{ "e struct s a 4;u8 b", "struct s a 4;u8 b",	true },
	{ "e struct s a 4;u8 b", "struct s a 4 u8 b",	false },
	{ "e struct s a 4;u8 b", "struct s a u8 b",	false },

	{ "e __data_loc char[] a", "__data_loc char[] a",	true },
	{ "e __data_loc char[] a", " __data_loc\tchar[]  a;",	true },
	{ "e __data_loc char[] a", "__rel_loc char[] a",	false },
	{ "e __data_loc char[] a", "__data_loc char a",		false },
	{ "e __data_loc char[] a", "__data_loc unsigned char[] a", false },
	{ "e __data_loc char[] a", "char[] a",			false },
	{ "e __rel_loc unsigned char[] a", "__rel_loc unsigned char[] a",
	  true },
	{ "e __rel_loc unsigned char[] a", "__rel_loc unsigned a", false },

	/* Characters with a byte for which isspace() is true. */
	{ "e u32 \xc3\xa0",	"u32 \xc3\xa0",		true },
	{ "e u32 \xc3\xa0" "b", "u32 \xc3\xa0" "b",	true },
	{ "e u32 \xc3\xa0" "b", "u32 \xc3\xa0" "c",	false },
	{ "e u32 \xc3\xa0",	"u32 \xc3\xa9",		false },
	{ "e u32 \xa0" "a",	"u32 \xa0" "a",		true },
};
/* clang-format on */

/* Maximum number of pieces in the rows below. */
#define MATCH_PIECES 8

/**
 * struct match_pieces_row - a text in pieces and an event
 * @command: the event
 * @pieces: the pieces; NULL ends the list
 * @same: they describe the fields of the event
 */
struct match_pieces_row {
	const char *command;
	const char *pieces[MATCH_PIECES];
	bool same;
};

/* clang-format off */
static const struct match_pieces_row matches_in_pieces[] = {
	{ "e",		{ NULL },				true },
	{ "e",		{ ";" },				true },
	{ "e",		{ ";", ";" },				true },
	{ "e",		{ "" },					true },
	{ "e",		{ "u32", "a" },				false },
	{ "e",		{ ";", "a" },				false },
	{ "e u32 a",	{ NULL },				false },
	{ "e u32 a",	{ "u32" },				false },
	{ "e u32 a",	{ "u32", "a" },				true },
	{ "e u32 a",	{ "u32 a" },				true },
	{ "e u32 a",	{ "u32", "a;" },			true },
	{ "e u32 a",	{ "u32", "a", ";" },			true },
	{ "e u32 a",	{ ";", "u32", "a" },			true },
	{ "e u32 a",	{ "", "u32", "", "a", "" },		true },
	{ "e u32 a",	{ "u32", ";", "a" },			false },
	{ "e u32 a",	{ "u3", "2", "a" },			false },
	{ "e u32 ab",	{ "u32", "a", "b" },			false },
	{ "e u32 a",	{ "u32", "a", "4" },			false },
	{ "e u32 a",	{ "u32", "a", "u32", "a" },		false },
	{ "e u32 a;u8 b", { "u32", "a;", "u8", "b" },		true },
	{ "e u32 a;u8 b", { "u32", "a;u8", "b" },		true },
	{ "e u32 a;u8 b", { "u32", "a", ";u8", "b" },		true },
	{ "e u32 a;u8 b", { "u32", "a", ";", "u8", "b;" },	true },
	{ "e u32 a;u8 b", { "u32 a;u8 b" },			true },
	{ "e u32 a;u8 b", { "u32", "a", "u8", "b" },		false },
	{ "e u32 a;u8 b", { "u32", "a;", "u8" },		false },
	{ "e u32 a;u8 b", { "u32", "a;" },			false },
	{ "e u32 a;u8 b", { "u8", "b;", "u32", "a" },		false },
	{ "e struct s a 20", { "struct", "s", "a", "20" },	true },
	{ "e struct s a 20", { "struct", "s", "a", "20;" },	true },
	{ "e struct s a 20", { "struct", "s", "a" },		false },
	{ "e struct s a 20", { "struct", "s", "a", "2", "0" },	false },
	{ "e struct s a 20", { "struct", "s", "a;", "20" },	false },
	{ "e __data_loc unsigned char[] a;u8 b",
	  { "__data_loc", "unsigned", "char[]", "a;", "u8", "b" }, true },
	{ "e __data_loc unsigned char[] a;u8 b",
	  { "__data_loc", "char[]", "a;", "u8", "b" },		false },
};
/* clang-format on */

#endif /* USER_EVENTS_TESTS_TABLES_MATCH_H */
