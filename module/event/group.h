/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry: every event there is, by its name.
 */
#ifndef USER_EVENTS_EVENT_GROUP_H
#define USER_EVENTS_EVENT_GROUP_H

#include <linux/hashtable.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "format/status_bits.h"

struct dyn_event_operations;
struct user_event;

/*
 * 1 << this lists of events. As many as in the kernel's own user_events, which
 * gives user_events_status the same order.
 */
#define USER_EVENT_HASH_BITS 8
#define USER_EVENT_HASH_SIZE (1 << USER_EVENT_HASH_BITS)

/**
 * struct user_event_group - a registry of events
 * @lock: protects everything below and every event in it: the tracing mutex
 * @events: the events by the hash of their name
 * @bits: status bits
 * @nr_events: number of events
 * @max_events: most that there may be; changed by the administrator at any time
 * @next_multi: number of the next of several formats
 */
struct user_event_group {
	struct mutex *lock;
	DECLARE_HASHTABLE(events, USER_EVENT_HASH_BITS);
	struct status_bits bits;
	u32 nr_events;
	unsigned int max_events;
	u64 next_multi;
};

/**
 * group_for_each_event - Goes through all events of a registry
 * @group: the registry, locked
 * @bucket: an int
 * @event: set to each event
 */
#define group_for_each_event(group, bucket, event) \
	hash_for_each((group)->events, bucket, event, node)

/**
 * group_for_each_in_list - Goes through the events of one list of a registry
 * @group: the registry, locked
 * @bucket: number of the list, below USER_EVENT_HASH_SIZE
 * @event: set to each event
 */
#define group_for_each_in_list(group, bucket, event) \
	hlist_for_each_entry(event, &(group)->events[bucket], node)

/**
 * group_for_each_like - Goes through the events among which those of a name are
 * @group: the registry, locked
 * @event: the event in hand
 * @next: the one after it, so that the one in hand may be removed
 * @name: the name; user_event_is_named() tells which events have it
 */
#define group_for_each_like(group, event, next, name)                   \
	hash_for_each_possible_safe((group)->events, event, next, node, \
				    ue_group_name_key(name))

u32 ue_group_name_key(const char *name);
void ue_group_init(struct user_event_group *group, struct mutex *lock);
struct user_event *ue_group_find(struct user_event_group *group,
				 const char *name);
bool ue_group_is_full(const struct user_event_group *group);
int ue_group_add(struct user_event_group *group, struct user_event *event);
void ue_group_remove(struct user_event *event);
void ue_group_update_status(struct user_event *event);

#endif /* USER_EVENTS_EVENT_GROUP_H */
