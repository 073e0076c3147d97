/* SPDX-License-Identifier: MIT */
/*
 * user-events: the pages of a flight recorder: from the kernel into its rings,
 * and from the rings into a file for a reader.
 *
 * A processor has a ring for the buffer and one for the snapshot, so that later
 * records do not overwrite those of the snapshot.
 */
#ifndef USER_EVENTS_FLIGHT_PAGES_H
#define USER_EVENTS_FLIGHT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "flight/flight.h"
#include "flight/page.h"

/* The buffer, and the snapshot */
#define FLIGHT_RINGS 2

/*
 * struct flight_cpu - A processor
 * @number: its number
 * @positions: in its rings, of the next page that is copied
 * @offset, @end: of its pages in the file for a reader
 */
struct flight_cpu {
	uint32_t number;
	uint64_t positions[FLIGHT_RINGS];
	uint64_t offset;
	uint64_t end;
};

/*
 * struct flight_pages - All processors of a flight recorder; zeros before
 * flight_pages_open()
 * @flight: owned by the caller
 * @layout: of pages
 * @cpus: @cpu_count processors, sorted
 * @fd: the file for a reader, in memory
 */
struct flight_pages {
	const struct flight *flight;
	struct flight_layout layout;
	struct flight_cpu *cpus;
	size_t cpu_count;
	int fd;
};

/*
 * flight_layout_read() - Reads the layout of pages of the running kernel
 * Return: 0 or -errno
 */
int flight_layout_read(struct flight_layout *layout, const char *tracefs);

/* flight_pages_open() - Finds the processors. Return: 0 or -errno */
int flight_pages_open(struct flight_pages *pages, const struct flight *flight);
void flight_pages_close(struct flight_pages *pages);

/*
 * flight_pages_move() - Moves the records of the kernel into the rings, and
 * copies pages from there into @fd, whose content is replaced
 * @wants_copy: otherwise, only the positions move to the end; not of an instance
 *        of others, whose records are not kept
 *
 * A trigger for a snapshot that was taken is set again.
 *
 * Return: 1; 0 if there were none; -errno
 */
int flight_pages_move(struct flight_pages *pages, bool wants_copy);

/* Returns the bytes of pages in the rings. */
uint64_t flight_pages_used(struct flight_pages *pages);

/*
 * struct flight_stats - What the kernel counts for a processor
 * @cpu: its number
 * @bytes: bytes of records in the buffer
 * @overwritten: records that newer ones have replaced
 * @lost: records that did not fit
 * @read: records that were moved into rings
 */
struct flight_stats {
	uint32_t cpu;
	uint64_t bytes;
	uint64_t overwritten;
	uint64_t lost;
	uint64_t read;
};

/* Sets only @cpu if the recorder has no instance. */
void flight_stats_read(struct flight_stats *stats, const struct flight *flight,
		       uint32_t cpu);

#endif
