/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Known types, unknown types, and lengths of arrays.
 */
#ifndef USER_EVENTS_TESTS_TABLES_FIELD_TYPE_H
#define USER_EVENTS_TESTS_TABLES_FIELD_TYPE_H

/**
 * struct known_type_row - a known type
 * @text: the type
 * @class: where the bytes are
 * @size: size in bytes, 0 if the definition has it
 * @is_signed: ``signed:`` in the format file
 * @is_string: it points at a string
 * @format: conversion in print fmt
 */
struct known_type_row {
	const char *text;
	enum field_class class;
	u32 size;
	bool is_signed;
	bool is_string;
	const char *format;
};

/* clang-format off */
static const struct known_type_row known_types[] = {
	{ "s64",		FIELD_SCALAR,	8, true,  false, "%lld" },
	{ "u64",		FIELD_SCALAR,	8, false, false, "%llu" },
	{ "s32",		FIELD_SCALAR,	4, true,  false, "%d" },
	{ "int",		FIELD_SCALAR,	4, true,  false, "%d" },
	{ "u32",		FIELD_SCALAR,	4, false, false, "%u" },
	{ "unsigned int",	FIELD_SCALAR,	4, false, false, "%u" },
	{ "s16",		FIELD_SCALAR,	2, true,  false, "%d" },
	{ "short",		FIELD_SCALAR,	2, true,  false, "%d" },
	{ "u16",		FIELD_SCALAR,	2, false, false, "%u" },
	{ "unsigned short",	FIELD_SCALAR,	2, false, false, "%u" },
	{ "s8",			FIELD_SCALAR,	1, true,  false, "%d" },
	{ "char",		FIELD_SCALAR,	1, true,  false, "%d" },
	{ "u8",			FIELD_SCALAR,	1, false, false, "%u" },
	{ "unsigned char",	FIELD_SCALAR,	1, false, false, "%u" },

	/* array_lens[] has the lengths. */
	{ "char[16]",		FIELD_ARRAY,	0, true,  false, "%s" },
	{ "char[",		FIELD_ARRAY,	0, true,  false, "%s" },
	{ "char[4]x",		FIELD_ARRAY,	0, true,  false, "%s" },
	{ "unsigned char[16]",	FIELD_ARRAY,	0, false, false, "%s" },

	{ "struct s",		FIELD_STRUCT,	0, true,  false, "%llu" },
	{ "struct ",		FIELD_STRUCT,	0, true,  false, "%llu" },
	{ "struct u",		FIELD_STRUCT,	0, true,  false, "%llu" },
	{ "struct mychar",	FIELD_STRUCT,	0, true,  false, "%llu" },

	{ "__data_loc char[]",	FIELD_DATA_LOC,	4, true,  true,  "%s" },
	{ "__data_loc unsigned char[]",
				FIELD_DATA_LOC,	4, true,  true,  "%s" },
	{ "__data_loc char",	FIELD_DATA_LOC,	4, true,  true,  "%llu" },
	{ "__data_loc wchar_t",	FIELD_DATA_LOC,	4, true,  true,  "%llu" },
	{ "__data_loc u8[]",	FIELD_DATA_LOC,	4, true,  false, "%llu" },
	{ "__data_loc foo",	FIELD_DATA_LOC,	4, true,  false, "%llu" },
	{ "__data_loc cha[]r",	FIELD_DATA_LOC,	4, true,  false, "%llu" },
	{ "__data_loc ",	FIELD_DATA_LOC,	4, true,  false, "%llu" },
	{ "__rel_loc char[]",	FIELD_REL_LOC,	4, true,  true,  "%s" },
	{ "__rel_loc unsigned char[]",
				FIELD_REL_LOC,	4, true,  true,  "%s" },
	{ "__rel_loc char",	FIELD_REL_LOC,	4, true,  true,  "%llu" },
	{ "__rel_loc u8[]",	FIELD_REL_LOC,	4, true,  false, "%llu" },
	{ "__rel_loc ",		FIELD_REL_LOC,	4, true,  false, "%llu" },

	/* Similar to the two words, but not special. */
	{ "struct data_loc",	FIELD_STRUCT,	0, true,  false, "%llu" },
	{ "struct __rel_lo",	FIELD_STRUCT,	0, true,  false, "%llu" },
	{ "__data_loc __data",	FIELD_DATA_LOC,	4, true,  false, "%llu" },

	/* Filters take no other type for a mask. */
	{ "__rel_loc cpumask_t", FIELD_REL_LOC,	4, true,  false, "%llu" },
	{ "__data_loc cpumask",	FIELD_DATA_LOC,	4, true,  false, "%llu" },
	{ "struct cpumask_t",	FIELD_STRUCT,	0, true,  false, "%llu" },
};
/* clang-format on */

/**
 * struct unknown_type_row - an unknown type
 * @text: the type
 */
struct unknown_type_row {
	const char *text;
};

