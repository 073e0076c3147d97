/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BTF: kinds of types, questions about structures, and damaged headers.
 */
#ifndef USER_EVENTS_TESTS_TABLES_BTF_H
#define USER_EVENTS_TESTS_TABLES_BTF_H

/* Kinds by number: the headers of older kernels lack some. */
enum {
	KIND_INT = 1,
	KIND_PTR = 2,
	KIND_ARRAY = 3,
	KIND_STRUCT = 4,
	KIND_UNION = 5,
	KIND_ENUM = 6,
	KIND_FWD = 7,
	KIND_TYPEDEF = 8,
	KIND_VOLATILE = 9,
	KIND_CONST = 10,
	KIND_RESTRICT = 11,
	KIND_FUNC = 12,
	KIND_FUNC_PROTO = 13,
	KIND_VAR = 14,
	KIND_DATASEC = 15,
	KIND_FLOAT = 16,
	KIND_DECL_TAG = 17,
	KIND_TYPE_TAG = 18,
	KIND_ENUM64 = 19,
};

/**
 * struct btf_kind_row - a kind of type in front of the structure
 * @kind: its number
 * @vlen: number of its elements
 * @words: 4-byte words behind its header; meaningless unless @known
 * @known: the kind is supported
 */
struct btf_kind_row {
	u32 kind;
	u32 vlen;
	u32 words;
	bool known;
};

/* clang-format off */
static const struct btf_kind_row btf_kinds[] = {
	{ KIND_INT,		0, 1, true },
	{ KIND_PTR,		0, 0, true },
	{ KIND_ARRAY,		0, 3, true },
	{ KIND_STRUCT,		0, 0, true },
	{ KIND_STRUCT,		1, 3, true },
	{ KIND_STRUCT,		5, 15, true },
	{ KIND_UNION,		0, 0, true },
	{ KIND_UNION,		3, 9, true },
	{ KIND_ENUM,		0, 0, true },
	{ KIND_ENUM,		3, 6, true },
	{ KIND_FWD,		0, 0, true },
	{ KIND_TYPEDEF,		0, 0, true },
	{ KIND_VOLATILE,	0, 0, true },
	{ KIND_CONST,		0, 0, true },
	{ KIND_RESTRICT,	0, 0, true },
	/* The linkage instead of a number of elements. */
	{ KIND_FUNC,		1, 0, true },
	{ KIND_FUNC_PROTO,	0, 0, true },
	{ KIND_FUNC_PROTO,	3, 6, true },
	{ KIND_VAR,		0, 1, true },
	{ KIND_DATASEC,		0, 0, true },
	{ KIND_DATASEC,		3, 9, true },
	{ KIND_FLOAT,		0, 0, true },
	{ KIND_DECL_TAG,	0, 1, true },
	{ KIND_TYPE_TAG,	0, 0, true },
	{ KIND_ENUM64,		0, 0, true },
	{ KIND_ENUM64,		3, 9, true },

	{ 0,			0, 0, false },
	{ 20,			0, 0, false },
	{ 21,			1, 1, false },
	{ 31,			0, 0, false },
};
/* clang-format on */

/**
 * struct btf_question_row - a question about the sample
 * @structure: name of a structure
 * @member: name of a member
 * @offset: expected offset in bytes
 * @expected: expected result of ue_btf_check()
 *
 * The sample, in this order. Offsets are in bytes unless noted:
 *
 *	union target	first@64
 *	fwd target
 *	struct other	first@64, alone@0, target@8
 *	struct target	first@0, second@8, last@4096, first@800
 *	struct target	first@16, late@24
 *	struct bits	whole@4, flags@8 of 3 bits, odd@67 bits of 1 bit, far@12
 *	struct empty
 */
struct btf_question_row {
	const char *structure;
	const char *member;
	u32 offset;
	int expected;
};

