/* SPDX-License-Identifier: MIT */
/*
 * user-events: the start of a trace.dat, version 6, for ring buffer pages of this
 * machine. See trace-cmd.dat.v6(5).
 */
#ifndef USER_EVENTS_FORMATS_TRACE_DAT_HEADER_H
#define USER_EVENTS_FORMATS_TRACE_DAT_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include <userevents/decode.h>

/*
 * struct trace_dat_header - What describes the pages
 * @tracefs: path of tracefs, with the formats of events
 * @events: @event_count of "SYSTEM:NAME", sorted; those without a format are left
 *        out
 * @clock: name of the clock in tracefs
 * @shift: microseconds from this clock to 1970; 0: times of the clock
 * @page_size: bytes of a page
 * @long_size: bytes of a long of the kernel
 */
struct trace_dat_header {
	const char *tracefs;
	char **events;
	size_t event_count;
	const char *clock;
	int64_t shift;
	uint32_t page_size;
	uint8_t long_size;
};

/*
 * trace_dat_header_append() - Appends all of a file up to the number of
 * processors
 *
 * Return: 0, or the error of a file without which records cannot be read
 */
int trace_dat_header_append(struct uev_output *to,
			    const struct trace_dat_header *header);

/*
 * trace_dat_table_append() - Appends the number and positions of the pages, and
 * zeros up to the first one
 * @sizes: bytes of the pages of @count processors, in the order of the file
 */
void trace_dat_table_append(struct uev_output *to,
			    const struct trace_dat_header *header,
			    const uint64_t *sizes, size_t count);

#endif
