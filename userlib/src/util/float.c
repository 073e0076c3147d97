// SPDX-License-Identifier: MIT
/*
 * Floating-point numbers with the fewest digits that preserve them. For signal
 * handlers: integers only, no allocation, no locale.
 *
 * Of all decimal numbers that are read back as the value, those between the
 * middles of the value and its neighbours, the shortest is found as follows. Let
 * 10^k be the largest power of ten that is not larger than that interval. It
 * contains a multiple of 10^k, and at most one of 10^(k+1). This one is the
 * result, or else the multiple of 10^k that is nearest to the value.
 */
#include "util/float.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "util/common.h"

#define DIGITS_MAX 20

/* Exponents of ten between rows of the following table. */
#define POWERS_STEP 27
#define POWERS_FIRST (-297)

/* The upper 192 bits of 10^(POWERS_FIRST + POWERS_STEP * i). */
static const uint64_t powers_of_10[][3] = {
	{ 0xa76c582338ed2621, 0xaf2af2b80af6f24e, 0x657c8f4d43323a36 },
	{ 0x873e4f75e2224e68, 0x5a7744a6e804a291, 0xcc35eddfcf0996d7 },
	{ 0xda7f5bf590966848, 0xaf39a475506a899e, 0xa30294cc2934e662 },
	{ 0xb080392cc4349dec, 0xbd8d794d96aacfb3, 0xfe13a5c86af64418 },
	{ 0x8e938662882af53e, 0x547eb47b7282ee9c, 0x41b0230e1421487d },
	{ 0xe65829b3046b0afa, 0x0cb4a5a3112a5112, 0xa3b561b1cb208396 },
	{ 0xba121a4650e4ddeb, 0x92f34d62616ce413, 0x21a0183e10583cd3 },
	{ 0x964e858c91ba2655, 0x3a6a07f8d510f86f, 0xe9082f25e9c5e9ec },
	{ 0xf2d56790ab41c2a2, 0xfae27299423fb9c3, 0x3695dad7e8858901 },
	{ 0xc428d05aa4751e4c, 0xaa97e14c3c26b886, 0x96842dc95323f5a8 },
	{ 0x9e74d1b791e07e48, 0x775ea264cf55347d, 0xca49f1c05120c9c7 },
	{ 0x8000000000000000, 0x0000000000000000, 0x0000000000000000 },
	{ 0xcecb8f27f4200f3a, 0x0000000000000000, 0x0000000000000000 },
	{ 0xa70c3c40a64e6c51, 0x999090b65f67d924, 0x0000000000000000 },
	{ 0x86f0ac99b4e8dafd, 0x69a028bb3ded71a3, 0xdf9f915627c04e28 },
	{ 0xda01ee641a708de9, 0xe80e6f4820cc9495, 0xd74baad03bc1d8d3 },
	{ 0xb01ae745b101e9e4, 0x5ec05dcff72e7f8f, 0xc04c79ffe324301f },
	{ 0x8e41ade9fbebc27d, 0x14588f13be847307, 0x23bd6a2059c002f5 },
	{ 0xe5d3ef282a242e81, 0x8f1668c8a86da5fa, 0xf0b5ccf5176ecc7c },
	{ 0xb9a74a0637ce2ee1, 0x6d953e2bd7173692, 0x88efb0037ac08bde },
	{ 0x95f83d0a1fb69cd9, 0x4abdaf101564f98e, 0x0d5a4af7b3a98e47 },
	{ 0xf24a01a73cf2dccf, 0xbc633b39673c8cec, 0x3d9c44cd2f36917c },
	{ 0xc3b8358109e84f07, 0x0a862f80ec4700c8, 0x02606ea01029dc37 },
	{ 0x9e19db92b4e31ba9, 0x6c07a2c26a8346d1, 0x4944d9f52cd0dec2 },
};

/* clang-format off */
static const uint64_t powers_of_5[POWERS_STEP] = {
	0x1, 0x5, 0x19, 0x7d, 0x271, 0xc35, 0x3d09, 0x1312d, 0x5f5e1, 0x1dcd65,
	0x9502f9, 0x2e90edd, 0xe8d4a51, 0x48c27395, 0x16bcc41e9, 0x71afd498d,
	0x2386f26fc1, 0xb1a2bc2ec5, 0x3782dace9d9, 0x1158e460913d,
	0x56bc75e2d631, 0x1b1ae4d6e2ef5, 0x878678326eac9, 0x2a5a058fc295ed,
	0xd3c21bcecceda1, 0x422ca8b0a00a425, 0x14adf4b7320334b9,
};
/* clang-format on */

