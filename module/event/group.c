// SPDX-License-Identifier: GPL-2.0-only
#include "event/group.h"

#include <linux/errno.h>
#include <linux/jhash.h>
#include <linux/lockdep.h>
#include <linux/string.h>

#include "event/user_event.h"

/**
 * ue_group_name_key - Hashes the name of an event
 * @name: the name under which it was registered
 */
u32 ue_group_name_key(const char *name)
{
	return jhash(name, strlen(name), 0);
}

/**
 * ue_group_init - Initializes an empty registry
 * @group: the registry; the caller sets its status bits and its limit
 * @lock: the mutex that protects it
 */
void ue_group_init(struct user_event_group *group, struct mutex *lock)
{
	group->lock = lock;
	hash_init(group->events);
	group->next_multi = 0;
	group->nr_events = 0;
}

/**
 * ue_group_find - Finds an event by name
 * @group: the registry, locked
 * @name: the name
 * @key: ue_group_name_key() of @name
 *
 * Events of a name with several formats are not found.
 *
 * Return: the event, valid while the lock is held, or NULL.
 */
struct user_event *ue_group_find(struct user_event_group *group,
				 const char *name, u32 key)
{
	struct user_event *event;

	lockdep_assert_held(group->lock);

	hash_for_each_possible(group->events, event, node, key)
		if (event->name_key == key && !event->multi &&
		    user_event_is_named(event, name))
			return event;

	return NULL;
}

/**
 * ue_group_is_full - Tells whether ue_group_add() would fail
 * @group: the registry, locked
 */
bool ue_group_is_full(const struct user_event_group *group)
{
	lockdep_assert_held(group->lock);

	/* Status bit 0 is never allocated. */
	return group->nr_events >= READ_ONCE(group->max_events) ||
	       group->nr_events >= group->bits.count - 1;
}

/**
 * ue_group_add - Adds an event to a registry and allocates its status bit
 * @group: the registry, locked
 * @event: an event whose name is not in the registry
 * @key: ue_group_name_key() of its name
 *
 * Return: 0, or -EMFILE if the registry is full.
 */
int ue_group_add(struct user_event_group *group, struct user_event *event,
		 u32 key)
{
	int bit;

	if (ue_group_is_full(group))
		return -EMFILE;

	bit = ue_status_bits_get(&group->bits);
	if (bit < 0)
		return bit;

	event->bit = bit;
	event->group = group;
	group->nr_events++;
	event->name_key = key;
	hash_add(group->events, &event->node, key);

	return 0;
}

/**
 * ue_group_remove - Removes an event from its registry
 * @event: the event; its registry is locked
 */
void ue_group_remove(struct user_event *event)
{
	struct user_event_group *group = event->group;

	lockdep_assert_held(group->lock);

	hash_del(&event->node);
	group->nr_events--;
	ue_status_bits_put(&group->bits, event->bit);
}

/**
 * ue_group_update_status - Sets or clears the status bit according to @status
 * @event: an event whose registry is locked
 */
void ue_group_update_status(struct user_event *event)
{
	struct user_event_group *group = event->group;

	lockdep_assert_held(group->lock);

	ue_status_bits_set(&group->bits, event->bit, event->status);
}
