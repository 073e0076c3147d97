// SPDX-License-Identifier: MIT
/*
 * Decimal numbers as text. printf() takes a multiple of the time, and each
 * record has several numbers.
 */
#include "util/number.h"

#include <string.h>

/* 00 to 99 */
static const char pairs[] =
	"00010203040506070809101112131415161718192021222324"
	"25262728293031323334353637383940414243444546474849"
	"50515253545556575859606162636465666768697071727374"
	"75767778798081828384858687888990919293949596979899";

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
	char whole[UEV_NUMBER_MAX], *end = whole + sizeof(whole), *at = end;
	size_t count;

	if (number < 10 && digits <= 1) {
		*text = (char)('0' + number);
		return 1;
	}
	for (; number >= 100; number /= 100) {
		at -= 2;
		memcpy(at, pairs + number % 100 * 2, 2);
	}
	*--at = (char)('0' + number % 10);
	if (number >= 10)
		*--at = (char)('0' + number / 10);
	while ((size_t)(end - at) < digits)
		*--at = '0';
	count = (size_t)(end - at);
	memcpy(text, at, count);

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
