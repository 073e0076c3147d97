// SPDX-License-Identifier: GPL-2.0-only
#include "event/source.h"

#include "event/user_event.h"
#include "internals/call.h"

/* All sources, under event_mutex. */
static LIST_HEAD(all_sources);

static void update_key(const struct user_event_source *source, bool on)
{
	if (!source->key)
		return;

	if (on)
		static_branch_enable(source->key);
	else
		static_branch_disable(source->key);
}

/**
 * ue_source_add - Adds a source to its event
 * @source: the source, whose members are set
 *
 * Context: Under event_mutex; sleeps. Takes the locks of static keys.
 */
void ue_source_add(struct user_event_source *source)
{
	event_mutex_assert_held();

	list_add_tail(&source->node, &source->event->sources);
	list_add_tail(&source->all_node, &all_sources);
	update_key(source, user_event_is_enabled(source->event));
}

/**
 * ue_source_remove - Removes a source from its event, whose key becomes false
 * @source: the source
 *
 * Context: As ue_source_add().
 */
void ue_source_remove(struct user_event_source *source)
{
	event_mutex_assert_held();

	list_del(&source->node);
	list_del(&source->all_node);
	update_key(source, false);
}

/**
 * ue_source_take_of - Removes a source of a module
 * @owner: the module
 *
 * Context: As ue_source_add().
 * Return: the source, or NULL if the module has none.
 */
struct user_event_source *ue_source_take_of(const struct module *owner)
{
	struct user_event_source *source;

	event_mutex_assert_held();

	list_for_each_entry(source, &all_sources, all_node) {
		if (source->owner != owner)
			continue;

		ue_source_remove(source);
		return source;
	}

	return NULL;
}

/**
 * ue_sources_update - Sets the keys of an event that was enabled or disabled
 * @event: the event
 *
 * Context: As ue_source_add().
 */
void ue_sources_update(const struct user_event *event)
{
	const struct user_event_source *source;

	event_mutex_assert_held();

	list_for_each_entry(source, &event->sources, node)
		update_key(source, user_event_is_enabled(event));
}
