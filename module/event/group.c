// SPDX-License-Identifier: GPL-2.0-only
#include "event/group.h"

#include <linux/errno.h>
#include <linux/jhash.h>
#include <linux/lockdep.h>
#include <linux/string.h>

#include "event/user_event.h"

/**
 * ue_group_name_key - Tells where events of a name are
 * @name: the name under which they were registered
 */
u32 ue_group_name_key(const char *name)
{
	return jhash(name, strlen(name), 0);
}

/**
 * ue_group_init - Prepares an empty registry
 * @group: the registry; its status bits and limit are the caller's business
 * @lock: the mutex that will protect it
 */
void ue_group_init(struct user_event_group *group, struct mutex *lock)
{
	group->lock = lock;
	hash_init(group->events);
	group->next_multi = 0;
	group->nr_events = 0;
}

/**
 * ue_group_find - Finds an event by its name, but for one of several formats
 * @group: the registry, locked
 * @name: the name
 *
 * Return: the event, which the lock alone keeps, or NULL.
 */
struct user_event *ue_group_find(struct user_event_group *group,
				 const char *name)
{
	u32 key = ue_group_name_key(name);
	struct user_event *event;

	lockdep_assert_held(group->lock);

	hash_for_each_possible(group->events, event, node, key)
		if (event->name_key == key && !event->multi &&
		    user_event_is_named(event, name))
			return event;

	return NULL;
}

/**
 * ue_group_is_full - Would ue_group_add() fail?
 * @group: the registry, locked
 */
bool ue_group_is_full(const struct user_event_group *group)
{
	lockdep_assert_held(group->lock);

	/* One status bit is never given out. */
	return group->nr_events >= READ_ONCE(group->max_events) ||
	       group->nr_events >= group->bits.count - 1;
}

/**
 * ue_group_add - Puts an event into a registry and gives it a status bit
 * @group: the registry, locked
 * @event: an event whose name is not in it
 *
 * Return: 0, or -EMFILE if there is no room.
 */
int ue_group_add(struct user_event_group *group, struct user_event *event)
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
	event->name_key = ue_group_name_key(user_event_reg_name(event));
	hash_add(group->events, &event->node, event->name_key);

	return 0;
}

/**
 * ue_group_remove - Takes an event out of its registry
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
 * ue_group_update_status - Sets or clears the status bit as @status says
 * @event: an event whose registry is locked
 */
void ue_group_update_status(struct user_event *event)
{
	struct user_event_group *group = event->group;

	lockdep_assert_held(group->lock);

	ue_status_bits_set(&group->bits, event->bit, event->status);
}
