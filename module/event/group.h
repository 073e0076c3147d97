/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry: all events by name and by status bit.
 */
#ifndef USER_EVENTS_EVENT_GROUP_H
#define USER_EVENTS_EVENT_GROUP_H

#include <linux/mutex.h>
#include <linux/rbtree.h>
#include <linux/types.h>
#include <linux/xarray.h>

#include "event/removed.h"

struct user_event;

/**
 * struct user_event_group - a registry of events
 * @lock: event_mutex; protects all members and every event in the registry
 * @names: the events by name
 * @events: the events by the number of their status bit. The number is the place
 *	    of an event in lists and does not change
 * @map: the status bits, which processes map: bit n is mask 1 << (n % 8) of byte
 *	 n / 8, whatever the byte order of the machine
 * @nr_bits: number of status bits, a multiple of 8
 * @nr_events: number of events
 * @nr_added: number of events that were ever added
 * @max_events: maximum number of events; the administrator can change it at any
 *		time
 * @removed: counters of events that were removed
 * @next_multi: number for the name of the next event with REGISTER_MULTI
 */
struct user_event_group {
	struct mutex *lock;
	struct rb_root names;
	struct xarray events;
	u8 *map;
	u32 nr_bits;
	u32 nr_events;
	u64 nr_added;
	unsigned int max_events;
	struct removed_events removed;
	u64 next_multi;
};

void ue_group_init(struct user_event_group *group, struct mutex *lock);
void ue_group_exit(struct user_event_group *group);
struct user_event *ue_group_find(const struct user_event_group *group,
				 const char *name, u32 name_key, bool multi);
struct user_event *ue_group_find_format(const struct user_event_group *group,
					const char *name, u32 name_key,
					u32 fields_key);
struct user_event *ue_group_next_format(const struct user_event *event);
u32 ue_group_half(const struct user_event_group *group);
bool ue_group_is_full(const struct user_event_group *group);
int ue_group_add(struct user_event_group *group, struct user_event *event);
void ue_group_remove(struct user_event *event);
void ue_group_update_status(struct user_event *event);

#endif /* USER_EVENTS_EVENT_GROUP_H */
