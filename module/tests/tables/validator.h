/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records with words that point at other bytes, and the expected results.
 */
#ifndef USER_EVENTS_TESTS_TABLES_VALIDATOR_H
#define USER_EVENTS_TESTS_TABLES_VALIDATOR_H

#include "repeat.h"

/* Maximum number of fields of a row, each a word of four bytes. */
#define VALIDATOR_WORDS 3

/* A word with an offset and a size. */
#define LOC(offset, size) ((u32)(size) << 16 | (offset))

/* Padding so that the tail of an event with one word starts at 65532. */
#define PAD_MAX (65528 - USER_EVENT_HEADER_SIZE)

/**
 * struct validator_row - a record
 * @fields: the fields of the event, each of four bytes
 * @expected: expected result of ue_record_validate()
 * @pad: bytes other than NUL between the words and @tail
 * @tail: last bytes of the record
 * @tail_len: number of these
 * @words: values of the fields
 *
 * The words, the padding and the tail follow the header. The tail of an event
 * with one word starts at AT(12).
 */
struct validator_row {
	const char *fields;
	int expected;
	u32 pad;
	const char *tail;
	u32 tail_len;
	u32 words[VALIDATOR_WORDS];
};

#define DATA_STRING "__data_loc char[] a"
#define DATA_BYTES "__data_loc u8[] a"
#define REL_STRING "__rel_loc char[] a"
#define REL_BYTES "__rel_loc u8[] a"
#define TWO_STRINGS "__data_loc char[] a;__rel_loc char[] b"