/* An integer of 128 bits. */
struct wide {
	uint64_t high;
	uint64_t low;
};

static struct wide multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
	__extension__ unsigned __int128 result = a;

	result *= b;

	return (struct wide){ (uint64_t)(result >> 64), (uint64_t)result };
#else
	uint64_t low = (a & UINT32_MAX) * (b & UINT32_MAX);
	uint64_t middle = (a >> 32) * (b & UINT32_MAX) + (low >> 32);
	uint64_t other = (a & UINT32_MAX) * (b >> 32) + (middle & UINT32_MAX);

	return (struct wide){
		(a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32),
		other << 32 | (low & UINT32_MAX),
	};
#endif
}

/*
 * Returns the next integer above the upper 128 bits of 10^@exponent. The
 * truncated table is sufficient for all exponents of ten of a double.
 */
static struct wide power_of_10(int exponent)
{
	int row = (exponent - POWERS_FIRST) / POWERS_STEP;
	const uint64_t *power = powers_of_10[row];
	uint64_t five = powers_of_5[(exponent - POWERS_FIRST) % POWERS_STEP];
	struct wide top = multiply(power[0], five);
	struct wide middle = multiply(power[1], five);
	uint64_t carry = multiply(power[2], five).high;
	int shift;

	middle.low += carry;
	middle.high += middle.low < carry;
	top.low += middle.high;
	top.high += top.low < middle.high;

	/* Only 5^0 leaves nothing in the upper word. */
	if (!top.high) {
		top = (struct wide){ top.low, middle.low };
	} else {
		shift = __builtin_clzll(top.high);
		top = (struct wide){
			top.high << shift | top.low >> (64 - shift),
			top.low << shift | middle.low >> (64 - shift),
		};
	}
	top.low++;
	top.high += !top.low;

	return top;
}

/*
 * Returns the integer below @power * @factor / 2^128, with the lowest bit set if
 * a fraction was dropped.
 *
 * @power is too large by at most 1, which makes the result too large by less than
 * 2^-69. The fraction of a number that is not an integer is between 2^-66 and
 * 1 - 2^-64, for all exponents and all factors, so the two are not confused.
 */
static uint64_t scale(struct wide power, uint64_t factor)
{
	struct wide low = multiply(power.low, factor);
	struct wide high = multiply(power.high, factor);

	high.low += low.high;
	high.high += high.low < low.high;

	return high.high | (high.low || low.low > factor);
}

/* Logarithms, rounded down, for all exponents of a double. */
static int log10_of_power_of_2(int exponent)
{
	return (exponent * 1262611) >> 22;
}

static int log10_of_3_quarters_of_power_of_2(int exponent)
{
	return (exponent * 1262611 - 524031) >> 22;
}

static int log2_of_power_of_10(int exponent)
{
	return (exponent * 1741647) >> 19;
}

/*
 * struct binary - @mantissa * 2^@exponent, not 0
 * @is_power: the next smaller number has half the distance
 */
struct binary {
	uint64_t mantissa;
	int exponent;
	bool is_power;
};

/* A decimal number: digits as an integer, times a power of ten. */
struct decimal {
	uint64_t digits;
	int count;
	int exponent;
};

static struct binary split(double value, bool single)
{
	struct binary binary;
	uint64_t bits, field;
	uint32_t single_bits;
	float number = (float)value;
	int width = single ? 23 : 52;

	if (single) {
		memcpy(&single_bits, &number, sizeof(single_bits));
		bits = single_bits;
	} else {
		memcpy(&bits, &value, sizeof(bits));
	}
	binary.mantissa = bits & ((UINT64_C(1) << width) - 1);
	field = bits >> width & (single ? 0xff : 0x7ff);
	binary.is_power = !binary.mantissa && field > 1;
	if (field)
		binary.mantissa |= UINT64_C(1) << width;
	else
		field = 1;
	binary.exponent = (int)field - (single ? 127 : 1023) - width;

	return binary;
}