/* clang-format off */
static const struct btf_question_row btf_questions[] = {
	{ "target",	"first",	0,	0 },
	{ "target",	"second",	8,	0 },
	{ "target",	"last",		4096,	0 },
	{ "other",	"first",	8,	0 },
	{ "other",	"alone",	0,	0 },
	{ "other",	"target",	1,	0 },

	{ "target",	"first",	1,	-ESRCH },
	{ "target",	"first",	8,	-ESRCH },
	{ "target",	"second",	0,	-ESRCH },
	{ "target",	"second",	7,	-ESRCH },
	{ "target",	"second",	9,	-ESRCH },
	{ "target",	"second",	64,	-ESRCH },
	{ "target",	"last",		4095,	-ESRCH },
	{ "target",	"last",		512,	-ESRCH },
	/* The first of two members and of two structures counts. */
	{ "target",	"first",	100,	-ESRCH },
	{ "target",	"first",	16,	-ESRCH },
	{ "target",	"late",		24,	-ESRCH },

	{ "target",	"missing",	0,	-ESRCH },
	{ "target",	"alone",	0,	-ESRCH },
	{ "target",	"",		0,	-ESRCH },
	{ "target",	"firs",		0,	-ESRCH },
	{ "target",	"irst",		0,	-ESRCH },
	{ "target",	"firsts",	0,	-ESRCH },
	{ "missing",	"first",	0,	-ESRCH },
	{ "targe",	"first",	0,	-ESRCH },
	{ "arget",	"first",	0,	-ESRCH },
	{ "targets",	"first",	0,	-ESRCH },
	{ "",		"first",	0,	-ESRCH },
	{ "empty",	"first",	0,	-ESRCH },

	/* With bit fields the upper byte of an offset is a number of bits. */
	{ "bits",	"whole",	4,	0 },
	{ "bits",	"flags",	8,	0 },
	{ "bits",	"far",		12,	0 },
	{ "bits",	"flags",	7,	-ESRCH },
	{ "bits",	"odd",		8,	-ESRCH },
	{ "bits",	"odd",		9,	-ESRCH },
};
/* clang-format on */

/* Part of the BTF whose size is added to a value. */
enum btf_part {
	BTF_NOTHING,
	BTF_ROOM,
	BTF_TYPES,
	BTF_STRINGS,
};

/**
 * struct btf_damage_row - an invalid header
 * @what: name of the case
 * @at: offset of a member of the header
 * @bytes: size of the member
 * @of: the size of this part is added to @value
 * @value: value of the member
 */
struct btf_damage_row {
	const char *what;
	size_t at;
	size_t bytes;
	enum btf_part of;
	u32 value;
};

#define BTF_MEMBER(name) \
	offsetof(struct btf_header, name), sizeof_field(struct btf_header, name)

/* clang-format off */
static const struct btf_damage_row btf_damages[] = {
	{ "magic 0",		 BTF_MEMBER(magic), BTF_NOTHING, 0 },
	{ "magic swapped",	 BTF_MEMBER(magic), BTF_NOTHING, 0x9feb },
	{ "magic off by one",	 BTF_MEMBER(magic), BTF_NOTHING, 0xeb9e },
	/* One of these is aligned. */
	{ "header too long by 1", BTF_MEMBER(hdr_len), BTF_ROOM, 25 },
	{ "header too long by 2", BTF_MEMBER(hdr_len), BTF_ROOM, 26 },
	{ "header too long by 3", BTF_MEMBER(hdr_len), BTF_ROOM, 27 },
	{ "header too long by 4", BTF_MEMBER(hdr_len), BTF_ROOM, 28 },
	{ "header of 4 GiB",	 BTF_MEMBER(hdr_len), BTF_NOTHING, 0xffffffff },
	{ "types beyond",	 BTF_MEMBER(type_off), BTF_ROOM, 4 },
	{ "types not aligned",	 BTF_MEMBER(type_off), BTF_NOTHING, 2 },
	{ "header not aligned",	 BTF_MEMBER(hdr_len), BTF_NOTHING, 23 },
	{ "types at 4 GiB",	 BTF_MEMBER(type_off), BTF_NOTHING, 0xfffffffc },
	{ "types too long",	 BTF_MEMBER(type_len), BTF_ROOM, 4 },
	{ "types of 4 GiB",	 BTF_MEMBER(type_len), BTF_NOTHING, 0xfffffffc },
	{ "last type cut by 1",	 BTF_MEMBER(type_len), BTF_TYPES, -1 },
	{ "last type cut by 4",	 BTF_MEMBER(type_len), BTF_TYPES, -4 },
	{ "last type cut by 11", BTF_MEMBER(type_len), BTF_TYPES, -11 },
	{ "types into strings",	 BTF_MEMBER(type_len), BTF_TYPES, 1 },
	{ "strings beyond",	 BTF_MEMBER(str_off), BTF_ROOM, 1 },
	{ "strings off by one",	 BTF_MEMBER(str_off), BTF_TYPES, 1 },
	{ "strings at 4 GiB",	 BTF_MEMBER(str_off), BTF_NOTHING, 0xffffffff },
	{ "strings too long",	 BTF_MEMBER(str_len), BTF_STRINGS, 1 },
	{ "strings of 4 GiB",	 BTF_MEMBER(str_len), BTF_NOTHING, 0xffffffff },
	{ "strings without end", BTF_MEMBER(str_len), BTF_STRINGS, -1 },
	{ "no strings",		 BTF_MEMBER(str_len), BTF_NOTHING, 0 },
};
/* clang-format on */

#endif /* USER_EVENTS_TESTS_TABLES_BTF_H */
