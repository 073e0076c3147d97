// SPDX-License-Identifier: MIT
/* Comparisons of decoded values of all types. */
#include <math.h>
#include <string.h>

#include "lib/decode_help.h"
#include "lib/runner.h"
#include "query/value.h"

#define U(n)                                             \
	{                                                \
		.type = UEV_DECODED_UNSIGNED, .u64 = (n) \
	}
#define S(n)                                           \
	{                                              \
		.type = UEV_DECODED_SIGNED, .i64 = (n) \
	}
#define F(n)                                                     \
	{                                                        \
		.type = UEV_DECODED_FLOAT, .size = 8, .f64 = (n) \
	}
#define F4(n)                                                           \
	{                                                               \
		.type = UEV_DECODED_FLOAT, .size = 4, .f64 = (float)(n) \
	}
#define E(n)                                          \
	{                                             \
		.type = UEV_DECODED_ERRNO, .i64 = (n) \
	}
#define TIME(n)                                      \
	{                                            \
		.type = UEV_DECODED_TIME, .i64 = (n) \
	}
#define B(n)                                             \
	{                                                \
		.type = UEV_DECODED_BOOL, .boolean = (n) \
	}
#define NIL                              \
	{                                \
		.type = UEV_DECODED_NULL \
	}
#define OF(kind, text, length)                                           \
	{                                                                \
		.type = UEV_DECODED_##kind, .charset = UEV_CHARSET_UTF8, \
		.bytes = (const uint8_t *)(text), .size = (length)       \
	}
#define T(text) OF(TEXT, text, sizeof(text) - 1)
#define LOCALHOST OF(IPV4, "\x7f\0\0\1", 4)
#define LOOPBACK OF(IPV6, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16)
#define UUID                                   \
	OF(UUID,                               \
	   "\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7"  \
	   "\xa8\xa9\xaa\xab\xac\xad\xae\xaf", \
	   16)

