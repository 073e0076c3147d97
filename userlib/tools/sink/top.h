/* SPDX-License-Identifier: MIT */
/* user-events top: rates of events, on a screen or in blocks of lines. */
#ifndef USER_EVENTS_SINK_TOP_H
#define USER_EVENTS_SINK_TOP_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/counts.h"
#include "pipe/pipe.h"
#include "source/live.h"

/*
 * struct sink_top - State of the display; initialized to zeros
 * @is_json: the output is JSON
 * @updates: remaining number of updates; UINT64_MAX: unlimited
 * @pipe: has the times; its source is @live
 * @live: the session
 * @sink: the sink in the pipe
 * @counts: counters of each event
 * @text: memory of an update
 * @has_screen: the output is a terminal; @is_drawn: and its screen is used
 * @last: time of the last update in milliseconds; 0: none
 */
struct sink_top {
	bool is_json;
	uint64_t updates;
	const struct pipe *pipe;
	struct source_live *live;
	struct sink sink;
	struct capture_counts counts;
	struct uev_output text;
	bool has_screen;
	bool is_drawn;
	uint64_t last;
};

/* Updates the display at ticks; its data is a struct sink_top. */
extern const struct sink_ops sink_top;

#endif
