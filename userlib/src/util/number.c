// SPDX-License-Identifier: MIT
/*
 * Decimal numbers as text. printf() takes a multiple of the time, and each
 * record has several numbers.
 */
#include "util/number.h"

/*
 * uev_number_text() - Formats a number, without a NUL
 * @number: the number
 * @digits: pad to this number of digits with zeros; at most UEV_NUMBER_MAX
 * @text: receives up to UEV_NUMBER_MAX bytes
 *
 * Return: its length.
 */
size_t uev_number_text(uint64_t number, size_t digits, char *text)
{
	char reversed[UEV_NUMBER_MAX];
	size_t count = 0, i;

	do {
		reversed[count++] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	while (count < digits)
		reversed[count++] = '0';
	for (i = 0; i < count; i++)
		text[i] = reversed[count - 1 - i];

	return count;
}

/*
 * uev_number_text_signed() - Formats a number, without a NUL
 * @number: the number
 * @text: receives up to UEV_NUMBER_MAX bytes
 *
 * Return: its length.
 */
size_t uev_number_text_signed(int64_t number, char *text)
{
	size_t sign = number < 0;

	*text = '-';

	return sign +
	       uev_number_text(sign ? -(uint64_t)number : (uint64_t)number, 1,
			       text + sign);
}