/* Finds the fewest digits, with zeros at their end. */
static struct decimal find_digits(const struct binary *binary)
{
	int exponent =
		binary->is_power
			? log10_of_3_quarters_of_power_of_2(binary->exponent)
			: log10_of_power_of_2(binary->exponent);
	int shift = binary->exponent + log2_of_power_of_10(-exponent) + 1;
	struct wide power = power_of_10(-exponent);
	uint64_t mantissa = 4 * binary->mantissa;
	/* In units of 10^exponent / 4. */
	uint64_t value = scale(power, mantissa << shift);
	uint64_t lower =
		scale(power, (mantissa - 2 + binary->is_power) << shift);
	uint64_t upper = scale(power, (mantissa + 2) << shift);
	/* The bounds themselves are read back as an even number. */
	uint64_t is_odd = binary->mantissa & 1;
	uint64_t digits = value / 4, tens = value / 40;
	bool has_lower, has_upper;

	lower += is_odd;
	upper -= is_odd;
	has_lower = tens && lower <= 40 * tens;
	has_upper = tens && 40 * tens + 40 <= upper;
	if (has_lower != has_upper)
		return (struct decimal){ .digits = tens + has_upper,
					 .exponent = exponent + 1 };

	has_lower = lower <= 4 * digits;
	has_upper = 4 * digits + 4 <= upper;
	if (has_lower == has_upper)
		has_upper = value + (digits & 1) > 4 * digits + 2;

	return (struct decimal){ .digits = digits + has_upper,
				 .exponent = exponent };
}

static struct decimal shortest(const struct binary *binary)
{
	struct decimal decimal = find_digits(binary);
	uint64_t digits;

	while (decimal.digits % 10 == 0) {
		decimal.digits /= 10;
		decimal.exponent++;
	}
	for (digits = decimal.digits; digits; digits /= 10)
		decimal.count++;

	return decimal;
}

/* Writes the last @count digits of a number. Return: the end. */
static char *put_digits(char *to, uint64_t number, int count)
{
	int i;

	for (i = count; i > 0; i--) {
		to[i - 1] = (char)('0' + number % 10);
		number /= 10;
	}

	return to + count;
}

static char *put_zeros(char *to, int count)
{
	memset(to, '0', (size_t)count);

	return to + count;
}

/*
 * Writes all digits of an integer, without padding zeros: @length digits, at most
 * 22, so that the products fit.
 */
static char *put_integer(char *to, const struct decimal *decimal,
			 const struct binary *binary, int length)
{
	static const uint64_t part = 100000000;
	uint64_t high, low;

	/* Below 2^53, the shortest digits are all digits. */
	if (binary->exponent <= 0)
		return put_zeros(put_digits(to, decimal->digits,
					    decimal->count),
				 decimal->exponent);

	low = (binary->mantissa % part) << binary->exponent;
	high = ((binary->mantissa / part) << binary->exponent) + low / part;
	if (!high)
		return put_digits(to, low, length);

	return put_digits(put_digits(to, high, length - 8), low % part, 8);
}

/* 0.00123, 1.23 or 123000 */
static char *put_fixed(char *to, const struct decimal *decimal,
		       const struct binary *binary)
{
	int point = decimal->count + decimal->exponent;
	char digits[DIGITS_MAX];

	if (decimal->exponent >= 0)
		return put_integer(to, decimal, binary, point);
	put_digits(digits, decimal->digits, decimal->count);
	if (point <= 0) {
		*to++ = '0';
		*to++ = '.';
		to = put_zeros(to, -point);
		point = 0;
	} else {
		memcpy(to, digits, (size_t)point);
		to += point;
		*to++ = '.';
	}
	memcpy(to, digits + point, (size_t)(decimal->count - point));

	return to + decimal->count - point;
}

/* 1.23e+45 */
static char *put_scientific(char *to, const struct decimal *decimal)
{
	int exponent = decimal->count - 1 + decimal->exponent;
	char *end = put_digits(to + 1, decimal->digits, decimal->count);

	to[0] = to[1];
	to[1] = '.';
	if (decimal->count == 1)
		end = to + 1;
	*end++ = 'e';
	*end++ = exponent < 0 ? '-' : '+';
	exponent = exponent < 0 ? -exponent : exponent;

	return put_digits(end, (uint64_t)exponent, exponent > 99 ? 3 : 2);
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
	struct binary binary;
	char *end;

	strcpy(text, "-");
	text += sign;
	value = signbit(value) ? -value : value;

	if (!isfinite(value) || value == 0) {
		strcpy(text, isnan(value) ? "nan" : value != 0 ? "inf" : "0");
		return sign + strlen(text);
	}

	binary = split(value, single);
	decimal = shortest(&binary);
	end = is_fixed(&decimal) ? put_fixed(text, &decimal, &binary)
				 : put_scientific(text, &decimal);
	*end = '\0';

	return sign + (size_t)(end - text);
}
