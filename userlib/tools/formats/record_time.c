// SPDX-License-Identifier: MIT
#include "formats/record_time.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "formats/append.h"
#include "tool.h"

#define SECOND UINT64_C(1000000000)
#define MINUTES_PER_HOUR 60

/* @sign: a text before the number */
static void append_seconds(struct uev_output *to, const char *sign,
			   uint64_t time)
{
	tool_put(to, sign);
	format_append_number(to, time / SECOND, 1);
	tool_put(to, ".");
	format_append_number(to, time % SECOND, 9);
}

static void append_difference(const struct record_time *time,
			      struct uev_output *to, uint64_t from,
			      uint64_t nanoseconds)
{
	if (nanoseconds >= from)
		append_seconds(to, time->is_number ? "" : "+",
			       nanoseconds - from);
	else
		append_seconds(to, "-", from - nanoseconds);
}

static void append_utc(struct uev_output *to, uint64_t wall)
{
	struct uev_decoded_value value = {
		.type = UEV_DECODED_TIME,
		.i64 = (int64_t)(wall / SECOND),
	};

	tool_need(uev_decoded_value_append_text(&value, to));
	tool_put(to, ".");
	format_append_number(to, wall % SECOND, 9);
	tool_put(to, "Z");
}

static void append_local(struct uev_output *to, uint64_t wall)
{
	time_t seconds = (time_t)(wall / SECOND);
	char date[64], text[96];
	struct tm tm;
	long offset;

	localtime_r(&seconds, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	offset = tm.tm_gmtoff / MINUTES_PER_HOUR;
	snprintf(text, sizeof(text), "%s.%09" PRIu64 "%c%02ld:%02ld", date,
		 wall % SECOND, offset < 0 ? '-' : '+',
		 (offset < 0 ? -offset : offset) / MINUTES_PER_HOUR,
		 (offset < 0 ? -offset : offset) % MINUTES_PER_HOUR);
	tool_put(to, text);
}

void record_time_append(struct record_time *time, struct uev_output *to,
			uint64_t nanoseconds)
{
	const struct uev_clock *clock = time->clock;

	if (!time->has_first) {
		time->first = nanoseconds;
		time->last = nanoseconds;
		time->has_first = true;
	}
	if (time->form == RECORD_TIME_RELATIVE)
		append_difference(time, to, time->first, nanoseconds);
	else if (time->form == RECORD_TIME_DELTA)
		append_difference(time, to, time->last, nanoseconds);
	else if (time->form == RECORD_TIME_CLOCK || !clock)
		append_seconds(to, "", nanoseconds);
	else if (time->form == RECORD_TIME_LOCAL)
		append_local(to, uev_clock_wall(clock, nanoseconds));
	else
		append_utc(to, uev_clock_wall(clock, nanoseconds));
	time->last = nanoseconds;
}
