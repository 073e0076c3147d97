/* SPDX-License-Identifier: MIT */
/*
 * The description of a perf.data file: attributes of events, machine and clock.
 * It follows the records, and the header at the start has its location.
 */
#ifndef USEREVENTS_PERF_TRAILER_H
#define USEREVENTS_PERF_TRAILER_H

#include <stdbool.h>
#include <stddef.h>

#include <userevents/session.h>

#include "perf/output.h"
#include "perf/sources.h"

/*
 * @sources: sources of the records; the ID of an event in the file is its index
 *        here plus 1
 * @info: machine and clock, with owned strings
 * @has_stacks: samples have stacks
 * @header_page, @header_event: files of tracefs that perf reads, or NULL
 */
struct uev_perf_trailer {
	struct uev_source_table sources;
	struct uev_perf_info info;
	bool has_stacks;
	char *header_page;
	size_t header_page_size;
	char *header_event;
	size_t header_event_size;
};

/*
 * Writes the header of an unfinished file, and a record that describes the
 * machine. Return: 0 or -ENOMEM
 */
int uev_perf_trailer_begin(const struct uev_perf_trailer *trailer,
			   struct uev_perf_output *output);

/*
 * Writes a record that describes the source at @index, for readers of a file
 * without the part after the records. Without room for its format, it has only
 * the common fields. Return: 0 or -ENOMEM
 */
int uev_perf_trailer_describe(const struct uev_perf_trailer *trailer,
			      struct uev_perf_output *output, uint32_t index);

/*
 * Writes the part after the records, and then the header, each when the bytes
 * before it are on the disk.
 */
void uev_perf_trailer_write(const struct uev_perf_trailer *trailer,
			    struct uev_perf_output *output);

void uev_perf_trailer_free(struct uev_perf_trailer *trailer);

#endif
