// SPDX-License-Identifier: MIT
#include "report/rates.h"

#include <stdlib.h>
#include <string.h>

#include "tool.h"

/* The first width; a power of two, as later ones */
#define FIRST_WIDTH 1024

static void widen(struct report_rates *rates)
{
	size_t i, j;

	for (i = 0; i < rates->count; i++) {
		uint64_t *numbers = rates->series[i];

		for (j = 0; j < REPORT_COLUMNS / 2; j++)
			numbers[j] = numbers[2 * j] + numbers[2 * j + 1];
		memset(numbers + j, 0, (REPORT_COLUMNS - j) * sizeof(*numbers));
	}
	rates->width *= 2;
}

/* Makes room for a series. */
static void grow(struct report_rates *rates, size_t series)
{
	size_t size = sizeof(*rates->series);

	if (series < rates->count)
		return;
	rates->series = tool_grow(rates->series, (series + 1) * size);
	memset(rates->series + rates->count, 0,
	       (series + 1 - rates->count) * size);
	rates->count = series + 1;
}

void report_rates_add(struct report_rates *rates, size_t series, uint64_t time,
		      uint64_t number)
{
	if (series > REPORT_SERIES_MAX)
		series = REPORT_SERIES_MAX;
	if (!rates->width)
		rates->width = FIRST_WIDTH;
	grow(rates, series);
	while (time / rates->width >= REPORT_COLUMNS)
		widen(rates);
	rates->series[series][time / rates->width] += number;
}

void report_rates_release(struct report_rates *rates)
{
	free(rates->series);
	*rates = (struct report_rates){ 0 };
}
