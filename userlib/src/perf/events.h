/* SPDX-License-Identifier: MIT */
/*
 * The events of a perf.data file: how their records look, which numbers the
 * records have, and what they are called.
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
};

/*
 * @events: in the order of the file, each of its own memory
 * @by_id: of numbers in records to one of @events
 * @tracepoints: of ids in format texts to one of @sources
 * @memory: about how much all that takes
 */
struct uev_perf_events {
	struct uev_perf_event **events;
	size_t count;
	size_t room;
	struct uev_id_table by_id;
	struct uev_id_table tracepoints;
	struct uev_source_table sources;
	size_t memory;
};

/* All zero has no events. */
void uev_perf_events_free(struct uev_perf_events *events);

/*
 * What follows returns 0, -ENOMEM, or -ENOSPC for more than anybody needs, so
 * that no file makes the reader take all memory.
 */

/* @event: set to the new one, or NULL */
int uev_perf_events_add(struct uev_perf_events *events,
			const struct uev_attr *attr,
			struct uev_perf_event **event);

/* Records with @id are of @event. */
int uev_perf_events_add_id(struct uev_perf_events *events,
			   struct uev_perf_event *event, uint64_t id);

/* What perf calls an event: "system:name", "task-clock", ... */
int uev_perf_events_name(struct uev_perf_event *event, const char *name,
			 size_t length);

/* The text of a format file of @system. What is none is left out. */
int uev_perf_events_format(struct uev_perf_events *events, const char *system,
			   const char *format, size_t size);

/* Which event a sample is of; NULL when nothing tells. */
struct uev_perf_event *
uev_perf_events_of_sample(const struct uev_perf_events *events,
			  const void *sample, size_t size, bool big);

#endif
