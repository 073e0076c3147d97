/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry: every event there is, by its name.
 */
#ifndef USER_EVENTS_GROUP_H
#define USER_EVENTS_GROUP_H

#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "status_bits.h"

struct dyn_event_operations;
struct user_event;

/* 1 << this lists of events. */
#define USER_EVENT_HASH_BITS 8

/**
 * struct user_event_group - a registry of events
 * @lock: protects everything below and every event in it: the tracing mutex
 * @events: the events by the hash of their name
 * @bits: status bits
 * @nr_events: number of events
 * @max_events: most that there may be
 */
struct user_event_group {
	struct mutex *lock;
	DECLARE_HASHTABLE(events, USER_EVENT_HASH_BITS);
	struct status_bits bits;
	u32 nr_events;
	u32 max_events;
};

/**
 * group_for_each_event - Goes through all events of a registry
 * @group: the registry, locked
 * @bucket: an int
 * @event: set to each event
 */
#define group_for_each_event(group, bucket, event) \
	hash_for_each((group)->events, bucket, event, node)

void group_init(struct user_event_group *group, struct mutex *lock);
struct user_event *group_find(struct user_event_group *group, const char *name);
bool group_is_full(const struct user_event_group *group);
int group_add(struct user_event_group *group, struct user_event *event);
void group_remove(struct user_event *event);
void group_update_status(struct user_event *event);

#endif /* USER_EVENTS_GROUP_H */
