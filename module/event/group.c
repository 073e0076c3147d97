// SPDX-License-Identifier: GPL-2.0-only
#include "event/group.h"

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/lockdep.h>
#include <linux/string.h>

#include "event/user_event.h"
#include "limits.h"

static int compare_keys(u32 a, u32 b)
{
	return a == b ? 0 : a < b ? -1 : 1;
}

/*
 * The order of the tree: by the hash of the name, by the name, and the event
 * with one format before those with several, which are in the order of the keys
 * of their fields. An attacker who finds names with the same hash makes the tree
 * no deeper.
 */
static int compare(u32 key, const char *name, bool multi,
		   const struct user_event *event)
{
	return compare_keys(key, event->name_key)
		       ?: strcmp(name, user_event_reg_name(event))
		       ?: (int)multi - (int)event->multi;
}

/**
 * ue_group_init - Initializes an empty registry
 * @group: the registry; the caller sets its status bits and its limit
 * @lock: the mutex that protects it
 */
void ue_group_init(struct user_event_group *group, struct mutex *lock)
{
	group->lock = lock;
	group->names = RB_ROOT;
	xa_init_flags(&group->events, XA_FLAGS_ALLOC1);
	group->next_multi = 0;
	group->nr_events = 0;
	group->nr_added = 0;
	ue_removed_init(&group->removed);
}

/**
 * ue_group_exit - Frees what an empty registry has
 * @group: the registry
 */
void ue_group_exit(struct user_event_group *group)
{
	ue_removed_free(&group->removed);
}

/* Finds the first event, with any fields if @fields_key is NULL. */
static struct user_event *find(const struct user_event_group *group,
			       const char *name, u32 name_key, bool multi,
			       const u32 *fields_key)
{
	struct rb_node *node = group->names.rb_node;
	struct user_event *event, *found = NULL;
	int order;

	lockdep_assert_held(group->lock);

	while (node) {
		event = rb_entry(node, struct user_event, node);
		order = compare(name_key, name, multi, event);
		if (!order && fields_key)
			order = compare_keys(*fields_key, event->fields_key);
		if (!order) {
			found = event;
			/* Several formats have a first one. */
			if (!multi)
				break;
		}
		node = order > 0 ? node->rb_right : node->rb_left;
	}

	return found;
}

/**
 * ue_group_find - Finds an event by name
 * @group: the registry, locked
 * @name: the name under which it was registered
 * @name_key: ue_name_key() of @name
 * @multi: whether events of the name may have different fields
 *
 * Return: the event, valid while the lock is held, or NULL. With @multi, there may
 *	   be others.
 */
struct user_event *ue_group_find(const struct user_event_group *group,
				 const char *name, u32 name_key, bool multi)
{
	return find(group, name, name_key, multi, NULL);
}

/**
 * ue_group_find_format - Finds an event that may have certain fields
 * @group: the registry, locked
 * @name: the name under which it was registered, with several formats
 * @name_key: ue_name_key() of @name
 * @fields_key: the key of the fields
 *
 * The cost grows with the logarithm of the number of events.
 *
 * Return: the first event of the name with this key, or NULL.
 */
struct user_event *ue_group_find_format(const struct user_event_group *group,
					const char *name, u32 name_key,
					u32 fields_key)
{
	return find(group, name, name_key, true, &fields_key);
}

/**
 * ue_group_next_format - Finds the next event with the same name and key
 * @event: an event with several formats, in a locked registry
 *
 * Return: the event or NULL.
 */
struct user_event *ue_group_next_format(const struct user_event *event)
{
	struct user_event *next =
		rb_entry_safe(rb_next(&event->node), struct user_event, node);

	return next && next->fields_key == event->fields_key &&
			       user_event_is_named(next,
						   user_event_reg_name(event))
		       ? next
		       : NULL;
}

/**
 * ue_group_half - Computes half of the events that a registry can have
 * @group: the registry
 *
 * By default, a user can create as many, which leaves some for others. The limit
 * of a registry can exceed its bits, and these the numbers for types of events.
 *
 * Context: Any.
 * Return: the number, rounded up; 0 for a registry that can have no events.
 */
u32 ue_group_half(const struct user_event_group *group)
{
	u32 all = min3(READ_ONCE(group->max_events), group->nr_bits - 1,
		       (u32)USER_EVENT_TYPES_MAX);

	return all - all / 2;
}

/**
 * ue_group_is_full - Tells whether the limit of ue_group_add() is reached
 * @group: the registry, locked
 */
bool ue_group_is_full(const struct user_event_group *group)
{
	lockdep_assert_held(group->lock);

	/* Bit 0 is never allocated, so that programs can use it for "no bit". */
	return group->nr_events >= READ_ONCE(group->max_events) ||
	       group->nr_events >= group->nr_bits - 1;
}

static void insert_name(struct rb_root *names, struct user_event *event)
{
	struct rb_node **link = &names->rb_node, *parent = NULL;
	const char *name = user_event_reg_name(event);
	const struct user_event *other;
	int order;

	while (*link) {
		parent = *link;
		other = rb_entry(parent, struct user_event, node);
		order = compare(event->name_key, name, event->multi, other)
				?: compare_keys(event->fields_key,
						other->fields_key);
		link = order < 0 ? &parent->rb_left : &parent->rb_right;
	}

	rb_link_node(&event->node, parent, link);
	rb_insert_color(&event->node, names);
}

/**
 * ue_group_add - Adds an event to a registry and allocates its status bit
 * @group: the registry, locked
 * @event: an event whose name is not in the registry
 *
 * The lowest free bit is allocated.
 *
 * Context: May sleep. The memory is not charged, so no cgroup makes it wait.
 * Return: 0, -EMFILE if the registry is full, or -ENOMEM.
 */
int ue_group_add(struct user_event_group *group, struct user_event *event)
{
	int ret;

	if (ue_group_is_full(group))
		return -EMFILE;

	ret = xa_alloc(&group->events, &event->bit, event,
		       XA_LIMIT(1, group->nr_bits - 1), GFP_KERNEL);
	if (ret)
		return ret;

	event->group = group;
	insert_name(&group->names, event);
	group->nr_events++;
	group->nr_added++;

	return 0;
}

/* Processes read the bit at any time. */
static void set_status_bit(struct user_event_group *group, u32 bit, bool on)
{
	u8 *byte = &group->map[bit / 8];
	u8 mask = 1U << (bit % 8);

	WRITE_ONCE(*byte, on ? *byte | mask : *byte & ~mask);
}

/**
 * ue_group_remove - Removes an event from its registry
 * @event: the event; its registry is locked
 */
void ue_group_remove(struct user_event *event)
{
	struct user_event_group *group = event->group;

	lockdep_assert_held(group->lock);

	set_status_bit(group, event->bit, false);
	xa_erase(&group->events, event->bit);
	rb_erase(&event->node, &group->names);
	group->nr_events--;
}

/**
 * ue_group_update_status - Sets or clears the status bit according to @status
 * @event: an event whose registry is locked
 */
void ue_group_update_status(struct user_event *event)
{
	lockdep_assert_held(event->group->lock);

	set_status_bit(event->group, event->bit, event->status);
}
