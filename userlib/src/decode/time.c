// SPDX-License-Identifier: MIT
/* Converts times of EventHeader fields to text. */
#include "decode/time.h"

#include <limits.h>

#include "util/number.h"

#define DAY 86400

/* Period of the calendar in years and days. */
#define CYCLE_YEARS 400
#define CYCLE_DAYS 146097

/* 1970-01-01, counted from 0000-03-01, so that leap days are last in a year. */
#define EPOCH_DAYS 719468

/* Years that fit struct tm. */
#define FIRST_YEAR ((int64_t)INT_MIN + 1900)
#define LAST_YEAR ((int64_t)INT_MAX + 1900)

static int64_t divide(int64_t number, int64_t by, int *rest)
{
	int64_t quotient = number / by;

	*rest = (int)(number % by);
	if (*rest < 0) {
		*rest += (int)by;
		quotient--;
	}

	return quotient;
}

/* Writes a number of at least two digits and the character after it. */
static char *put(char *to, int number, char after)
{
	to += uev_number_text((uint64_t)number, 2, to);
	*to++ = after;

	return to;
}

/*
 * uev_time_text() - Formats a time
 * @seconds: since 1970, in UTC
 * @text: receives up to UEV_TIME_TEXT_MAX bytes
 *
 * Return: false if the year is out of range.
 */
bool uev_time_text(int64_t seconds, char *text)
{
	int second, day, month;
	int64_t days = divide(seconds, DAY, &second) + EPOCH_DAYS;
	int64_t year = divide(days, CYCLE_DAYS, &day) * CYCLE_YEARS;
	/* Every fourth year is a leap year, every hundredth is not. */
	int in_cycle =
		(day - day / 1460 + day / 36524 - day / (CYCLE_DAYS - 1)) / 365;

	day -= 365 * in_cycle + in_cycle / 4 - in_cycle / 100;
	/* From March on, each five months have 153 days. */
	month = (5 * day + 2) / 153;
	day -= (153 * month + 2) / 5;
	year += in_cycle + (month >= 10);
	if (year < FIRST_YEAR || year > LAST_YEAR)
		return false;

	if (year < 0)
		*text++ = '-';
	text += uev_number_text((uint64_t)(year < 0 ? -year : year), 4, text);
	*text++ = '-';
	text = put(text, month < 10 ? month + 3 : month - 9, '-');
	text = put(text, day + 1, 'T');
	text = put(text, second / 3600, ':');
	text = put(text, second / 60 % 60, ':');
	put(text, second % 60, '\0');
	return true;
}
