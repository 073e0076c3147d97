/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Modules that emit an event, and their static keys.
 */
#ifndef USER_EVENTS_EVENT_SOURCE_H
#define USER_EVENTS_EVENT_SOURCE_H

#include <linux/jump_label.h>
#include <linux/list.h>

struct module;
struct user_event;

/**
 * struct user_event_source - a module that emits an event
 * @node: entry in the sources of the event, under event_mutex
 * @all_node: entry in the list of all sources, under event_mutex
 * @event: the event; the source holds a reference
 * @key: static key of the owner, or NULL
 * @owner: the module; constant
 */
struct user_event_source {
	struct list_head node;
	struct list_head all_node;
	struct user_event *event;
	struct static_key_false *key;
	struct module *owner;
};

void ue_source_add(struct user_event_source *source);
void ue_source_remove(struct user_event_source *source);
struct user_event_source *ue_source_take_of(const struct module *owner);
void ue_sources_update(const struct user_event *event);

#endif /* USER_EVENTS_EVENT_SOURCE_H */
