/* SPDX-License-Identifier: MIT */
/*
 * user-events: the file that receives the ring buffer pages of one processor.
 *
 * The kernel has no way to read the binary records of an instance of ftrace more
 * than once: trace_pipe_raw and snapshot_raw consume them, and the file "trace"
 * is text. So pages move from the kernel into this file, which keeps the newest
 * ones and from which they are read again. read(2) copies a page directly into
 * the mapped file. If the process is killed, the page is in the kernel or in the
 * file.
 */
#ifndef USER_EVENTS_FLIGHT_RING_H
#define USER_EVENTS_FLIGHT_RING_H

#include "flight/page.h"

struct flight_ring_head;

/* struct flight_again - Where and from which time on pages were read again */
struct flight_again {
	uint64_t position;
	uint64_t time;
};

/*
 * struct flight_ring - An open file; zeros are closed
 * @head: the mapped file
 * @body: its pages, each without its unused part
 * @size: bytes of the mapping
 * @layout: of pages
 * @lap: bytes of @body
 * @agains: @again_count places
 */
struct flight_ring {
	struct flight_ring_head *head;
	uint8_t *body;
	size_t size;
	struct flight_layout layout;
	uint64_t lap;
	struct flight_again *agains;
	size_t again_count;
};

/*
 * flight_ring_open() - Opens a file, and creates it with all of its space
 * @path: the file
 * @room: bytes of pages that it keeps at least; used for a new file
 *
 * Only one process at a time can have it open; the caller has a lock.
 *
 * Return: 0; -ENOSPC; -EBADMSG for another file; or another error
 */
int flight_ring_open(struct flight_ring *ring, const char *path, uint64_t room,
		     const struct flight_layout *layout);
void flight_ring_close(struct flight_ring *ring);

/*
 * flight_ring_fill() - Moves the pages that a file of the kernel has
 * @fd: trace_pipe_raw or snapshot_raw, which does not block
 * @is_again: after a boot, the kernel forgets what was read of a persistent
 *        buffer. Pages in the ring that are not older than the first page are
 *        left out from now on.
 *
 * Old pages are overwritten. A page that does not fit its size is left out.
 *
 * Return: 0; or an error of read(2), after which all moved pages are in the ring
 */
int flight_ring_fill(struct flight_ring *ring, int fd, bool is_again);

/* Returns the position after the newest page. */
uint64_t flight_ring_end(const struct flight_ring *ring);

/* Returns the number of bytes of pages. */
uint64_t flight_ring_used(const struct flight_ring *ring);

/*
 * flight_ring_next() - Gets a page
 * @position: its position, which moves to the next page; 0 is the oldest page
 *
 * Return: the page; NULL at the end, or if the rest of the file is malformed
 */
const uint8_t *flight_ring_next(const struct flight_ring *ring,
				uint64_t *position);

#endif
