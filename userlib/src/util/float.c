// SPDX-License-Identifier: MIT
/*
 * Floating-point numbers with the fewest digits that preserve them. Independent
 * of the locale, whose decimal point is replaced.
 */
#include "util/float.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sufficient digits, also for any integer. */
#define MAX_DIGITS 17
#define DIGITS_ROOM 24

/* A decimal number: digits as an integer, times a power of ten. */
struct decimal {
	uint64_t digits;
	int count;
	int exponent;
};

/*
 * Returns the number of @count digits that is nearest to @value, which is not
 * 0.
 */
static struct decimal round_to_digits(double value, int count)
{
	struct decimal decimal = { 0 };
	char text[64];
	const char *at;
	int left = count;

	snprintf(text, sizeof(text), "%.*e", count - 1, value);
	for (at = text; left; at++) {
		if (*at < '0' || *at > '9')
			continue; /* the decimal point of the locale */
		decimal.digits = decimal.digits * 10 + (uint64_t)(*at - '0');
		left--;
	}
	decimal.exponent = atoi(strchr(at, 'e') + 1) - (count - 1);

	return decimal;
}

/* Keeps errno, which denormal numbers change. */
static bool parses_as(const struct decimal *decimal, double value, bool single)
{
	char text[64];
	int before = errno;
	bool is_same;

	snprintf(text, sizeof(text), "%llue%d",
		 (unsigned long long)decimal->digits, decimal->exponent);
	is_same = single ? strtof(text, NULL) == (float)value
			 : strtod(text, NULL) == value;
	errno = before;

	return is_same;
}

/*
 * The nearest decimal number might not read back as the value if the density of
 * numbers differs on both sides; its neighbour might.
 */
static bool find(double value, bool single, int count, struct decimal *found)
{
	static const int steps[] = { 0, 1, -1 };
	struct decimal decimal = round_to_digits(value, count);
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		*found = decimal;
		found->digits += (uint64_t)(int64_t)steps[i];
		if (parses_as(found, value, single))
			return true;
	}

	return false;
}

/* Finds the fewest digits for a number above 0. */
static struct decimal shortest(double value, bool single)
{
	/*
	 * Digits that every normal number preserves: if fewer are enough, zeros
	 * follow them.
	 */
	int count = single ? FLT_DIG : DBL_DIG;
	struct decimal decimal;
	uint64_t digits;

	if (value < (single ? (double)FLT_MIN : DBL_MIN))
		count = 1;
	while (!find(value, single, count, &decimal) && count < MAX_DIGITS)
		count++;

	while (decimal.digits % 10 == 0) {
		decimal.digits /= 10;
		decimal.exponent++;
	}
	for (digits = decimal.digits; digits; digits /= 10)
		decimal.count++;

	return decimal;
}

/* 0.00123, 1.23 or 123000 */
static size_t print_fixed(const struct decimal *decimal, double value,
			  char *text)
{
	int point = decimal->count + decimal->exponent;
	char digits[DIGITS_ROOM];

	/* Writes all digits of an integer, without padding zeros. */
	if (decimal->exponent >= 0)
		return (size_t)snprintf(text, UEV_FLOAT_TEXT_MAX, "%.0f",
					value);

	snprintf(digits, sizeof(digits), "%llu",
		 (unsigned long long)decimal->digits);
	if (point > 0)
		return (size_t)snprintf(text, UEV_FLOAT_TEXT_MAX, "%.*s.%s",
					point, digits, digits + point);

	return (size_t)snprintf(text, UEV_FLOAT_TEXT_MAX, "0.%.*s%s", -point,
				"00000000000000000000", digits);
}

/* 1.23e+45 */
static size_t print_scientific(const struct decimal *decimal, char *text)
{
	int exponent = decimal->count - 1 + decimal->exponent;
	char digits[DIGITS_ROOM];

	snprintf(digits, sizeof(digits), "%llu",
		 (unsigned long long)decimal->digits);

	return (size_t)snprintf(text, UEV_FLOAT_TEXT_MAX, "%c%s%se%c%02d",
				digits[0], digits[1] ? "." : "", digits + 1,
				exponent < 0 ? '-' : '+', abs(exponent));
}

/* Writes the shorter form; without an exponent if both have the same length. */
static bool is_fixed(const struct decimal *decimal)
{
	int scientific = decimal->count + (decimal->count > 1) + 4;
	int point = decimal->count + decimal->exponent;
	int fixed;

	if (decimal->exponent >= 0)
		fixed = point;
	else if (point > 0)
		fixed = decimal->count + 1;
	else
		fixed = 2 - point + decimal->count;

	return fixed <= scientific;
}

/*
 * uev_float_text() - Formats a number with the fewest digits that preserve it
 * @value: the number
 * @single: it is a float and is read back as one
 * @text: receives up to UEV_FLOAT_TEXT_MAX bytes
 *
 * Return: its length.
 */
size_t uev_float_text(double value, bool single, char *text)
{
	size_t sign = signbit(value) != 0;
	struct decimal decimal;

	strcpy(text, "-");
	text += sign;
	value = signbit(value) ? -value : value;

	if (!isfinite(value) || value == 0) {
		strcpy(text, isnan(value) ? "nan" : value != 0 ? "inf" : "0");
		return sign + strlen(text);
	}

	decimal = shortest(value, single);
	return sign + (is_fixed(&decimal) ? print_fixed(&decimal, value, text)
					  : print_scientific(&decimal, text));
}