/* clang-format off */
static const struct validator_row validations[] = {
	/* Without words to check, the tail can be anything. */
	{ "", 0, 0, "", 0 },
	{ "", 0, 0, "abc", 3 },
	{ "u32 a", 0, 0, "", 0, { 0xffffffff } },
	{ "u32 a;s32 b", 0, 0, "abc", 3, { LOC(99, 99), LOC(99, 99) } },
	{ "struct s a 4", 0, 0, "", 0, { 0xffffffff } },

	/* A string at an absolute offset: bytes 12 to 15, the end is 16. */
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(AT(12), 4) } },
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(AT(13), 3) } },
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(AT(15), 1) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(12), 3) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(12), 1) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(14), 1) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(12), 5) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(13), 4) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(16), 1) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(17), 1) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(12), 65535) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(65535, 1) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(65535, 65535) } },
	{ DATA_STRING, -EFAULT,	0, "abcd", 4, { LOC(AT(12), 4) } },
	{ DATA_STRING, 0,	0, "a\0c\0", 4, { LOC(AT(12), 2) } },
	{ DATA_STRING, 0,	0, "a\0c\0", 4, { LOC(AT(12), 4) } },
	{ DATA_STRING, -EFAULT,	0, "", 0, { LOC(AT(12), 1) } },

	/* A string may start in the header, but must not end there. */
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(0, AT(16)) } },
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(7, AT(9)) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(0, AT(15)) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(0, AT(17)) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(0, 1) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(0, AT(8)) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(4, AT(4)) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(7, AT(1)) } },

	/* A string may be in the words. */
	{ "__data_loc char[] a;u32 b", 0, 0, "", 0,
	  { LOC(AT(12), 4), 0x00616161 } },
	{ "__data_loc char[] a;u32 b", -EFAULT, 0, "", 0,
	  { LOC(AT(12), 4), 0x61616161 } },
	{ "__data_loc char[] a;u32 b", -EFAULT, 0, "", 0,
	  { LOC(AT(12), 5), 0 } },

	/* An empty string is checked as if it ended just before its offset. */
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(0, 0) } },
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(4, 0) } },
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(AT(8), 0) } },
	{ DATA_STRING, 0,	0, "abc\0", 4, { LOC(AT(12), 0) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(13), 0) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(15), 0) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(AT(17), 0) } },
	{ DATA_STRING, -EFAULT,	0, "abc\0", 4, { LOC(65535, 0) } },
	{ DATA_STRING, 0,	0, "a\0c\0", 4, { LOC(AT(14), 0) } },
	{ "u32 a;__data_loc char[] b", -EFAULT, 0, "abc\0", 4,
	  { 0x61616161, LOC(AT(9), 0) } },
	{ "u32 a;__data_loc char[] b", 0, 0, "abc\0", 4,
	  { 0x61616161, LOC(AT(8), 0) } },
	/* A reader then continues to the next NUL, which may be missing. */
	{ DATA_STRING, 1,	0, "abc\0", 4, { LOC(AT(16), 0) } },
	{ DATA_STRING, 1,	0, "a\0cd", 4, { LOC(AT(14), 0) } },
	{ DATA_STRING, 1,	0, "abcd", 4, { LOC(AT(12), 0) } },
	{ DATA_STRING, -EFAULT,	0, "abcd", 4, { LOC(AT(16), 0) } },
	{ DATA_STRING, 1,	0, "", 0, { LOC(AT(12), 0) } },
	{ DATA_STRING, -EFAULT,	0, "", 0, { LOC(AT(13), 0) } },
	{ DATA_STRING, 0,	0, "", 0, { LOC(0, 0) } },

	/* "char" in other places. */
	{ "__data_loc char a", -EFAULT,	0, "abc\0", 4, { LOC(AT(12), 3) } },
	{ "__data_loc char a", 0,	0, "abc\0", 4, { LOC(AT(12), 4) } },
	{ "__data_loc unsigned char[] a", -EFAULT, 0, "abc\0", 4,
	  { LOC(AT(12), 3) } },
	{ "__data_loc wchar_t a", -EFAULT, 0, "abc\0", 4, { LOC(AT(12), 3) } },

	/* Bytes: only the bounds are checked. */
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(AT(12), 4) } },
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(AT(12), 3) } },
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(AT(15), 1) } },
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(AT(16), 0) } },
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(AT(13), 0) } },
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(0, 0) } },
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(0, AT(8)) } },
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(7, AT(1)) } },
	{ DATA_BYTES, 0,	0, "abcd", 4, { LOC(0, AT(16)) } },
	{ DATA_BYTES, -EFAULT,	0, "abcd", 4, { LOC(0, AT(17)) } },
	{ DATA_BYTES, -EFAULT,	0, "abcd", 4, { LOC(AT(12), 5) } },
	{ DATA_BYTES, -EFAULT,	0, "abcd", 4, { LOC(AT(13), 4) } },
	{ DATA_BYTES, -EFAULT,	0, "abcd", 4, { LOC(AT(16), 1) } },
	{ DATA_BYTES, -EFAULT,	0, "abcd", 4, { LOC(AT(17), 0) } },
	{ DATA_BYTES, -EFAULT,	0, "abcd", 4, { LOC(65535, 65535) } },
	{ DATA_BYTES, 0,	0, "", 0, { LOC(AT(12), 0) } },
	{ DATA_BYTES, -EFAULT,	0, "", 0, { LOC(AT(12), 1) } },

	/*
	 * A string at an offset relative to the end of the word, which is 12.
	 */
	{ REL_STRING, 0,	0, "abc\0", 4, { LOC(0, 4) } },
	{ REL_STRING, 0,	0, "abc\0", 4, { LOC(1, 3) } },
	{ REL_STRING, 0,	0, "abc\0", 4, { LOC(3, 1) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(0, 3) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(2, 1) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(0, 5) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(1, 4) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(4, 1) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(12, 4) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(0, 65535) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(65532, 4) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(65535, 65535) } },
	{ REL_STRING, 0,	0, "abc\0", 4, { LOC(0, 0) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(1, 0) } },
	{ REL_STRING, 1,	0, "abc\0", 4, { LOC(4, 0) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(5, 0) } },
	{ REL_STRING, -EFAULT,	0, "abc\0", 4, { LOC(65535, 0) } },
	{ REL_STRING, 1,	0, "", 0, { LOC(0, 0) } },
	{ REL_STRING, -EFAULT,	0, "", 0, { LOC(0, 1) } },
	{ REL_STRING, -EFAULT,	0, "", 0, { LOC(1, 0) } },

	{ REL_BYTES, 0,		0, "abcd", 4, { LOC(0, 4) } },
	{ REL_BYTES, 0,		0, "abcd", 4, { LOC(4, 0) } },
	{ REL_BYTES, -EFAULT,	0, "abcd", 4, { LOC(0, 5) } },
	{ REL_BYTES, -EFAULT,	0, "abcd", 4, { LOC(5, 0) } },
	{ REL_BYTES, -EFAULT,	0, "abcd", 4, { LOC(65535, 0) } },

	/* The word is not always the first field. */
	{ "u32 x;" DATA_STRING, 0,	 0, "abc\0", 4, { 0, LOC(AT(16), 4) } },
	{ "u32 x;" DATA_STRING, -EFAULT, 0, "abc\0", 4, { 0, LOC(AT(16), 5) } },
	{ "u32 x;" DATA_STRING, 0,	 0, "abc\0", 4,
	  { LOC(99, 99), LOC(AT(16), 4) } },
	{ "u32 x;" REL_STRING, 0,	 0, "abc\0", 4, { 0, LOC(0, 4) } },
	{ "u32 x;" REL_STRING, -EFAULT,	 0, "abc\0", 4, { 0, LOC(0, 5) } },
	{ REL_STRING ";u32 x", 0,	 0, "abc\0", 4, { LOC(4, 4), 0 } },
	{ REL_STRING ";u32 x", -EFAULT,	 0, "abc\0", 4, { LOC(4, 5), 0 } },

	/* Every word is checked. Two words end at 16, the record ends at 20. */
	{ TWO_STRINGS, 0,	0, "abc\0", 4, { LOC(AT(16), 4), LOC(0, 4) } },
	{ TWO_STRINGS, 0,	0, "a\0c\0", 4, { LOC(AT(16), 2), LOC(2, 2) } },
	{ TWO_STRINGS, -EFAULT,	0, "abc\0", 4, { LOC(AT(16), 3), LOC(0, 4) } },
	{ TWO_STRINGS, -EFAULT,	0, "abc\0", 4, { LOC(AT(16), 4), LOC(0, 3) } },
	{ TWO_STRINGS, -EFAULT,	0, "abc\0", 4, { LOC(AT(16), 5), LOC(0, 4) } },
	{ TWO_STRINGS, -EFAULT,	0, "abc\0", 4, { LOC(AT(16), 4), LOC(0, 5) } },
	{ TWO_STRINGS, 1,	0, "abc\0", 4, { LOC(AT(20), 0), LOC(0, 4) } },
	{ TWO_STRINGS, 1,	0, "abc\0", 4, { LOC(AT(16), 4), LOC(4, 0) } },
	{ TWO_STRINGS, 1,	0, "abc\0", 4, { LOC(AT(20), 0), LOC(4, 0) } },
	{ TWO_STRINGS, -EFAULT,	0, "abc\0", 4, { LOC(AT(20), 0), LOC(0, 3) } },
	{ TWO_STRINGS, -EFAULT,	0, "abc\0", 4, { LOC(AT(16), 3), LOC(4, 0) } },
	{ "__data_loc u8[] a;__data_loc char[] b;__rel_loc u8[] c", 0,
	  0, "abc\0", 4, { LOC(AT(20), 3), LOC(AT(20), 4), LOC(0, 3) } },
	{ "__data_loc u8[] a;__data_loc char[] b;__rel_loc u8[] c", -EFAULT,
	  0, "abc\0", 4, { LOC(AT(20), 3), LOC(AT(20), 3), LOC(0, 3) } },
	{ "__data_loc u8[] a;__data_loc char[] b;__rel_loc u8[] c", -EFAULT,
	  0, "abc\0", 4, { LOC(AT(20), 3), LOC(AT(20), 4), LOC(0, 5) } },

	/* The largest offset. The tail starts at 65532. */
	{ DATA_STRING, 0,	PAD_MAX, "abc\0", 4, { LOC(65532, 4) } },
	{ DATA_STRING, 0,	PAD_MAX, "abc\0", 4, { LOC(65535, 1) } },
	{ DATA_STRING, -EFAULT,	PAD_MAX, "abc\0", 4, { LOC(65532, 3) } },
	{ DATA_STRING, -EFAULT,	PAD_MAX, "abc\0", 4, { LOC(65535, 2) } },
	{ DATA_STRING, 0,	PAD_MAX, "\0bc\0", 4,
	  { LOC(AT(12), PAD_MAX + 1) } },
	{ DATA_STRING, -EFAULT,	PAD_MAX, "\0bc\0", 4,
	  { LOC(AT(12), PAD_MAX) } },
	{ DATA_STRING, 0,	PAD_MAX, "abc\0", 4, { LOC(1, 65535) } },
	{ DATA_BYTES, 0,	PAD_MAX, "abcd", 4, { LOC(1, 65535) } },
	{ DATA_BYTES, -EFAULT,	PAD_MAX, "abcd", 4, { LOC(2, 65535) } },
	{ REL_STRING, 0,	PAD_MAX, "abc\0", 4, { LOC(PAD_MAX, 4) } },
	{ REL_STRING, -EFAULT,	PAD_MAX, "abc\0", 4, { LOC(PAD_MAX, 5) } },
	{ REL_STRING, 1,	PAD_MAX, "abc\0", 4, { LOC(PAD_MAX + 4, 0) } },
	{ REL_STRING, -EFAULT,	PAD_MAX, "abc\0", 4, { LOC(PAD_MAX + 5, 0) } },
};
/* clang-format on */

#endif /* USER_EVENTS_TESTS_TABLES_VALIDATOR_H */
