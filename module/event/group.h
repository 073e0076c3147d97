/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry: all events by name.
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
 * The hash table has 1 << USER_EVENT_HASH_BITS lists. The in-kernel user_events
 * has as many, so that user_events_status lists events in the same order.
 */
#define USER_EVENT_HASH_BITS 8
#define USER_EVENT_HASH_SIZE (1 << USER_EVENT_HASH_BITS)

/**
 * struct user_event_group - a registry of events
 * @lock: event_mutex; protects all members and every event in the registry
 * @events: the events by the hash of their name
 * @bits: status bits
 * @nr_events: number of events
 * @max_events: maximum number of events; the administrator can change it at any
 *		time
 * @next_multi: number for the name of the next event with REGISTER_MULTI
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
 * group_for_each_event - Iterates over all events of a registry
 * @group: the registry, locked
 * @bucket: an int
 * @event: set to each event
 */
#define group_for_each_event(group, bucket, event) \
	hash_for_each((group)->events, bucket, event, node)

/**
 * group_for_each_in_list - Iterates over the events of one hash list
 * @group: the registry, locked
 * @bucket: number of the list, below USER_EVENT_HASH_SIZE
 * @event: set to each event
 */
#define group_for_each_in_list(group, bucket, event) \
	hlist_for_each_entry(event, &(group)->events[bucket], node)

/**
 * group_for_each_like - Iterates over the events in the hash list of a name
 * @group: the registry, locked
 * @event: set to each event, which the loop body may remove
 * @next: storage for the iteration
 * @key: ue_group_name_key() of the name; user_event_is_named() tells whether an
 *	 event has the name
 */
#define group_for_each_like(group, event, next, key) \
	hash_for_each_possible_safe((group)->events, event, next, node, key)

u32 ue_group_name_key(const char *name);
void ue_group_init(struct user_event_group *group, struct mutex *lock);
struct user_event *ue_group_find(struct user_event_group *group,
				 const char *name, u32 key);
bool ue_group_is_full(const struct user_event_group *group);
int ue_group_add(struct user_event_group *group, struct user_event *event,
		 u32 key);
void ue_group_remove(struct user_event *event);
void ue_group_update_status(struct user_event *event);

#endif /* USER_EVENTS_EVENT_GROUP_H */
