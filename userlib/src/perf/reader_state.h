/* SPDX-License-Identifier: MIT */
/* State of a reader of perf.data. */
#ifndef USEREVENTS_PERF_READER_STATE_H
#define USEREVENTS_PERF_READER_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

#include "perf/decompress.h"
#include "perf/deferred.h"
#include "perf/events.h"
#include "perf/input.h"
#include "perf/losses.h"
#include "perf/mappings.h"
#include "perf/names.h"
#include "perf/record_queue.h"
#include "perf/vpids.h"

/*
 * A file of a directory, see perf/parts.h. The reader has the state of the
 * current one.
 *
 * @fd: to be closed; -1 if the reader does
 * @name: for the user
 * @newest: time of its newest record so far
 * @at_end: it was read
 */
struct uev_perf_part {
	int fd;
	char name[16];
	struct uev_input input;
	struct uev_decompressor decompressor;
	struct uev_input decompressed;
	uint64_t record_offset;
	uint64_t compressed_offset;
	uint64_t newest;
	bool reported_compressed;
	bool at_end;
};

/*
 * @owned_fd: to be closed; -1 if it belongs to the caller
 * @decompressed: data of compressed records, with a part of the next record at
 *        its end
 * @record_offset: offset of the last record of @input
 * @compressed_offset: the same for the last compressed record
 * @file_size: 0 if the input cannot be read at any offset
 * @unused: bytes of the file that no section of its header has used so far.
 *        Sections of a valid file do not overlap, and a malformed file that
 *        names one section again and again must not take longer than its size
 *        allows.
 * @has_stacks: samples can have stacks, so @mappings are read
 * @is_incomplete: the file was not finished or is truncated, so descriptions
 *        among its records are used
 * @until: records up to this time are ordered
 * @newest: time of the newest record of this file so far
 * @round_newest: the same before the last FINISHED_ROUND
 * @lost: sum of the records of lost records
 * @lost_samples: sum of the records of lost samples
 * @losses: losses that were read and not returned
 * @explained: lost records of the next PERF_RECORD_LOST that @losses has
 * @at_end: only queued records are left
 * @reported_compressed: the last compressed record was not decompressed, which
 *        is reported once
 * @parts: the files of a directory, or NULL
 * @part: the current one
 * @part_limit: the current one is read up to this time
 */
struct uev_perf_reader {
	struct uev_perf_reader_options options;
	int owned_fd;
	struct uev_input input;
	struct uev_decompressor decompressor;
	struct uev_input decompressed;
	uint64_t record_offset;
	uint64_t compressed_offset;
	uint64_t file_size;
	uint64_t unused;
	struct uev_perf_info info;
	struct uev_perf_events events;
	struct uev_names names;
	struct uev_mappings mappings;
	struct uev_vpids vpids;
	struct uev_deferred deferred;
	bool has_stacks;
	struct uev_queue queue;
	struct uev_trace_stats counts;
	bool is_incomplete;
	uint64_t until;
	uint64_t newest;
	uint64_t round_newest;
	uint64_t lost;
	uint64_t lost_samples;
	struct uev_losses losses;
	uint64_t explained;
	bool at_end;
	bool reported_compressed;
	struct uev_perf_part *parts;
	size_t part_count;
	struct uev_perf_part *part;
	uint64_t part_limit;
};

/* Reports a problem to the caller. */
__attribute__((format(printf, 3, 4))) void
uev_perf_reader_problem(struct uev_perf_reader *reader, uint64_t offset,
			const char *format, ...);

/* Adds the attributes of an event. Return: NULL or the error */
const char *uev_perf_reader_add_attr(struct uev_perf_reader *reader,
				     const void *bytes, size_t size,
				     struct uev_perf_event **event);

#endif
