// SPDX-License-Identifier: MIT
/* Floating-point numbers as text, compared with the C library. */
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/runner.h"
#include "util/common.h"
#include "util/float.h"

#define RANDOM_NUMBERS 20000

static uint64_t seed;

static uint64_t next_random(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;

	return seed ^ seed >> 29;
}

static double from_bits(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));

	return number;
}

static float single_from_bits(uint32_t bits)
{
	float number;

	memcpy(&number, &bits, sizeof(number));

	return number;
}

static bool reads_as(const char *text, double value, bool single)
{
	return single ? strtof(text, NULL) == (float)value
		      : strtod(text, NULL) == value;
}

/*
 * Copies the digits of a number without zeros at their start and end. A point is
 * a part of the number, an exponent is not.
 */
static void copy_digits(char *to, const char *text)
{
	char *end = to;

	for (; *text && *text != 'e'; text++)
		if (*text >= '1' || (*text == '0' && end != to))
			*end++ = *text;
	while (end != to && end[-1] == '0')
		end--;
	*end = '\0';
}

/* Has the fewest digits, and of these the nearest to the number. */
static void ck_digits(const char *text, double value, bool single)
{
	char digits[64] = "", shortest[64] = "", rounded[64];
	int count = 0;

	do {
		snprintf(rounded, sizeof(rounded), "%.*e", count++, value);
	} while (!reads_as(rounded, value, single));
	copy_digits(digits, text);
	copy_digits(shortest, rounded);
	/*
	 * Above a power of two, the nearest number with this count of digits
	 * might not be read back although its neighbour is.
	 */
	if (strlen(digits) + 1 == strlen(shortest))
		return;
	ck_assert_msg(!strcmp(digits, shortest), "%a: %s instead of %s", value,
		      text, rounded);
}

static void ck_number(double value, bool single)
{
	char text[UEV_FLOAT_TEXT_MAX];
	size_t length;

	if (!isfinite(value))
		return;
	memset(text, 'x', sizeof(text));
	length = uev_float_text(value, single, text);
	ck_assert_uint_lt(length, sizeof(text));
	ck_assert_uint_eq(length, strlen(text));
	ck_assert_msg(reads_as(text, value, single), "%a: %s", value, text);
	/* All digits of an integer are written, not the fewest. */
	if (value != trunc(value))
		ck_digits(text + (*text == '-'), fabs(value), single);
}

static void ck_around(uint64_t bits)
{
	int i;

	for (i = -2; i <= 2; i++)
		ck_number(from_bits(bits + (uint64_t)i), false);
}

static void ck_single_around(uint32_t bits)
{
	int i;

	for (i = -2; i <= 2; i++)
		ck_number((double)single_from_bits(bits + (uint32_t)i), true);
}

TEST(random_numbers)
{
	int i;

	seed = 1;
	for (i = 0; i < RANDOM_NUMBERS; i++) {
		ck_number(from_bits(next_random()), false);
		ck_number((double)single_from_bits((uint32_t)next_random()),
			  true);
		/* Common ones, with few digits. */
		ck_number((double)(next_random() % 100000) /
				  pow(10, (double)(next_random() % 9)),
			  false);
	}
}

/* With all powers of ten that the conversion uses. */
TEST(all_exponents)
{
	uint64_t exponent;

	seed = 2;
	for (exponent = 0; exponent <= 2046; exponent++) {
		ck_around(exponent << 52);
		ck_around(exponent << 52 | next_random() >> 12);
	}
	for (exponent = 0; exponent <= 254; exponent++) {
		ck_single_around((uint32_t)exponent << 23);
		ck_single_around((uint32_t)exponent << 23 |
				 (uint32_t)(next_random() >> 41));
	}
}

TEST(denormal_numbers)
{
	uint32_t i;

	for (i = 1; i < 2000; i++) {
		ck_number(from_bits(i), false);
		ck_number((double)single_from_bits(i), true);
		ck_number(from_bits(next_random() >> (12 + i % 50)), false);
	}
}

TEST(powers_of_ten)
{
	char text[32];
	uint64_t bits;
	double number;
	int i;

	for (i = -323; i <= 308; i++) {
		snprintf(text, sizeof(text), "1e%d", i);
		number = strtod(text, NULL);
		memcpy(&bits, &number, sizeof(bits));
		ck_around(bits);
	}
}

/*
 * The number that is nearest to the middle of two decimal numbers, with
 * 2^-67 of their distance.
 */
TEST(almost_halfway)
{
	ck_number(ldexp(8887055249355788, 664), false);
	ck_number(ldexp(5592117679628511, 164), false);
}

static const struct {
	double value;
	const char *text;
	const char *single;
} forms[] = {
	{ 0, "0", "0" },
	{ -0.0, "-0", "-0" },
	{ 1, "1", "1" },
	{ -1.5, "-1.5", "-1.5" },
	{ 0.1, "0.1", "0.1" },
	{ 1.0 / 3, "0.3333333333333333", "0.33333334" },
	{ 0.001, "0.001", "0.001" },
	{ 0.00001, "1e-05", "1e-05" },
	{ 123456.75, "123456.75", "123456.75" },
	{ 100000, "1e+05", "1e+05" },
	{ 10000, "10000", "10000" },
	{ 1e100, "1e+100", "inf" },
	{ 16777217, "16777217", "16777216" },
	{ 9007199254740992, "9007199254740992", "9.007199e+15" },
	{ 123456789012345680000.0, "123456789012345683968", "1.2345679e+20" },
	{ 1234567890123456700000.0, "1234567890123456774144", "1.2345678e+21" },
	{ 4294967296.0, "4294967296", "4294967296" },
	/* 1.867e+09 and 1.425e+09 are in the middle, and read as others. */
	{ 1866999936, "1866999936", "1866999936" },
	{ 1425000064, "1425000064", "1425000064" },
	{ DBL_MAX, "1.7976931348623157e+308", "inf" },
	{ DBL_MIN, "2.2250738585072014e-308", "0" },
	{ DBL_TRUE_MIN, "5e-324", "0" },
	{ (double)FLT_MAX, "3.4028234663852886e+38", "3.4028235e+38" },
	{ (double)FLT_TRUE_MIN, "1.401298464324817e-45", "1e-45" },
	{ -INFINITY, "-inf", "-inf" },
	{ NAN, "nan", "nan" },
};

/* The shorter of two forms, and all digits of integers. */
TEST_LOOP(writes_the_shorter_form, ARRAY_SIZE(forms))
{
	char text[UEV_FLOAT_TEXT_MAX];

	errno = EXDEV;
	uev_float_text(forms[_i].value, false, text);
	ck_assert_str_eq(text, forms[_i].text);
	uev_float_text((double)(float)forms[_i].value, true, text);
	ck_assert_str_eq(text, forms[_i].single);
	ck_assert_int_eq(errno, EXDEV);
}
