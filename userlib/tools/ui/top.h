/* SPDX-License-Identifier: MIT */
/*
 * user-events: what "top" shows, as text and as JSON.
 */
#ifndef USER_EVENTS_LIVE_TOP_H
#define USER_EVENTS_LIVE_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/decode.h>

#include "capture/counts.h"
#include "capture/names.h"

/*
 * struct live_top - a moment
 * @counts: in order; the processes have been, too
 * @names: of processes
 * @milliseconds: since the moment before
 * @wall: nanoseconds since 1970
 * @rows, @columns: of the terminal; 0: as many as it takes
 */
struct live_top {
	const struct live_counts *counts;
	struct live_names *names;
	uint64_t milliseconds;
	uint64_t wall;
	unsigned int rows;
	unsigned int columns;
};

/*
 * live_top_text() - appends lines of at most @columns, and no more than @rows:
 * what is above them, and one for each event
 */
void live_top_text(const struct live_top *top, struct uev_output *to);

/* live_top_json() - prints an object. */
void live_top_json(const struct live_top *top);

#endif
