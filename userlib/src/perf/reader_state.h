/* SPDX-License-Identifier: MIT */
/*
 * How far a reader of perf.data has come, and what it has found by then.
 */
#ifndef USEREVENTS_PERF_READER_STATE_H
#define USEREVENTS_PERF_READER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

#include "perf/events.h"
#include "perf/input.h"
#include "perf/names.h"
#include "perf/record_queue.h"

/*
 * @owned_fd: to be closed; -1 when it is the caller's
 * @file_size: 0 for what cannot be read at any offset
 * @until: what is not newer is in order
 * @newest: of all records so far
 * @round_newest: of those before the last FINISHED_ROUND
 * @at_end: nothing more comes but what is in the queue
 * @reported_compressed: once is enough
 */
struct uev_perf_reader {
	struct uev_perf_reader_options options;
	int owned_fd;
	struct uev_input input;
	uint64_t file_size;
	struct uev_perf_info info;
	struct uev_perf_events events;
	struct uev_names names;
	struct uev_queue queue;
	struct uev_counts counts;
	uint64_t until;
	uint64_t newest;
	uint64_t round_newest;
	bool at_end;
	bool reported_compressed;
};

/* Tells the caller what is wrong, if it wants to know. */
__attribute__((format(printf, 3, 4))) void
uev_perf_reader_problem(struct uev_perf_reader *reader, uint64_t offset,
			const char *format, ...);

/* Adds the attributes of an event. Return: NULL or what is wrong */
const char *uev_perf_reader_add_attr(struct uev_perf_reader *reader,
				     const void *bytes, size_t size,
				     struct uev_perf_event **event);

#endif
