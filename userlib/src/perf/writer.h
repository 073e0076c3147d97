/* SPDX-License-Identifier: MIT */
/*
 * What the parts of a writer of perf.data share.
 */
#ifndef USEREVENTS_PERF_WRITER_H
#define USEREVENTS_PERF_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include <userevents/session.h>

#include "util/id_table.h"
#include "perf/comms.h"
#include "perf/output.h"
#include "perf/sources.h"

/*
 * @path: what the file will be called; @temporary: what it is called now
 * @sources: copies of what has records; the number of an event in the file is
 *	its index here and one
 * @tracepoints: of their ids to them
 * @comms: what the file calls threads so far
 * @info: of the machine and the clock, with texts of the writer's own
 * @header_page, @header_event: texts of tracefs that perf wants to see, or NULL
 */
struct uev_perf_writer {
	char *path;
	char *temporary;
	int fd;
	struct uev_perf_output output;
	struct uev_source_table sources;
	struct uev_id_table tracepoints;
	struct uev_comms comms;
	struct uev_perf_info info;
	bool has_times;
	char *header_page;
	size_t header_page_size;
	char *header_event;
	size_t header_event_size;
};

/* What is in front of the records; the numbers in it come at the end. */
void uev_perf_writer_begin(struct uev_perf_writer *writer);

/* Writes what follows the records, and then the numbers at the beginning. */
void uev_perf_writer_end(struct uev_perf_writer *writer);

#endif
