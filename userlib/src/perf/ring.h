/* SPDX-License-Identifier: MIT */
/*
 * The ring buffer of one processor that the kernel writes records to.
 *
 * Records are copied before they are checked, and not trusted.
 */
#ifndef USEREVENTS_PERF_RING_H
#define USEREVENTS_PERF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maximum size of a record. */
#define UEV_RING_RECORD_MAX 65536

/*
 * @map: a control page and @size bytes of records, a power of two
 * @overwrite: written backwards, overwriting the oldest records
 * @position: end of the records that were read
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

/* Does nothing if it is not mapped. */
void uev_ring_unmap(struct uev_ring *ring);

/*
 * Calls @each for every new record and releases its room to the kernel; with
 * @overwrite from the newest to the oldest.
 * @record: UEV_RING_RECORD_MAX bytes for a copy, aligned to 8
 * @corrupt: incremented for malformed data, which is skipped
 *
 * Return: 0, or a nonzero value of @each; its record and later ones are then
 * kept, unless with @overwrite.
 */
int uev_ring_read(struct uev_ring *ring, uint8_t *record, uint64_t *corrupt,
		  int (*each)(void *data, const uint8_t *record, size_t size),
		  void *data);

#endif
