/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The events of an open file by write index.
 */
#ifndef USER_EVENTS_EVENT_REFS_H
#define USER_EVENTS_EVENT_REFS_H

#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/types.h>
#include <linux/xarray.h>

struct user_event;
struct event_table;

/**
 * struct event_refs - the events of an open file
 * @lock: serializes additions; innermost lock
 * @table: the events; read under RCU, replaced by a larger table under @lock
 * @indices: write index of each event in @table, by status bit; under @lock
 *
 * An event in the table keeps its index and holds a reference until the file is
 * released.
 */
struct event_refs {
	struct mutex lock;
	struct event_table __rcu *table;
	struct xarray indices;
};

void ue_refs_init(struct event_refs *refs);
int ue_refs_add(struct event_refs *refs, struct user_event *event);
struct user_event *ue_refs_find(struct event_refs *refs, u32 index);
void ue_refs_destroy(struct event_refs *refs,
		     void (*put)(struct user_event *event));

#endif /* USER_EVENTS_EVENT_REFS_H */
