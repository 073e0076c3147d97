/* SPDX-License-Identifier: MIT */
/* user-events report: what a page has of a file. */
#ifndef USER_EVENTS_REPORT_REPORT_H
#define USER_EVENTS_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/record_text.h"
#include "query/groups.h"
#include "query/spans.h"
#include "report/rates.h"
#include "report/sample.h"

/* The maximum limit of a page */
#define REPORT_SIZE_MAX UINT32_MAX

/*
 * struct report - Everything that was read; initialized by report_begin(),
 * released with report_release()
 * @spans: what to pair; options are set by the caller
 * @has_clock: @clock is set
 * @clock: converts times to dates
 * @has_time: @first is set
 * @first: time of the first record
 * @last: the newest time
 * @records: number of records
 * @malformed: number of records that could not be decoded completely
 * @lost: lost records of @rates; @losses by event and reason
 * @events: records by name of the event
 * @threads: records by process, thread and name of the thread
 * @latencies: distributions by name of the start
 * @rates: first the losses, then the events
 * @rows: a sample of the records; all numbers above are of all records
 * @bars: a sample of the pairs of a start and a stop
 * @name, @line: memory
 */
struct report {
	struct query_spans spans;
	bool has_clock;
	struct uev_clock clock;
	bool has_time;
	uint64_t first;
	uint64_t last;
	uint64_t records;
	uint64_t malformed;
	uint64_t lost;
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

/*
 * report_begin() - Starts a report
 * @limit: about the maximum bytes of a page
 */
void report_begin(struct report *report, uint64_t limit);

/* report_take() - Adds a record; @decoder is any decoder */
void report_take(struct report *report, struct uev_decoder *decoder,
		 const struct format_record *record);

/* report_loss() - Adds lost records */
void report_loss(struct report *report, const struct format_loss *loss);

/* report_end() - Ends the report */
void report_end(struct report *report);

/*
 * report_full_size() - Estimates the limit of a page with all records
 * Return: bytes; 0 if no page can have them
 */
uint64_t report_full_size(const struct report *report);

/*
 * report_append_json() - Appends the data of the page
 * @name: name of the file
 */
void report_append_json(const struct report *report, const char *name,
			struct uev_output *to);

void report_release(struct report *report);

#endif
