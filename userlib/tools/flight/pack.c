// SPDX-License-Identifier: MIT
#include "flight/pack.h"

#include <string.h>

#include "files.h"
#include "tool.h"

/* An entry of the ring buffer with an absolute time */
#define TIME_STAMP 31
#define KIND_BITS 5
#define DELTA_BITS 27
#define DELTA_MASK ((1U << DELTA_BITS) - 1)
#define TIME_STAMP_SIZE 8

static void put32(uint8_t *to, uint32_t value)
{
	memcpy(to, &value, sizeof(value));
}

static size_t header_size(const struct flight_pack *pack)
{
	return flight_page_header(&pack->layout);
}

int flight_pack_flush(struct flight_pack *pack)
{
	if (pack->size && !pack->error)
		pack->error = files_write_all(pack->fd, pack->page,
					      pack->layout.page_size);
	if (pack->size && !pack->error)
		pack->offset += pack->layout.page_size;
	pack->size = 0;

	return pack->error;
}

static void start_page(struct flight_pack *pack, const uint8_t *page)
{
	uint32_t commit = flight_page_commit(page, &pack->layout);

	if (!pack->page)
		pack->page = tool_alloc(pack->layout.page_size);
	memset(pack->page, 0, pack->layout.page_size);
	memcpy(pack->page, page, flight_page_used(page, &pack->layout));
	flight_page_set_commit(pack->page, commit & ~FLIGHT_PAGE_AGAIN,
			       &pack->layout);
	pack->size = commit & FLIGHT_PAGE_SIZE;
}

/* Appends the records after an entry with the time of their page. */
static void join_page(struct flight_pack *pack, const uint8_t *page,
		      uint32_t size)
{
	uint8_t *at = pack->page + header_size(pack) + pack->size;
	uint64_t time = flight_page_time(page);
	uint32_t low = (uint32_t)time & DELTA_MASK;

	put32(at, uev_host_is_big() ? (uint32_t)TIME_STAMP << DELTA_BITS | low
				    : low << KIND_BITS | TIME_STAMP);
	put32(at + 4, (uint32_t)(time >> DELTA_BITS));
	memcpy(at + TIME_STAMP_SIZE, page + header_size(pack), size);
	pack->size += TIME_STAMP_SIZE + size;
	flight_page_set_commit(pack->page, pack->size, &pack->layout);
}

/* The number of missing records is of the start of a page. */
static bool can_join(const struct flight_pack *pack, uint32_t commit)
{
	uint32_t mine;

	if (!pack->size || commit & FLIGHT_PAGE_MISSED)
		return false;
	mine = flight_page_commit(pack->page, &pack->layout);

	return !(mine & FLIGHT_PAGE_MISSED) &&
	       header_size(pack) + pack->size + TIME_STAMP_SIZE +
			       (commit & FLIGHT_PAGE_SIZE) <=
		       pack->layout.page_size;
}

void flight_pack_add(struct flight_pack *pack, const uint8_t *page)
{
	uint32_t commit = flight_page_commit(page, &pack->layout);

	if (!(commit & FLIGHT_PAGE_SIZE))
		return;
	if (can_join(pack, commit)) {
		join_page(pack, page, commit & FLIGHT_PAGE_SIZE);
		return;
	}
	flight_pack_flush(pack);
	start_page(pack, page);
}