static const struct {
	struct uev_decoded_value left;
	enum query_operator op;
	struct uev_decoded_value right;
	enum query_result result;
} rows[] = {
	{ U(UINT64_MAX), QUERY_GREATER, S(-1), QUERY_TRUE },
	{ S(-1), QUERY_LESS, U(UINT64_MAX), QUERY_TRUE },
	{ S(-2), QUERY_LESS, S(-1), QUERY_TRUE },
	{ S(5), QUERY_EQUAL, U(5), QUERY_TRUE },
	{ F(1.5), QUERY_GREATER, U(1), QUERY_TRUE },
	{ F(-0.5), QUERY_LESS, S(0), QUERY_TRUE },
	{ F(NAN), QUERY_EQUAL, F(NAN), QUERY_FALSE },
	{ F(NAN), QUERY_NOT_EQUAL, F(NAN), QUERY_TRUE },
	{ F(NAN), QUERY_LESS_EQUAL, U(0), QUERY_FALSE },
	{ F(NAN), QUERY_GREATER_EQUAL, S(-1), QUERY_FALSE },
	{ U(0), QUERY_NOT_EQUAL, F(NAN), QUERY_TRUE },
	{ U(0), QUERY_GREATER, F(NAN), QUERY_FALSE },
	{ F(-0.0), QUERY_EQUAL, F(0), QUERY_TRUE },
	{ F(-0.0), QUERY_LESS, U(0), QUERY_FALSE },
	{ S(0), QUERY_EQUAL, F(-0.0), QUERY_TRUE },
	{ S(-1), QUERY_LESS, F(-0.0), QUERY_TRUE },
	/* A double has not all integers of 64 bits. */
	{ U(9007199254740993), QUERY_EQUAL, F(9007199254740992), QUERY_FALSE },
	{ U(9007199254740993), QUERY_GREATER, F(9007199254740992), QUERY_TRUE },
	{ F(9007199254740992), QUERY_LESS, U(9007199254740993), QUERY_TRUE },
	{ S(-9007199254740993), QUERY_LESS, F(-9007199254740992), QUERY_TRUE },
	{ U(9007199254740992), QUERY_EQUAL, F(9007199254740992), QUERY_TRUE },
	{ U(UINT64_MAX), QUERY_LESS, F(0x1p64), QUERY_TRUE },
	{ U(UINT64_MAX), QUERY_EQUAL, F(0x1p64), QUERY_FALSE },
	{ S(INT64_MIN), QUERY_EQUAL, F(-0x1p63), QUERY_TRUE },
	{ S(INT64_MIN + 1), QUERY_GREATER, F(-0x1p63), QUERY_TRUE },
	{ S(INT64_MIN), QUERY_GREATER, F(-0x1p64), QUERY_TRUE },
	{ F(INFINITY), QUERY_GREATER, U(UINT64_MAX), QUERY_TRUE },
	{ F(-INFINITY), QUERY_LESS, S(INT64_MIN), QUERY_TRUE },
	{ S(-1), QUERY_GREATER, F(-1.5), QUERY_TRUE },
	{ U(1), QUERY_LESS, F(1.5), QUERY_TRUE },
	{ U(2), QUERY_GREATER, F(1.5), QUERY_TRUE },
	/* The text of this float is 0.1, too. */
	{ F4(0.1), QUERY_EQUAL, F(0.1), QUERY_TRUE },
	{ F4(0.1), QUERY_GREATER, F(0.1), QUERY_FALSE },
	{ F(0.1), QUERY_LESS, F4(0.1), QUERY_FALSE },
	{ F4(0.1), QUERY_GREATER, F(0.09999), QUERY_TRUE },
	{ F4(INFINITY), QUERY_GREATER, F(1e300), QUERY_TRUE },
	{ F4(0), QUERY_LESS, F(1e-300), QUERY_TRUE },
	{ F4(16777216), QUERY_EQUAL, U(16777217), QUERY_FALSE },
	{ B(true), QUERY_EQUAL, U(1), QUERY_TRUE },
	{ B(false), QUERY_LESS, B(true), QUERY_TRUE },
	{ NIL, QUERY_EQUAL, NIL, QUERY_TRUE },
	{ NIL, QUERY_EQUAL, U(0), QUERY_FALSE },
	{ U(0), QUERY_NOT_EQUAL, NIL, QUERY_TRUE },
	{ NIL, QUERY_MATCH, T("*"), QUERY_FALSE },
	{ E(2), QUERY_EQUAL, U(2), QUERY_TRUE },
	{ E(2), QUERY_EQUAL, T("ENOENT"), QUERY_TRUE },
	{ T("ENOENT"), QUERY_EQUAL, E(2), QUERY_TRUE },
	{ E(2), QUERY_EQUAL, T("EIO"), QUERY_FALSE },
	{ E(2), QUERY_LESS, T("EIO"), QUERY_FALSE },
	{ LOCALHOST, QUERY_EQUAL, T("127.0.0.1"), QUERY_TRUE },
	{ T("127.0.0.1"), QUERY_EQUAL, LOCALHOST, QUERY_TRUE },
	{ T("127.0.0.0"), QUERY_LESS, LOCALHOST, QUERY_TRUE },
	{ LOCALHOST, QUERY_LESS, T("127.0.0.10"), QUERY_TRUE },
	{ LOCALHOST, QUERY_EQUAL, T("localhost"), QUERY_MISMATCH },
	{ LOCALHOST, QUERY_EQUAL, LOOPBACK, QUERY_MISMATCH },
	{ LOCALHOST, QUERY_EQUAL, LOCALHOST, QUERY_TRUE },
	{ LOOPBACK, QUERY_EQUAL, T("0:0::1"), QUERY_TRUE },
	{ LOCALHOST, QUERY_MATCH, T("127.*"), QUERY_TRUE },
	{ UUID, QUERY_EQUAL, T("A0A1A2A3-A4A5-a6a7-a8a9-aaabacadaeaf"),
	  QUERY_TRUE },
	{ UUID, QUERY_EQUAL, UUID, QUERY_TRUE },
	{ UUID, QUERY_EQUAL, U(1), QUERY_MISMATCH },
	{ E(2), QUERY_EQUAL, UUID, QUERY_MISMATCH },
	{ UUID, QUERY_LESS, E(2), QUERY_MISMATCH },
	{ OF(BYTES, "\x0a\x1b", 2), QUERY_EQUAL, T("0A 1b"), QUERY_TRUE },
	{ TIME(1709208000), QUERY_EQUAL, T("2024-02-29T12:00:00"), QUERY_TRUE },
	{ TIME(1709208000), QUERY_LESS, T("2024-03"), QUERY_TRUE },
	{ TIME(1709208000), QUERY_GREATER, U(1709207999), QUERY_TRUE },
	{ T("a"), QUERY_LESS, T("ab"), QUERY_TRUE },
	{ T(""), QUERY_LESS, T("a"), QUERY_TRUE },
	{ T("b"), QUERY_GREATER_EQUAL, T("ab"), QUERY_TRUE },
	/* Texts of other encodings are compared by their characters. */
	{ OF(TEXT, "\xc3\xa9", 2),
	  QUERY_EQUAL,
	  { .type = UEV_DECODED_TEXT,
	    .charset = UEV_CHARSET_LATIN1,
	    .bytes = (const uint8_t *)"\xe9",
	    .size = 1 },
	  QUERY_TRUE },
	{ T("5"), QUERY_EQUAL, U(5), QUERY_MISMATCH },
	{ F(1), QUERY_MASK, U(1), QUERY_MISMATCH },
	{ U(6), QUERY_MASK, S(-4), QUERY_TRUE },
};

TEST_LOOP(compares, COUNT(rows))
{
	struct query_scratch scratch = { 0 };

	ck_assert_int_eq(query_compare(rows[_i].op, &rows[_i].left,
				       &rows[_i].right, &scratch),
			 rows[_i].result);
	query_scratch_release(&scratch);
}

TEST(converts_to_numbers)
{
	const struct uev_decoded_value number = S(-7), text = T("7"), nil = NIL,
				       empty = T(""), zero = F(-0.0);
	double result;

	ck_assert(query_number(&number, &result));
	ck_assert(result < -6.5 && result > -7.5);
	ck_assert(!query_number(&text, &result));
	ck_assert(!query_number(&nil, &result));
	ck_assert(query_is_true(&number) && query_is_true(&text));
	ck_assert(!query_is_true(&nil) && !query_is_true(&empty) &&
		  !query_is_true(&zero));
}
