/* SPDX-License-Identifier: MIT */
/*
 * user-events: times between the starts and stops of activities, or between two
 * events.
 */
#ifndef USER_EVENTS_QUERY_SPANS_H
#define USER_EVENTS_QUERY_SPANS_H

#include <stdint.h>

#include "formats/format.h"
#include "query/fields.h"
#include "query/pairs.h"
#include "query/select.h"
#include "query/track.h"
#include "ui/options.h"
#include "tool.h"

enum query_part {
	QUERY_NO_PART = 0,
	QUERY_START,
	QUERY_STOP,
};

/* Returns which end of an activity of EventHeader a record is. */
enum query_part query_activity_part(const struct uev_record_info *info);

/*
 * struct query_spans - What to pair; initialized to zeros, released with
 * query_spans_release()
 * @start, @stop: patterns of events; NULL: activities of EventHeader, and slices
 *        of struct query_track
 * @key: fields that a start and its stop have in common; none: the thread
 * @begin: appends what is kept of a start until its stop
 * @end: takes a stop with @kept of its start, @duration nanoseconds before
 * @data: first argument of the functions
 * @starts, @stops: number of them
 * @skipped: starts and stops without the fields of @key or without a time
 * @left: starts without a stop at the end
 * @track: the slice of the current record
 * @key_text, @event_text, @kept: memory
 */
struct query_spans {
	const char *start;
	const char *stop;
	struct query_fields key;
	void (*begin)(void *data, struct uev_output *kept,
		      struct uev_decoder *decoder,
		      const struct format_record *record);
	void (*end)(void *data, struct query_text kept, uint64_t duration,
		    const struct format_record *record);
	void *data;
	struct query_pairs pairs;
	uint64_t starts;
	uint64_t stops;
	uint64_t skipped;
	uint64_t left;
	struct query_track track;
	struct uev_output key_text;
	struct uev_output event_text;
	struct uev_output kept;
};

/* The options of a struct query_spans */
extern const struct tool_option query_spans_options[];

/*
 * query_spans_check() - Tests the options
 * Return: TOOL_OK, or TOOL_USAGE and the error is printed
 */
int query_spans_check(const struct query_spans *spans,
		      const struct tool_command *command);

/*
 * query_spans_take() - Takes a record
 * @decoder: any decoder; it is started with the record
 */
enum query_part query_spans_take(struct query_spans *spans,
				 struct uev_decoder *decoder,
				 const struct format_record *record);

/*
 * query_spans_name() - Appends the name of a start: that of its slice or of its
 * event
 * @decoder: as for @begin
 */
void query_spans_name(const struct query_spans *spans, struct uev_output *to,
		      const struct uev_decoder *decoder,
		      const struct uev_sample *sample);

/* Ends a file, because threads and activities are local to a file. */
void query_spans_end(struct query_spans *spans);

/*
 * query_spans_report() - Prints which options no record matched
 * @is_live: of a session, which can end before such a record
 * Return: TOOL_OK or TOOL_NOT_FOUND
 */
int query_spans_report(const struct query_spans *spans,
		       const struct query_select *select, bool is_live);

void query_spans_release(struct query_spans *spans);

#endif
