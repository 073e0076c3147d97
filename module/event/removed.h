/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters of events that were removed, for readers that look for events only
 * from time to time.
 */
#ifndef USER_EVENTS_EVENT_REMOVED_H
#define USER_EVENTS_EVENT_REMOVED_H

#include <linux/list.h>
#include <linux/types.h>

#include "event/counts.h"

struct user_event;

/**
 * struct removed_counts - counters of removed events
 * @events: number of events
 * @hits: their records that were offered to tracers
 * @losses: records that tracers did not get
 */
struct removed_counts {
	u64 events;
	u64 hits;
	struct user_event_losses losses;
};

/**
 * struct removed_name - removed events of one name
 * @node: entry in struct removed_events
 * @key: hash of the name
 * @counts: their counters, as long as the name is in the list
 * @name: the name under which they were registered
 */
struct removed_name {
	struct list_head node;
	u32 key;
	struct removed_counts counts;
	char name[];
};

/**
 * struct removed_events - all events of a registry that were removed
 * @names: the struct removed_name of those removed last, the newest first
 * @nr_names: number of @names
 * @all: counters of all removed events
 */
struct removed_events {
	struct list_head names;
	unsigned int nr_names;
	struct removed_counts all;
};

void ue_removed_init(struct removed_events *removed);
void ue_removed_add(struct removed_events *removed,
		    const struct user_event *event);
void ue_removed_free(struct removed_events *removed);

#endif /* USER_EVENTS_EVENT_REMOVED_H */
