/* SPDX-License-Identifier: MIT */
/*
 * user-events report: a sample of the rows of a table, in bounded memory.
 *
 * Rows of the same thread and kind are a stratum. A sample has an equal part of
 * each stratum, and all rows of a small one. Of N rows of a stratum at level L,
 * it has N / 2^L, rounded up or down: one of each 2^L successive ones. A hash
 * selects it, because every N-th row would be of the same kind if a program does
 * the same again and again. The choice depends on the thread and on the number
 * of the row in its stratum only. Other threads therefore do not change it, and
 * the N-th start and the N-th stop of a thread are both in the sample, or none.
 *
 * Rows are offered once. A record takes a constant time on average.
 */
#ifndef USER_EVENTS_REPORT_SAMPLE_H
#define USER_EVENTS_REPORT_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "query/groups.h"

/* Maximum number of strata of a thread; further ones are of all threads. */
#define REPORT_STRATA_MAX 16384

struct report_row;

/*
 * struct report_sample - Rows; initialized to zeros, released with
 * report_sample_release()
 * @limit: maximum bytes of all rows but the last; set by the caller
 * @row_limit: maximum number of rows; set by the caller
 * @level: maximum level of a stratum
 * @rare: strata keep at least this number of rows, if they have them
 * @offered: number of rows so far
 * @strata: by thread and kind
 * @late: by kind, of the strata that are too many
 * @text: the rows
 * @rows: where each of the @count rows ends, and its place in its stratum
 */
struct report_sample {
	size_t limit;
	size_t row_limit;
	unsigned int level;
	size_t rare;
	uint64_t offered;
	struct query_groups strata;
	struct query_groups late;
	struct uev_output text;
	struct report_row *rows;
	size_t count;
};

/*
 * report_sample_wants() - Offers a row
 * @thread, @kind: its stratum
 * Return: whether the caller must append it to @text and call
 *         report_sample_add()
 */
bool report_sample_wants(struct report_sample *sample, size_t thread,
			 size_t kind);

/* Ends the row that was offered. Drops other rows if there are too many. */
void report_sample_add(struct report_sample *sample);

/* Drops the rows that strata no longer need. */
void report_sample_end(struct report_sample *sample);

/* Appends "[ROW,...]" to a text. */
void report_sample_append(const struct report_sample *sample,
			  struct uev_output *to);

void report_sample_release(struct report_sample *sample);

#endif
