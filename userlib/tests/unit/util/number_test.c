// SPDX-License-Identifier: MIT
/*
 * Numbers as text, beside those of printf().
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/common.h"
#include "util/number.h"
#include "lib/runner.h"

static const uint64_t numbers[] = {
	0,
	1,
	9,
	10,
	99,
	100,
	1234567890,
	UINT32_MAX,
	INT64_MAX,
	(uint64_t)INT64_MAX + 1,
	(uint64_t)-99,
	(uint64_t)-10,
	UINT64_MAX - 1,
	UINT64_MAX,
};

/* The function must not write more than its result, not even a NUL. */
static void check_text(const char *text, size_t size, const char *expected)
{
	ck_assert_uint_eq(size, strlen(expected));
	ck_assert_int_eq(text[size], 'x');
	ck_assert_mem_eq(text, expected, size);
}

TEST_LOOP(unsigned_like_printf, ARRAY_SIZE(numbers))
{
	char expected[UEV_NUMBER_MAX + 1], text[UEV_NUMBER_MAX + 1];
	int digits;

	for (digits = 0; digits <= UEV_NUMBER_MAX; digits++) {
		/* printf() writes no digit of a 0 with a precision of 0. */
		snprintf(expected, sizeof(expected), "%.*" PRIu64,
			 digits ? digits : 1, numbers[_i]);
		memset(text, 'x', sizeof(text));
		check_text(text,
			   uev_number_text(numbers[_i], (size_t)digits, text),
			   expected);
	}
}

TEST_LOOP(signed_like_printf, ARRAY_SIZE(numbers))
{
	int64_t number = (int64_t)numbers[_i];
	char expected[UEV_NUMBER_MAX + 1], text[UEV_NUMBER_MAX + 1];

	snprintf(expected, sizeof(expected), "%" PRId64, number);
	memset(text, 'x', sizeof(text));
	check_text(text, uev_number_text_signed(number, text), expected);
}
