/* SPDX-License-Identifier: MIT */
/*
 * What a perf.data file says of its records: the attributes of the events, the
 * machine and the clock. All of it follows the records, and the header at the
 * beginning says where it is.
 */
#ifndef USEREVENTS_PERF_TRAILER_H
#define USEREVENTS_PERF_TRAILER_H

#include <stddef.h>

#include <userevents/session.h>

#include "perf/output.h"
#include "perf/sources.h"

/*
 * @sources: what has records; the number of an event in the file is its index
 *	here and one
 * @info: of the machine and the clock, with texts that are owned
 * @header_page, @header_event: texts of tracefs that perf wants to see, or NULL
 */
struct uev_perf_trailer {
	struct uev_source_table sources;
	struct uev_perf_info info;
	char *header_page;
	size_t header_page_size;
	char *header_event;
	size_t header_event_size;
};

/* Leaves room for the header, in front of the records. */
void uev_perf_trailer_reserve_header(struct uev_perf_output *output);

/* Writes what follows the records, and then the header. */
void uev_perf_trailer_write(const struct uev_perf_trailer *trailer,
			    struct uev_perf_output *output);

void uev_perf_trailer_free(struct uev_perf_trailer *trailer);

#endif