static const struct unknown_type_row unknown_types[] = {
	{ "" },
	{ " " },
	{ "u" },
	{ "u3" },
	{ "u33" },
	{ "u322" },
	{ "u128" },
	{ "s" },
	{ "U32" },
	{ "u32 " },
	{ " u32" },
	{ "u32\t" },
	{ "u32[4]" },
	{ "s8[4]" },
	{ "int[4]" },
	{ "short[4]" },
	{ "u32*" },
	{ "char*" },
	{ "char *" },
	{ "char]" },
	{ "char(4)" },
	{ "chars" },
	{ "Char" },
	{ " char[4]" },
	{ "signed char" },
	{ "signed int" },
	{ "integer" },
	{ "long" },
	{ "unsigned long" },
	{ "long long" },
	{ "bool" },
	{ "float" },
	{ "double" },
	{ "void" },
	{ "size_t" },
	{ "const int" },
	{ "unsigned" },
	{ "unsigned " },
	{ "unsigned a" },
	{ "unsigned  int" },
	{ "unsigned u32" },
	{ "unsigned short[2]" },
	{ "unsigned struct s" },
	{ "struct" },
	{ "structs s" },
	{ "struct\ts" },
	{ "union u" },
	{ "enum e" },
	{ "__data_loc" },
	{ "__rel_loc" },
	{ "__data_locchar[]" },
	{ "_data_loc char[]" },
	{ "data_loc char[]" },
	{ "__DATA_LOC char[]" },
	{ "unsigned __data_loc char[]" },

	/* The two words in the wrong place. */
	{ "struct __data_loc" },
	{ "struct __rel_loc" },
	{ "struct a__data_locb" },
	{ "struct a__rel_locb" },
	{ "char[4]__data_loc" },
	{ "char[4]__rel_loc" },
	{ "unsigned char[4]__rel_loc" },
	{ "__data_loc __data_loc" },
	{ "__data_loc __rel_loc" },
	{ "__rel_loc __data_loc" },
	{ "__rel_loc __rel_loc" },
	{ "__data_loc x__rel_loc" },
	{ "__rel_loc char[]__data_loc" },

	/* Filters read a whole mask, whatever the size in the word is. */
	{ "__data_loc cpumask_t" },
	{ "__data_loc unsigned cpumask_t" },
	{ "__data_loc cpumask_t[]" },
	{ "__data_loc char cpumask_t" },
};

/**
 * struct array_len_row - an array type
 * @text: the type
 * @len: number of elements, or -EINVAL
 */
struct array_len_row {
	const char *text;
	int len;
};

static const struct array_len_row array_lens[] = {
	{ "char[1]", 1 },
	{ "char[2]", 2 },
	{ "char[20]", 20 },
	{ "char[1023]", 1023 },
	{ "char[1024]", 1024 },
	{ "unsigned char[7]", 7 },
	{ "unsigned char[1024]", 1024 },

	/* Decimal, octal, hexadecimal, with a sign. */
	{ "char[0x1]", 1 },
	{ "char[0x14]", 20 },
	{ "char[0X14]", 20 },
	{ "char[0xff]", 255 },
	{ "char[0xFF]", 255 },
	{ "char[0x400]", 1024 },
	{ "char[01]", 1 },
	{ "char[024]", 20 },
	{ "char[02000]", 1024 },
	{ "char[+5]", 5 },
	{ "char[+1024]", 1024 },
	{ "char[+0x10]", 16 },
	{ "char[+010]", 8 },

	/* At most seven characters behind the '[', including the ']'. */
	{ "char[000004]", 4 },
	{ "char[0000004]", -EINVAL },
	{ "char[0x0004]", 4 },
	{ "char[0x00004]", -EINVAL },
	{ "char[4]xxxxx", 4 },
	{ "char[4]xxxxxx", -EINVAL },
	{ "char[1024]xx", 1024 },
	{ "char[1024]xxx", -EINVAL },

	/* Text behind the first ']' is ignored. */
	{ "char[4]]", 4 },
	{ "char[4][5]", 4 },
	{ "char[4]\t", 4 },
	{ "char[4][", 4 },

	{ "char[0]", -EINVAL },
	{ "char[00]", -EINVAL },
	{ "char[0x0]", -EINVAL },
	{ "char[+0]", -EINVAL },
	{ "char[1025]", -EINVAL },
	{ "char[0x401]", -EINVAL },
	{ "char[02001]", -EINVAL },
	{ "char[+1025]", -EINVAL },
	{ "char[65536]", -EINVAL },
	{ "char[99999]", -EINVAL },
	{ "char[999999]", -EINVAL },
	{ "char[4294967297]", -EINVAL },
	{ "char[-1]", -EINVAL },
	{ "char[-0]", -EINVAL },
	{ "char[+-5]", -EINVAL },
	{ "char[++5]", -EINVAL },
	{ "char[+]", -EINVAL },
	{ "char[-]", -EINVAL },
	{ "char[]", -EINVAL },
	{ "char[", -EINVAL },
	{ "char[5", -EINVAL },
	{ "char[[5]", -EINVAL },
	{ "char[]5", -EINVAL },
	{ "char[aa]", -EINVAL },
	{ "char[n]", -EINVAL },
	{ "char[5x]", -EINVAL },
	{ "char[5.]", -EINVAL },
	{ "char[5 ]", -EINVAL },
	{ "char[ 5]", -EINVAL },
	{ "char[\t5]", -EINVAL },
	{ "char[0x]", -EINVAL },
	{ "char[0xg]", -EINVAL },
	{ "char[x5]", -EINVAL },
	{ "char[08]", -EINVAL },
	{ "char[0b11]", -EINVAL },
	{ "char[1e3]", -EINVAL },
	{ "char[1_0]", -EINVAL },
	{ "char[1,2]", -EINVAL },
	{ "char", -EINVAL },
	{ "char]5[", -EINVAL },
	{ "", -EINVAL },
};

#endif /* USER_EVENTS_TESTS_TABLES_FIELD_TYPE_H */
