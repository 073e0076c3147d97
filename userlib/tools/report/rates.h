/* SPDX-License-Identifier: MIT */
/* user-events report: numbers of records over time, in bounded memory. */
#ifndef USER_EVENTS_REPORT_RATES_H
#define USER_EVENTS_REPORT_RATES_H

#include <stddef.h>
#include <stdint.h>

/* Columns of time, and the maximum number of series besides the last one */
#define REPORT_COLUMNS 512
#define REPORT_SERIES_MAX 256

/*
 * struct report_rates - Numbers by time; initialized to zeros, released with
 * report_rates_release()
 * @width: nanoseconds of a column; grows with the last time
 * @series: @count numbers of columns; the last one has all further series
 */
struct report_rates {
	uint64_t width;
	uint64_t (*series)[REPORT_COLUMNS];
	size_t count;
};

/*
 * report_rates_add() - Adds records
 * @series: index of a series, any number
 * @time: nanoseconds since the first record
 */
void report_rates_add(struct report_rates *rates, size_t series, uint64_t time,
		      uint64_t number);

void report_rates_release(struct report_rates *rates);

#endif
