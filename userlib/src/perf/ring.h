/* SPDX-License-Identifier: MIT */
/*
 * The memory that the kernel writes records of one processor into.
 *
 * What is there is copied before it is looked at, and believed as little as a
 * file.
 */
#ifndef USEREVENTS_PERF_RING_H
#define USEREVENTS_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for any record. */
#define UEV_RING_RECORD_MAX 65536

/*
 * @map: a page about it and, behind that, @size bytes of records, a power of two
 * @overwrite: it is written from its end to its beginning, over what is old
 * @position: up to where it was read
 */
struct uev_ring {
	void *map;
	size_t page_size;
	uint64_t size;
	bool overwrite;
	uint64_t position;
};

/* Maps the ring of @fd. Return: 0 or a negative errno */
int uev_ring_map(struct uev_ring *ring, int fd, size_t size, bool overwrite);

/* Does nothing to one that is not mapped. */
void uev_ring_unmap(struct uev_ring *ring);

/*
 * Calls @each for every record that is new and says to the kernel that its room
 * is free again; with @overwrite from the newest to the oldest.
 * @record: UEV_RING_RECORD_MAX bytes for a copy, aligned to 8
 * @corrupt: incremented when what is there are no records; it is left out
 *
 * Return: 0, or what @each returned if that was not 0; then its record and what
 * follows is still there, unless with @overwrite.
 */
int uev_ring_read(struct uev_ring *ring, uint8_t *record, uint64_t *corrupt,
		  int (*each)(void *data, const uint8_t *record, size_t size),
		  void *data);

#endif
