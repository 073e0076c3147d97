/* SPDX-License-Identifier: MIT */
/*
 * Events of a perf.data file: layout and IDs of their records, and their names.
 */
#ifndef USEREVENTS_PERF_EVENTS_H
#define USEREVENTS_PERF_EVENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/id_table.h"
#include "perf/attr.h"
#include "perf/sources.h"

struct uev_perf_event {
	struct uev_attr attr;
	struct uev_source *source;
	bool has_ids;
};

/*
 * @events: in the order of the file, each allocated separately
 * @by_id: map of IDs in records to @events
 * @without_ids: map of IDs in format files to tracepoints in @events that have
 *        no ID in records
 * @tracepoints: map of IDs in format files to @sources
 * @memory: approximate memory of all of these
 * @last_id, @last: ID and event of the last sample, if any
 */
struct uev_perf_events {
	struct uev_perf_event **events;
	size_t count;
	size_t room;
	struct uev_id_table by_id;
	struct uev_id_table without_ids;
	struct uev_id_table tracepoints;
	struct uev_source_table sources;
	size_t memory;
	uint64_t last_id;
	struct uev_perf_event *last;
};

/* Zeros are an empty table. */
void uev_perf_events_free(struct uev_perf_events *events);

/*
 * The following return 0; -ENOMEM; or -ENOSPC beyond a limit, so that no file
 * can exhaust memory.
 */

/* @event: set to the new one, or NULL */
int uev_perf_events_add(struct uev_perf_events *events,
			const struct uev_attr *attr,
			struct uev_perf_event **event);

/* Maps @id in records to @event. */
int uev_perf_events_add_id(struct uev_perf_events *events,
			   struct uev_perf_event *event, uint64_t id);

/* The name of an event in perf: "system:name", "task-clock", ... */
int uev_perf_events_name(struct uev_perf_event *event, const char *name,
			 size_t length);

/* The text of a format file of @system. Invalid text is ignored. */
int uev_perf_events_format(struct uev_perf_events *events, const char *system,
			   const char *format, size_t size);

/*
 * Returns the event of a sample; NULL if it is unknown. If the file has no IDs
 * of an event, its samples are those with the ID of its tracepoint, or all of
 * them if it is the only event.
 */
struct uev_perf_event *uev_perf_events_of_sample(struct uev_perf_events *events,
						 const void *sample,
						 size_t size, bool big);

#endif
