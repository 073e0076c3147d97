/* SPDX-License-Identifier: MIT */
/*
 * user-events: pages from a ring as whole pages of trace.dat.
 *
 * A page that was moved before it was full is joined with the next one, so that
 * a recorder that is read often does not become a large file.
 */
#ifndef USER_EVENTS_FLIGHT_PACK_H
#define USER_EVENTS_FLIGHT_PACK_H

#include <stdint.h>

#include "flight/page.h"

/*
 * struct flight_pack - A file with pages
 * @fd: the file, at its end
 * @layout: of the pages
 * @offset: bytes that were written to the file
 * @page: the last page, which is not written; freed by the caller
 * @size: bytes of records in it; 0: there is none
 * @error: error of write(2), or 0
 */
struct flight_pack {
	int fd;
	struct flight_layout layout;
	uint64_t offset;
	uint8_t *page;
	uint32_t size;
	int error;
};

/* flight_pack_add() - Adds a page without its unused part */
void flight_pack_add(struct flight_pack *pack, const uint8_t *page);

/* flight_pack_flush() - Writes the last page. Return: 0 or -errno */
int flight_pack_flush(struct flight_pack *pack);

#endif
