/* SPDX-License-Identifier: MIT */
/* user-events stat: counts of events, as the kernel has them. */
#ifndef USER_EVENTS_SINK_STAT_H
#define USER_EVENTS_SINK_STAT_H

#include <stdbool.h>
#include <stdint.h>

#include "capture/counts.h"
#include "pipe/pipe.h"
#include "source/live.h"

/*
 * struct sink_stat - Counters of events; initialized to zeros
 * @is_json: the output is JSON
 * @pipe: has the times; its source is @live
 * @live: the session
 * @sink: the sink in the pipe
 * @counts: counters of each event
 * @last: time of the last block in milliseconds; 0: none
 */
struct sink_stat {
	bool is_json;
	const struct pipe *pipe;
	struct source_live *live;
	struct sink sink;
	struct capture_counts counts;
	uint64_t last;
};

/*
 * Prints the counters at ticks and their sums at the end; the data is a struct
 * sink_stat. sink_stat leaves records in their buffers, which can be as small as
 * possible. sink_stat_read reads and drops them, because late events of selected
 * processes are counted by their records.
 */
extern const struct sink_ops sink_stat;
extern const struct sink_ops sink_stat_read;

#endif
