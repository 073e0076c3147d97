/* SPDX-License-Identifier: MIT */
/* user-events: the time of a record as text. */
#ifndef USER_EVENTS_FORMATS_RECORD_TIME_H
#define USER_EVENTS_FORMATS_RECORD_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>
#include <userevents/session.h>

enum record_time_form {
	RECORD_TIME_UTC = 0, /* 2026-01-31T23:59:59.123456789Z */
	RECORD_TIME_LOCAL, /* 2026-01-31T23:59:59.123456789+01:00 */
	RECORD_TIME_CLOCK, /* seconds of the clock of the records */
	RECORD_TIME_RELATIVE, /* seconds since the first record */
	RECORD_TIME_DELTA, /* seconds since the previous record */
};

/*
 * struct record_time - The form of times, and the previous one; initialized to
 * zeros
 * @form: the form
 * @clock: converts times to dates; NULL: seconds of the clock
 * @is_number: differences have no plus sign, as numbers of most programs
 * @has_first: @first and @last are set
 */
struct record_time {
	enum record_time_form form;
	const struct uev_clock *clock;
	bool is_number;
	bool has_first;
	uint64_t first;
	uint64_t last;
};

/* Their names, for SET_WORD() */
#define RECORD_TIME_FORMS "utc local clock relative delta"

/* record_time_append() - Appends the time of the next record */
void record_time_append(struct record_time *time, struct uev_output *to,
			uint64_t nanoseconds);

#endif
