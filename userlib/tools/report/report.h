/* SPDX-License-Identifier: MIT */
/* user-events report: the HTML page about a file or a session. */
#ifndef USER_EVENTS_REPORT_REPORT_H
#define USER_EVENTS_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "pipe/pipe.h"
#include "query/groups.h"
#include "query/spans.h"
#include "report/rates.h"
#include "report/sample.h"

/* The maximum limit of a page */
#define REPORT_SIZE_MAX UINT32_MAX

/*
 * struct report - The page and everything that was read; released with
 * report_release(); the members up to @spans are set by the command
 * @path: where the page is written; "-": standard output
 * @like: a new page can be read by those who can read this file; or NULL
 * @title: name of the file
 * @size: about the maximum bytes of the page
 * @pipe: gives the records, with their number, times and losses
 * @spans: what to pair
 * @has_clock: @clock is set
 * @clock: converts times to dates
 * @malformed: number of records that could not be decoded completely
 * @losses: lost records by event and reason
 * @events: records by name of the event
 * @threads: records by process, thread and name of the thread
 * @latencies: distributions by name of the start
 * @rates: first the losses, then the events
 * @rows: a sample of the records; all numbers above are of all records
 * @bars: a sample of the pairs of a start and a stop
 * @name, @line: memory
 */
struct report {
	const char *path;
	const char *like;
	const char *title;
	uint64_t size;
	const struct pipe *pipe;
	struct query_spans spans;
	bool has_clock;
	struct uev_clock clock;
	uint64_t malformed;
	struct query_groups losses;
	struct query_groups events;
	struct query_groups threads;
	struct query_groups latencies;
	struct report_rates rates;
	struct report_sample rows;
	struct report_sample bars;
	struct uev_output name;
	struct uev_output line;
};

/* Writes the page at the end; its data is a struct report. */
extern const struct sink_ops sink_report;

void report_release(struct report *report);

#endif
