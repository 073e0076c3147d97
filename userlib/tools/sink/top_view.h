/* SPDX-License-Identifier: MIT */
/* user-events: output of "top" as text and as JSON. */
#ifndef USER_EVENTS_SINK_TOP_VIEW_H
#define USER_EVENTS_SINK_TOP_VIEW_H

#include <stdint.h>

#include <userevents/decode.h>

#include "capture/counts.h"
#include "capture/names.h"
#include "ui/out.h"

/*
 * struct top_view - Data of one update
 * @counts: sorted, as are their processes
 * @names: names of processes
 * @milliseconds: since the previous update
 * @wall: nanoseconds since 1970
 * @rows, @columns: of the terminal; 0: unlimited
 */
struct top_view {
	const struct capture_counts *counts;
	struct capture_names *names;
	uint64_t milliseconds;
	uint64_t wall;
	unsigned int rows;
	unsigned int columns;
};

/*
 * top_view_text() - Appends at most @rows lines of at most @columns: headings,
 * and one line per event
 */
void top_view_text(const struct top_view *top, struct uev_output *to);

/* top_view_losses() - Prints the member "losses" of an event: numbers by reason */
void top_view_losses(const struct capture_count *count,
		     struct uev_output *json);

/* top_view_json() - Prints an object. */
void top_view_json(const struct top_view *top);

#endif
