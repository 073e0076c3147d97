// SPDX-License-Identifier: GPL-2.0-only
#include "event/removed.h"

#include <linux/slab.h>
#include <linux/string.h>

#include "event/user_event.h"
#include "limits.h"

/**
 * ue_removed_init - Initializes counters that are zero
 * @removed: the counters
 */
void ue_removed_init(struct removed_events *removed)
{
	*removed = (struct removed_events){};
	INIT_LIST_HEAD(&removed->names);
}

static void forget(struct removed_events *removed, struct removed_name *name)
{
	list_del(&name->node);
	removed->nr_names--;
	kfree(name);
}

static struct removed_name *find_name(const struct removed_events *removed,
				      const struct user_event *event)
{
	struct removed_name *name;

	list_for_each_entry(name, &removed->names, node)
		if (name->key == event->name_key &&
		    user_event_is_named(event, name->name))
			return name;

	return NULL;
}

/* The memory is bounded and serves all, so no process is charged for it. */
static struct removed_name *new_name(struct removed_events *removed,
				     const struct user_event *event)
{
	const char *text = user_event_reg_name(event);
	struct removed_name *name;
	size_t size = strlen(text) + 1;

	if (removed->nr_names == USER_EVENT_REMOVED_NAMES)
		forget(removed, list_last_entry(&removed->names,
						struct removed_name, node));

	name = kzalloc(sizeof(*name) + size, GFP_KERNEL | __GFP_NOWARN);
	if (!name)
		return NULL;

	memcpy(name->name, text, size);
	name->key = event->name_key;
	list_add(&name->node, &removed->names);
	removed->nr_names++;
	return name;
}

static void add_counts(struct removed_counts *counts,
		       const struct user_event *event)
{
	const struct user_event_losses losses = ue_losses_sum(event->losses);
	int i;

	counts->events++;
	counts->hits += ue_counts_sum(event->counts);
	for (i = 0; i < LOSS_COUNT; i++)
		counts->losses.count[i] += losses.count[i];
}

/**
 * ue_removed_add - Counts an event that is removed
 * @removed: the counters
 * @event: the event, which is in a registry and has no user any more
 *
 * If the name is new, that of the event removed longest ago can be forgotten. Out
 * of memory, the event counts in the total only.
 *
 * Context: May sleep. The caller holds the lock of the registry.
 */
void ue_removed_add(struct removed_events *removed,
		    const struct user_event *event)
{
	struct removed_name *name = find_name(removed, event);

	if (name)
		list_move(&name->node, &removed->names);
	else
		name = new_name(removed, event);

	add_counts(&removed->all, event);
	if (name)
		add_counts(&name->counts, event);
}

/**
 * ue_removed_free - Frees the names
 * @removed: the counters
 */
void ue_removed_free(struct removed_events *removed)
{
	while (removed->nr_names)
		forget(removed, list_first_entry(&removed->names,
						 struct removed_name, node));
}
