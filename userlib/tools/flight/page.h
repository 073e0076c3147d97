/* SPDX-License-Identifier: MIT */
/* user-events: pages of the ring buffer of the running kernel. */
#ifndef USER_EVENTS_FLIGHT_PAGE_H
#define USER_EVENTS_FLIGHT_PAGE_H

#include <stddef.h>
#include <stdint.h>

#include "util/bytes.h"

/* Bits of the second word: bytes of records, and missing records before them */
#define FLIGHT_PAGE_SIZE 0xfffffU
#define FLIGHT_PAGE_MISSED (1U << 31)
#define FLIGHT_PAGE_COUNTED (1U << 30)
/* Set by a ring, not by the kernel: see flight_ring_fill() */
#define FLIGHT_PAGE_AGAIN (1U << 29)

/*
 * struct flight_layout - Pages of a kernel
 * @page_size: bytes of a page
 * @long_size: bytes of a long of the kernel: 4 or 8
 */
struct flight_layout {
	size_t page_size;
	size_t long_size;
};

/* Bytes before the records: the time, and a long with size and flags */
static inline size_t flight_page_header(const struct flight_layout *layout)
{
	return sizeof(uint64_t) + layout->long_size;
}

static inline uint64_t flight_page_time(const uint8_t *page)
{
	return uev_get64(page, uev_host_is_big());
}

static inline uint32_t flight_page_commit(const uint8_t *page,
					  const struct flight_layout *layout)
{
	const uint8_t *at = page + sizeof(uint64_t);

	return layout->long_size == 8
		       ? (uint32_t)uev_get64(at, uev_host_is_big())
		       : uev_get32(at, uev_host_is_big());
}

static inline void flight_page_set_commit(uint8_t *page, uint32_t commit,
					  const struct flight_layout *layout)
{
	uint8_t *at = page + sizeof(uint64_t);
	uint64_t wide = commit;

	if (layout->long_size == 8)
		memcpy(at, &wide, sizeof(wide));
	else
		memcpy(at, &commit, sizeof(commit));
}

/* Returns the used bytes of a page: with the number of missing records. */
static inline size_t flight_page_used(const uint8_t *page,
				      const struct flight_layout *layout)
{
	uint32_t commit = flight_page_commit(page, layout);

	return flight_page_header(layout) + (commit & FLIGHT_PAGE_SIZE) +
	       (commit & FLIGHT_PAGE_COUNTED ? layout->long_size : 0);
}

#endif
