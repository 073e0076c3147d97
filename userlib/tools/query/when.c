// SPDX-License-Identifier: MIT
#include "query/when.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND UINT64_C(1000000000)
#define SECONDS_DIGITS_MAX 10

/* Takes @digits digits. Return: false if there are fewer */
static bool take_digits(const char **at, size_t digits, int *number)
{
	*number = 0;
	for (; digits; digits--, (*at)++) {
		if (!isdigit((unsigned char)**at))
			return false;
		*number = *number * 10 + (**at - '0');
	}

	return true;
}

static bool take_char(const char **at, char c)
{
	if (**at != c)
		return false;
	(*at)++;

	return true;
}

/* Takes an optional fraction of a second. Return: false for a bad one */
static bool take_fraction(const char **at, uint64_t *nanoseconds)
{
	uint64_t unit = SECOND;

	*nanoseconds = 0;
	if (!take_char(at, '.'))
		return true;
	if (!isdigit((unsigned char)**at))
		return false;
	for (; isdigit((unsigned char)**at); (*at)++) {
		unit /= 10;
		*nanoseconds += unit * (uint64_t)(**at - '0');
	}

	return true;
}

/* Saturates: a later moment is after all records, too. */
static uint64_t sum_of(uint64_t one, uint64_t other)
{
	return one > UINT64_MAX - other ? UINT64_MAX : one + other;
}

/* A moment before 1970, such as of a local time, is before all records. */
static uint64_t nanoseconds_of(int64_t seconds, uint64_t fraction)
{
	if (seconds < 0)
		return 0;

	return (uint64_t)seconds > UINT64_MAX / SECOND
		       ? UINT64_MAX
		       : sum_of((uint64_t)seconds * SECOND, fraction);
}

static bool parse_seconds(const char *text, uint64_t *time)
{
	size_t digits = strspn(text, "0123456789");
	int64_t seconds = strtoll(text, NULL, 10);
	uint64_t fraction;

	if (!digits || digits > SECONDS_DIGITS_MAX)
		return false;
	text += digits;
	if (!take_fraction(&text, &fraction) || *text)
		return false;
	*time = nanoseconds_of(seconds, fraction);

	return true;
}

/* Tests a date in @tm: timegm() normalizes others. */
static bool is_date(const struct tm *tm)
{
	struct tm copy = *tm;

	timegm(&copy);

	return copy.tm_mon == tm->tm_mon && copy.tm_mday == tm->tm_mday;
}

/* Sets @tm and moves @at after it. Return: false if it is not a date */
static bool take_date(const char **at, struct tm *tm)
{
	if (!take_digits(at, 4, &tm->tm_year) || !take_char(at, '-') ||
	    !take_digits(at, 2, &tm->tm_mon) || !take_char(at, '-') ||
	    !take_digits(at, 2, &tm->tm_mday))
		return false;
	tm->tm_year -= 1900;
	tm->tm_mon -= 1;

	return is_date(tm);
}

static bool take_clock(const char **at, struct tm *tm, uint64_t *fraction)
{
	*fraction = 0;
	if (!take_digits(at, 2, &tm->tm_hour) || !take_char(at, ':') ||
	    !take_digits(at, 2, &tm->tm_min))
		return false;
	if (take_char(at, ':') &&
	    (!take_digits(at, 2, &tm->tm_sec) || !take_fraction(at, fraction)))
		return false;

	return tm->tm_hour < 24 && tm->tm_min < 60 && tm->tm_sec <= 60;
}

static bool parse_date(const char *text, struct query_when *when)
{
	struct tm tm = { .tm_isdst = -1 };
	bool has_date = strchr(text, '-'), has_clock, is_utc;
	uint64_t fraction = 0;
	time_t seconds;

	if (has_date && !take_date(&text, &tm))
		return false;
	has_clock = !has_date || take_char(&text, 'T') || take_char(&text, ' ');
	if (has_clock && !take_clock(&text, &tm, &fraction))
		return false;
	is_utc = has_date && take_char(&text, 'Z');
	if (*text)
		return false;
	if (!has_date) {
		when->kind = QUERY_DAYTIME;
		when->time = (uint64_t)((tm.tm_hour * 60 + tm.tm_min) * 60 +
					tm.tm_sec) *
				     SECOND +
			     fraction;
		return true;
	}
	seconds = is_utc ? timegm(&tm) : mktime(&tm);
	when->kind = QUERY_WALL;
	when->time = nanoseconds_of(seconds, fraction);

	/* A time_t of 32 bits ends in 2038. */
	return seconds >= 0 || tm.tm_year <= 70;
}

bool query_when_parse(const char *text, struct query_when *when)
{
	if (*text == '+') {
		when->kind = QUERY_OFFSET;
		return parse_seconds(text + 1, &when->time);
	}
	when->kind = QUERY_CLOCK;

	return parse_seconds(text, &when->time) || parse_date(text, when);
}

/*
 * Returns a time of day on the local day of a time since 1970. The day can have
 * 23 or 25 hours.
 */
static uint64_t on_day_of(uint64_t wall, uint64_t daytime)
{
	time_t seconds = (time_t)(wall / SECOND);
	struct tm tm;

	localtime_r(&seconds, &tm);
	seconds = (time_t)(daytime / SECOND);
	tm.tm_hour = (int)(seconds / 3600);
	tm.tm_min = (int)(seconds / 60 % 60);
	tm.tm_sec = (int)(seconds % 60);
	tm.tm_isdst = -1;

	return nanoseconds_of(mktime(&tm), daytime % SECOND);
}

/*
 * Moments before the start of the clock are its start. That is before 1970 if the
 * machine did not know the date.
 */
static uint64_t clock_of(const struct uev_clock *clock, uint64_t wall)
{
	uint64_t start = clock->wall - clock->clock;

	if (clock->wall < clock->clock)
		return sum_of(wall, -start);

	return wall > start ? wall - start : 0;
}

bool query_when_fixed(const struct query_when *when,
		      const struct uev_clock *clock, uint64_t *time)
{
	*time = when->time;
	if (when->kind != QUERY_WALL)
		return when->kind == QUERY_CLOCK;
	if (clock)
		*time = clock_of(clock, when->time);

	return clock;
}

bool query_when_resolve(struct query_when *when,
			const struct format_record *first)
{
	const struct uev_clock *clock = first->clock;

	switch (when->kind) {
	case QUERY_DAYTIME:
		if (clock)
			when->time = on_day_of(
				uev_clock_wall(clock, first->sample->time),
				when->time);
		/* fallthrough */
	case QUERY_WALL:
		if (!clock)
			return false;
		when->time = clock_of(clock, when->time);
		break;
	case QUERY_OFFSET:
		when->time = sum_of(when->time, first->sample->time);
		break;
	default:
		return true;
	}
	when->kind = QUERY_CLOCK;

	return true;
}
