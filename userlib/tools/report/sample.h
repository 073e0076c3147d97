/* SPDX-License-Identifier: MIT */
/* user-events report: evenly distributed rows of a table, in bounded memory. */
#ifndef USER_EVENTS_REPORT_SAMPLE_H
#define USER_EVENTS_REPORT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

/*
 * struct report_sample - Every @stride-th row; released with
 * report_sample_release()
 * @limit: maximum bytes of all rows but the last; set by the caller
 * @row_limit: maximum number of rows; set by the caller
 * @stride: 1 until a limit is reached, then doubled; 0: no row was offered
 * @offered: number of rows so far
 * @text: the rows
 * @ends: where each of the @count rows ends
 */
struct report_sample {
	size_t limit;
	size_t row_limit;
	uint64_t stride;
	uint64_t offered;
	struct uev_output text;
	size_t *ends;
	size_t count;
};

/*
 * report_sample_wants() - Offers a row
 * Return: whether the caller must append it to @text and call
 *         report_sample_add()
 */
bool report_sample_wants(struct report_sample *sample);

/* Ends the row. Drops every other row if there are too many. */
void report_sample_add(struct report_sample *sample);

/* Appends "[ROW,...]" to a text. */
void report_sample_append(const struct report_sample *sample,
			  struct uev_output *to);

void report_sample_release(struct report_sample *sample);

#endif
